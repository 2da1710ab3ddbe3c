// Products of matrices in float64, blocked so that numbers stay in registers. Rows are contiguous.
import { multiplyRows } from "../page/vectors.js";

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

// All products of rows with each other (AA'), a symmetric matrix of `count` rows of `length` numbers.
/** @type {(a: Float64Array, count: number, length: number, out?: Float64Array) => Float64Array} */
export function squareRows(a, count, length, out = new Float64Array(count * count)) {
  out.fill(0);
  const whole = count - (count % 4);
  for (let from = 0; from < length; from += PANEL) {
    const to = Math.min(from + PANEL, length);
    for (let i = 0; i < whole; i += 4) {
      for (let j = i; j < whole; j += 4) addTile(a, i * length, a, j * length, length, from, to, out, i * count + j, count);
    }
  }
  for (let j = whole; j < count; j++) {
    for (let i = 0; i <= j; i++) out[i * count + j] = multiplyRows(a, i * length, a, j * length, length);
  }
  for (let i = 0; i < count; i++) for (let j = 0; j < i; j++) out[i * count + j] = out[j * count + i];
  return out;
}

// All products of the rows of two matrices (AB').
/** @type {(a: Float64Array, rows: number, b: Float64Array, columns: number, length: number) => Float64Array} */
export function crossRows(a, rows, b, columns, length) {
  const out = new Float64Array(rows * columns);
  const [tall, wide] = [rows - (rows % 4), columns - (columns % 4)];
  for (let from = 0; from < length; from += PANEL) {
    const to = Math.min(from + PANEL, length);
    for (let i = 0; i < tall; i += 4) {
      for (let j = 0; j < wide; j += 4) addTile(a, i * length, b, j * length, length, from, to, out, i * columns + j, columns);
    }
  }
  for (let i = 0; i < rows; i++) {
    for (let j = i < tall ? wide : 0; j < columns; j++) {
      out[i * columns + j] = multiplyRows(a, i * length, b, j * length, length);
    }
  }
  return out;
}

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
