// Sums and products of rows in float64, four at a time so that numbers stay in registers.

const { TIE } = RULES.tolerances;

// The product of two rows of `length` numbers.
/** @type {(a: Float64Array, i: number, b: Float64Array, j: number, length: number) => number} */
export function multiplyRows(a, i, b, j, length) {
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  let r = 0;
  for (; r + 3 < length; r += 4) {
    s0 += a[i + r] * b[j + r];
    s1 += a[i + r + 1] * b[j + r + 1];
    s2 += a[i + r + 2] * b[j + r + 2];
    s3 += a[i + r + 3] * b[j + r + 3];
  }
  for (; r < length; r++) s0 += a[i + r] * b[j + r];
  return s0 + s1 + (s2 + s3);
}

/** @type {(a: Float64Array, b: Float64Array) => number} */
export const multiply = (a, b) => multiplyRows(a, 0, b, 0, a.length);

// The products of all rows of a matrix with a vector.
/** @type {(matrix: Float64Array, count: number, vector: Float64Array) => Float64Array} */
export function multiplyAll(matrix, count, vector) {
  const out = new Float64Array(count);
  for (let i = 0; i < count; i++) out[i] = multiplyRows(matrix, i * vector.length, vector, 0, vector.length);
  return out;
}

/** @param {Float64Array} values */
export function addUp(values) {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum;
}

// Take the sum of some vectors times their factors off `out`.
/** @type {(out: Float64Array, vectors: Float64Array[], factors: number[]) => Float64Array} */
export function subtractAll(out, vectors, factors) {
  const { length } = out;
  let m = 0;
  for (; m + 3 < factors.length; m += 4) {
    const [f0, f1, f2, f3] = [factors[m], factors[m + 1], factors[m + 2], factors[m + 3]];
    const [a, b, c, d] = [vectors[m], vectors[m + 1], vectors[m + 2], vectors[m + 3]];
    for (let i = 0; i < length; i++) out[i] -= f0 * a[i] + f1 * b[i] + (f2 * c[i] + f3 * d[i]);
  }
  for (; m < factors.length; m++) {
    const [factor, vector] = [factors[m], vectors[m]];
    for (let i = 0; i < length; i++) out[i] -= factor * vector[i];
  }
  return out;
}

// The first place whose score is within TIE of the largest; -1 where all are -Infinity.
/** @param {ArrayLike<number>} scores */
export function findFirstBest(scores) {
  let best = -Infinity;
  for (let i = 0; i < scores.length; i++) if (scores[i] > best) best = scores[i];
  if (best === -Infinity) return -1;
  const least = best - TIE * Math.abs(best);
  for (let i = 0; i < scores.length; i++) if (scores[i] >= least) return i;
  return -1;
}
