// The Gram matrix of fewer rows than columns, by the rows themselves: G = Z'Z, K = ZZ'.
import { multiply, multiplyAll, multiplyRows } from "../page/vectors.js";
import { crossRows, squareRows } from "./products.js";

/**
 * Vectors are as long as the rows are many, and `see` multiplies them with Z'.
 * @implements {Gram}
 */
export class SampleGram {
  /** @type {Float64Array | null} */
  kernel = null;
  floor = RULES.tolerances.RANK_TOL;

  /**
   * @param {Float64Array} samples column by column, `length` numbers each
   * @param {number} width
   * @param {number} length
   */
  constructor(samples, width, length) {
    this.samples = samples;
    this.width = width;
    this.coreSize = length;
    this.rank = Math.max(1, Math.min(length - 1, width));
    this.diagonal = Float64Array.from({ length: width }, (_, j) => multiplyRows(samples, j * length, samples, j * length, length));
  }

  // The products of the rows with each other, once for all searches on them.
  get core() {
    const { samples, width, coreSize: length } = this;
    if (!this.kernel) {
      const rows = new Float64Array(samples.length);
      for (let j = 0; j < width; j++) for (let r = 0; r < length; r++) rows[r * width + j] = samples[j * length + r];
      this.kernel = squareRows(rows, length, width);
    }
    return this.kernel;
  }

  /** @param {number} j */
  pick(j) { return this.samples.subarray(j * this.coreSize, (j + 1) * this.coreSize); }

  /** @param {number} j */
  column(j) { return this.see(this.pick(j)); }

  /** @param {Float64Array} vector */
  see(vector) { return multiplyAll(this.samples, this.width, vector); }

  /** @param {Float64Array} vector */
  multiply(vector) { return multiplyAll(this.core, this.coreSize, vector); }

  /** @param {Float64Array} vector */
  square(vector) { return multiply(this.multiply(vector), vector); }

  /** @param {number[]} columns */
  block(columns) {
    const some = new Float64Array(columns.length * this.coreSize);
    columns.forEach((j, i) => some.set(this.pick(j), i * this.coreSize));
    return crossRows(some, columns.length, this.samples, this.width, this.coreSize);
  }
}
