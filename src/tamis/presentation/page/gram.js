// Rows of float64, and a Gram matrix as the search asks for it.

const { ROUNDED_STEPS, ROUNDED_TOL, TIE } = RULES.tolerances;

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
function multiplyAll(matrix, count, vector) {
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

/**
 * G = V'V for columns V of few rows, or a matrix G that is there. The greedy loop asks for vectors, of
 * which `see` gives the products with all columns: a combination of V, or these products themselves.
 */
export class Gram {
  /**
   * @param {Float64Array} vectors column by column
   * @param {number} width columns
   * @param {{ core?: Float64Array, rank?: number, floor?: number }} [more]
   */
  constructor(vectors, width, { core = vectors, rank = width, floor = RULES.tolerances.RANK_TOL } = {}) {
    this.vectors = vectors;
    this.width = width;
    this.core = core; // G, or VV' for rows: a matrix with the eigenvalues of G that are not 0
    this.coreSize = vectors.length / width;
    this.rank = rank; // the largest that its shape allows
    this.floor = floor; // what is left of a column's own variance and counts as nothing
    this.byRows = core !== vectors;
    this.diagonal = Float64Array.from({ length: width }, (_, j) => {
      const vector = this.pick(j);
      return this.byRows ? multiply(vector, vector) : vector[j];
    });
  }

  // The vector of a column; not to be changed.
  /** @param {number} j */
  pick(j) { return this.vectors.subarray(j * this.coreSize, (j + 1) * this.coreSize); }

  /** @param {number} j */
  column(j) { return this.see(this.pick(j)); }

  /** @param {Float64Array} vector */
  see(vector) { return this.byRows ? multiplyAll(this.vectors, this.width, vector) : vector; }

  // What `see` turns into the matrix times `see(vector)`.
  /** @param {Float64Array} vector */
  multiply(vector) { return multiplyAll(this.core, this.coreSize, vector); }

  // The squared norm of `see(vector)`.
  /** @param {Float64Array} vector */
  square(vector) { return multiply(this.byRows ? this.multiply(vector) : vector, vector); }
}

// The lower triangle, row by row, as a full matrix.
/** @type {(triangle: Float64Array, width: number) => Gram} */
export function fillSquare(triangle, width) {
  const matrix = new Float64Array(width * width);
  for (let i = 0, at = 0; i < width; i++) {
    for (let j = 0; j <= i; j++, at++) matrix[i * width + j] = matrix[j * width + i] = triangle[at];
  }
  return new Gram(matrix, width);
}

// The same from correlations in steps of 2^-15, for wide tables: `lengths` of all columns, then what is
// below the diagonal, its low bytes before its high ones. Less than `ROUNDED_TOL` is rounding.
/** @type {(buffer: ArrayBuffer, width: number) => Gram} */
export function fillRounded(buffer, width) {
  const lengths = new Float64Array(buffer, 0, width);
  const bytes = new Uint8Array(buffer, 8 * width);
  const count = bytes.length / 2;
  const matrix = new Float64Array(width * width);
  for (let i = 0, at = 0; i < width; i++) {
    for (let j = 0; j < i; j++, at++) {
      const steps = ((bytes[at] | (bytes[count + at] << 8)) << 16) >> 16; // of 16 bits, with their sign
      matrix[i * width + j] = matrix[j * width + i] = (steps / ROUNDED_STEPS) * lengths[i] * lengths[j];
    }
    matrix[i * width + i] = lengths[i] * lengths[i];
  }
  return new Gram(matrix, width, { floor: ROUNDED_TOL });
}
