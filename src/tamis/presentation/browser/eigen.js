// Eigenvalues and eigenvectors of symmetric matrices: Householder's tridiagonal form, then implicit
// QL steps (Wilkinson and Reinsch 1971). Vectors are rows.

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
    if (q) rotateRows(q, n, i, s, c);
  }
  d[l] -= p;
  e[l] = g;
  e[m] = 0;
}

/** @type {(q: Float64Array, n: number, i: number, s: number, c: number) => void} */
function rotateRows(q, n, i, s, c) {
  for (let k = 0, a = i * n, b = a + n; k < n; k++, a++, b++) {
    const low = q[a], high = q[b];
    q[b] = s * low + c * high;
    q[a] = c * low - s * high;
  }
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
