// Products, factors and eigenvalues of matrices in float64, blocked so that numbers stay in
// registers. Rows are contiguous.
import { multiplyRows } from "../page/gram.js";

// Add the products of four rows of `a` from `i` with four of `b` from `j`, over some columns.
/** @type {(a: Float64Array, i: number, b: Float64Array, j: number, length: number, from: number, to: number, out: Float64Array, at: number, width: number) => void} */
function addTile(a, i, b, j, length, from, to, out, at, width) {
  let [c00, c01, c02, c03, c10, c11, c12, c13] = [0, 0, 0, 0, 0, 0, 0, 0];
  let [c20, c21, c22, c23, c30, c31, c32, c33] = [0, 0, 0, 0, 0, 0, 0, 0];
  const [i1, i2, i3, j1, j2, j3] = [i + length, i + 2 * length, i + 3 * length, j + length, j + 2 * length, j + 3 * length];
  for (let r = from; r < to; r++) {
    const a0 = a[i + r], a1 = a[i1 + r], a2 = a[i2 + r], a3 = a[i3 + r];
    const b0 = b[j + r], b1 = b[j1 + r], b2 = b[j2 + r], b3 = b[j3 + r];
    c00 += a0 * b0; c01 += a0 * b1; c02 += a0 * b2; c03 += a0 * b3;
    c10 += a1 * b0; c11 += a1 * b1; c12 += a1 * b2; c13 += a1 * b3;
    c20 += a2 * b0; c21 += a2 * b1; c22 += a2 * b2; c23 += a2 * b3;
    c30 += a3 * b0; c31 += a3 * b1; c32 += a3 * b2; c33 += a3 * b3;
  }
  out[at] += c00; out[at + 1] += c01; out[at + 2] += c02; out[at + 3] += c03;
  out[at + width] += c10; out[at + width + 1] += c11; out[at + width + 2] += c12; out[at + width + 3] += c13;
  out[at + 2 * width] += c20; out[at + 2 * width + 1] += c21; out[at + 2 * width + 2] += c22; out[at + 2 * width + 3] += c23;
  out[at + 3 * width] += c30; out[at + 3 * width + 1] += c31; out[at + 3 * width + 2] += c32; out[at + 3 * width + 3] += c33;
}

const PANEL = 256; // columns that are multiplied before the next ones are read

// All products of the rows of two matrices (AB'), which have `length` columns; of a matrix with itself
// those above the diagonal, of which the others are copies.
/** @type {(a: Float64Array, rows: number, b: Float64Array, columns: number, length: number) => Float64Array} */
export function crossRows(a, rows, b, columns, length) {
  const out = new Float64Array(rows * columns);
  const [tall, wide] = [rows - (rows % 4), columns - (columns % 4)];
  const symmetric = a === b;
  for (let from = 0; from < length; from += PANEL) {
    const to = Math.min(from + PANEL, length);
    for (let i = 0; i < tall; i += 4) {
      for (let j = symmetric ? i : 0; j < wide; j += 4) addTile(a, i * length, b, j * length, length, from, to, out, i * columns + j, columns);
    }
  }
  for (let i = 0; i < rows; i++) {
    for (let j = Math.max(i < tall ? wide : 0, symmetric ? i : 0); j < columns; j++) {
      out[i * columns + j] = multiplyRows(a, i * length, b, j * length, length);
    }
  }
  if (symmetric) for (let i = 0; i < rows; i++) for (let j = 0; j < i; j++) out[i * columns + j] = out[j * columns + i];
  return out;
}

// All products of the rows of a matrix with each other (AA').
/** @type {(a: Float64Array, count: number, length: number) => Float64Array} */
export const squareRows = (a, count, length) => crossRows(a, count, a, count, length);

// The factor L of a positive definite matrix LL', in the lower triangle; null where it has none.
/** @type {(matrix: Float64Array, count: number, added: number) => Float64Array | null} */
export function factorise(matrix, count, added) {
  const L = new Float64Array(count * count);
  for (let i = 0; i < count; i++) {
    for (let j = 0; j <= i; j++) {
      const left = matrix[i * count + j] - multiplyRows(L, i * count, L, j * count, j);
      if (i > j) L[i * count + j] = left / L[j * count + j];
      else {
        if (!(left + added > 0)) return null;
        L[i * count + i] = Math.sqrt(left + added);
      }
    }
  }
  return L;
}

// Replace the rows of a matrix by L^-1 times it.
/** @type {(L: Float64Array, count: number, rows: Float64Array, width: number) => void} */
export function solveLower(L, count, rows, width) {
  for (let i = 0; i < count; i++) {
    const at = i * width;
    let m = 0;
    for (; m + 3 < i; m += 4) {
      const f0 = L[i * count + m], f1 = L[i * count + m + 1], f2 = L[i * count + m + 2], f3 = L[i * count + m + 3];
      const r0 = m * width, r1 = r0 + width, r2 = r1 + width, r3 = r2 + width;
      for (let j = 0; j < width; j++) {
        rows[at + j] -= f0 * rows[r0 + j] + f1 * rows[r1 + j] + (f2 * rows[r2 + j] + f3 * rows[r3 + j]);
      }
    }
    for (; m < i; m++) {
      const factor = L[i * count + m];
      for (let j = 0; j < width; j++) rows[at + j] -= factor * rows[m * width + j];
    }
    const divisor = L[i * count + i];
    for (let j = 0; j < width; j++) rows[at + j] /= divisor;
  }
}

const MAX_STEPS = 60;

// Reduce a matrix to tridiagonal form, in place; its rows become the reflections.
/** @type {(a: Float64Array, n: number, vectors: boolean) => { d: Float64Array, e: Float64Array }} */
function reduce(a, n, vectors) {
  const [d, e] = [new Float64Array(n), new Float64Array(n)];
  for (let i = n - 1; i > 0; i--) {
    const row = i * n;
    let scale = 0;
    for (let k = 0; k < i; k++) scale += Math.abs(a[row + k]);
    if (i === 1 || scale === 0) {
      e[i] = a[row + i - 1];
      continue;
    }
    let h = 0;
    for (let k = 0; k < i; k++) {
      a[row + k] /= scale;
      h += a[row + k] * a[row + k];
    }
    const f = a[row + i - 1];
    const g = f >= 0 ? -Math.sqrt(h) : Math.sqrt(h);
    e[i] = scale * g;
    h -= f * g;
    a[row + i - 1] = f - g;
    reflect(a, n, i, h, e);
    d[i] = h;
  }
  if (vectors) gatherVectors(a, n, d);
  else for (let i = 0; i < n; i++) d[i] = a[i * n + i];
  return { d, e };
}

// Apply the reflection in row `i` to the part above it, of which the lower triangle is kept.
/** @type {(a: Float64Array, n: number, i: number, h: number, e: Float64Array) => void} */
function reflect(a, n, i, h, e) {
  const row = i * n;
  e.fill(0, 0, i);
  for (let j = 0; j < i; j++) { // e = Au, by rows of the lower triangle
    const u = a[row + j];
    const at = j * n;
    let sum = a[at + j] * u;
    for (let k = 0; k < j; k++) {
      sum += a[at + k] * a[row + k];
      e[k] += a[at + k] * u;
    }
    e[j] += sum;
  }
  let f = 0;
  for (let j = 0; j < i; j++) {
    e[j] /= h;
    f += e[j] * a[row + j];
  }
  const half = f / (h + h);
  for (let j = 0; j < i; j++) e[j] -= half * a[row + j];
  for (let j = 0; j < i; j++) {
    const u = a[row + j], v = e[j], at = j * n;
    for (let k = 0; k <= j; k++) a[at + k] -= u * e[k] + v * a[row + k];
  }
}

// Multiply the reflections out; the rows of the result are the columns of the transformation.
/** @type {(a: Float64Array, n: number, d: Float64Array) => void} */
function gatherVectors(a, n, d) {
  const q = new Float64Array(n * n);
  const g = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    if (d[i]) {
      g.fill(0, 0, i);
      for (let k = 0; k < i; k++) { // g = u'Q
        const u = a[i * n + k];
        for (let j = 0; j < i; j++) g[j] += u * q[k * n + j];
      }
      for (let k = 0; k < i; k++) {
        const u = a[i * n + k] / d[i];
        for (let j = 0; j < i; j++) q[k * n + j] -= u * g[j];
      }
    }
    q[i * n + i] = 1;
    d[i] = a[i * n + i];
  }
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) a[j * n + i] = q[i * n + j];
}

/** @type {(d: Float64Array, e: Float64Array, n: number, q: Float64Array | null) => void} */
function iterate(d, e, n, q) {
  e.copyWithin(0, 1);
  e[n - 1] = 0;
  for (let l = 0; l < n; l++) {
    for (let steps = 0; steps < MAX_STEPS; steps++) {
      let m = l;
      for (; m < n - 1; m++) {
        const size = Math.abs(d[m]) + Math.abs(d[m + 1]);
        if (Math.abs(e[m]) <= Number.EPSILON * size) break;
      }
      if (m === l) break;
      chase(d, e, l, m, n, q);
    }
  }
}

// One implicit QL step on the part from `l` to `m`.
/** @type {(d: Float64Array, e: Float64Array, l: number, m: number, n: number, q: Float64Array | null) => void} */
function chase(d, e, l, m, n, q) {
  let g = (d[l + 1] - d[l]) / (2 * e[l]);
  const root = Math.hypot(g, 1);
  g = d[m] - d[l] + e[l] / (g + (g >= 0 ? root : -root));
  let [s, c, p] = [1, 1, 0];
  for (let i = m - 1; i >= l; i--) {
    const f = s * e[i];
    const b = c * e[i];
    const r = Math.sqrt(f * f + g * g);
    e[i + 1] = r;
    if (r === 0) {
      d[i + 1] -= p;
      e[m] = 0;
      return;
    }
    s = f / r;
    c = g / r;
    g = d[i + 1] - p;
    const t = (d[i] - g) * s + 2 * c * b;
    p = s * t;
    d[i + 1] = g + p;
    g = c * t - b;
    if (q) {
      for (let k = 0, low = i * n, high = low + n; k < n; k++, low++, high++) {
        const u = q[low], v = q[high];
        q[high] = s * u + c * v;
        q[low] = c * u - s * v;
      }
    }
  }
  d[l] -= p;
  e[l] = g;
  e[m] = 0;
}

// All eigenvalues, the largest first; none below 0, as a Gram matrix has none.
/** @type {(matrix: Float64Array, n: number) => Float64Array} */
export function findEigenvalues(matrix, n) {
  const { d, e } = reduce(matrix.slice(), n, false);
  iterate(d, e, n, null);
  return d.sort().reverse().map((value) => Math.max(value, 0));
}

// Eigenvalues in any order, and the eigenvector of each as a row.
/** @type {(matrix: Float64Array, n: number) => { values: Float64Array, vectors: Float64Array }} */
export function findEigenpairs(matrix, n) {
  const vectors = matrix.slice();
  const { d, e } = reduce(vectors, n, true);
  iterate(d, e, n, vectors);
  return { values: d, vectors };
}
