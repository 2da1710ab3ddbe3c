// A Gram matrix as a matrix, and how a page holds it. (Of few rows there is another form,
// sample_gram.js of the page that takes a table.)
import { multiply, multiplyAll } from "./vectors.js";

/**
 * The greedy loop asks for vectors, of which `see` gives the products with all columns: here they are
 * those products.
 * @implements {Gram}
 */
export class MatrixGram {
  /**
   * @param {Float64Array} matrix
   * @param {number} width
   * @param {number} [floor] what is left of a column's own variance and counts as nothing
   */
  constructor(matrix, width, floor = RULES.tolerances.RANK_TOL) {
    this.core = matrix; // a matrix with the eigenvalues of this one
    this.coreSize = width;
    this.width = width;
    this.rank = width; // the largest that its shape allows
    this.floor = floor;
    this.diagonal = Float64Array.from({ length: width }, (_, j) => matrix[j * width + j]);
  }

  /** @param {number} j */
  pick(j) { return this.core.subarray(j * this.width, (j + 1) * this.width); }

  /** @param {number} j */
  column(j) { return this.pick(j); }

  /** @param {Float64Array} vector */
  see(vector) { return vector; }

  // What `see` turns into the matrix times `see(vector)`.
  /** @param {Float64Array} vector */
  multiply(vector) { return multiplyAll(this.core, this.width, vector); }

  // The squared norm of `see(vector)`.
  /** @param {Float64Array} vector */
  square(vector) { return multiply(vector, vector); }

  // Rows of the matrix, one after the other.
  /** @param {number[]} columns */
  block(columns) {
    const rows = new Float64Array(columns.length * this.width);
    columns.forEach((j, i) => rows.set(this.pick(j), i * this.width));
    return rows;
  }
}

// The lower triangle, row by row, as a full matrix.
/** @type {(triangle: Float64Array, width: number) => MatrixGram} */
export function fillSquare(triangle, width) {
  const matrix = new Float64Array(width * width);
  for (let i = 0, at = 0; i < width; i++) {
    for (let j = 0; j <= i; j++, at++) matrix[i * width + j] = matrix[j * width + i] = triangle[at];
  }
  return new MatrixGram(matrix, width);
}

// The same from correlations in steps of 2^-15, for wide tables: `lengths` of all columns, then what is
// below the diagonal, its low bytes before its high ones. Less than `ROUNDED_TOL` is rounding.
const { ROUNDED_STEPS, ROUNDED_TOL } = RULES.tolerances;
/** @type {(buffer: ArrayBuffer, width: number) => MatrixGram} */
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
  return new MatrixGram(matrix, width, ROUNDED_TOL);
}
