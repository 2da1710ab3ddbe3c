// Sums of rows of a matrix in float64, four at a time. It knows no document.

// out += the sum of factors[r] times row rows[r] of a matrix.
/**
 * @param {Float64Array} out
 * @param {Float64Array} matrix
 * @param {number} width
 * @param {Uint32Array} rows
 * @param {Float64Array} factors
 * @param {number} count
 */
export function addRows(out, matrix, width, rows, factors, count) {
  let r = 0;
  for (; r + 3 < count; r += 4) {
    const [f0, f1, f2, f3] = [factors[r], factors[r + 1], factors[r + 2], factors[r + 3]];
    let a = rows[r] * width;
    let b = rows[r + 1] * width;
    let c = rows[r + 2] * width;
    let d = rows[r + 3] * width;
    for (let j = 0; j < width; j++) {
      out[j] += f0 * matrix[a++] + f1 * matrix[b++] + (f2 * matrix[c++] + f3 * matrix[d++]);
    }
  }
  for (; r < count; r++) {
    const factor = factors[r];
    for (let j = 0, a = rows[r] * width; j < width; j++, a++) out[j] += factor * matrix[a];
  }
}

// The product of a row of a matrix, from `start` on, and a vector.
/**
 * @param {Float64Array} matrix
 * @param {number} start
 * @param {Float64Array} vector
 * @param {number} width
 */
export function multiply(matrix, start, vector, width) {
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  let j = 0;
  for (let a = start; j + 3 < width; j += 4, a += 4) {
    s0 += matrix[a] * vector[j];
    s1 += matrix[a + 1] * vector[j + 1];
    s2 += matrix[a + 2] * vector[j + 2];
    s3 += matrix[a + 3] * vector[j + 3];
  }
  for (; j < width; j++) s0 += matrix[start + j] * vector[j];
  return s0 + s1 + (s2 + s3);
}

/** @param {Float64Array} values */
export function addUp(values) {
  let [s0, s1] = [0, 0];
  for (let j = 0; j + 1 < values.length; j += 2) { s0 += values[j]; s1 += values[j + 1]; }
  return s0 + s1 + (values.length % 2 ? values[values.length - 1] : 0);
}

// As `addRows`, of the first rows and only as far as `out` goes.
/**
 * @param {Float64Array} out
 * @param {Float64Array} matrix
 * @param {number} width
 * @param {Float64Array} factors
 * @param {number} count
 */
export function addHeads(out, matrix, width, factors, count) {
  const length = out.length;
  let r = 0;
  for (; r + 3 < count; r += 4) {
    const [f0, f1, f2, f3] = [factors[r], factors[r + 1], factors[r + 2], factors[r + 3]];
    for (let j = 0, a = r * width; j < length; j++, a++) {
      out[j] += f0 * matrix[a] + f1 * matrix[a + width]
        + (f2 * matrix[a + 2 * width] + f3 * matrix[a + 3 * width]);
    }
  }
  for (; r < count; r++) {
    const factor = factors[r];
    for (let j = 0, a = r * width; j < length; j++, a++) out[j] += factor * matrix[a];
  }
}
