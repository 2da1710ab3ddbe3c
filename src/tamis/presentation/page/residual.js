// What is left of a Gram matrix once some columns are taken; the same numbers as Python's
// algorithms/residual.py and numerics/rank.py. It knows no document.
import { addHeads, addRows, addUp, multiply } from "./add_rows.js";

// As in numerics/tolerances.py.
const ROUNDING = 64 * 2 ** -52; // of a product of two columns, relative to their lengths
export const RANK_TOL = 1e-10; // what is left of a column's own variance and counts as nothing
export const TIE = 1e-9; // scores so near to each other are equal
const REFRESH_FALL = 30; // fall of the trace after which norms are computed afresh

// R = G - W'W for the taken columns, each a row of W.
export class Residual {
  // `capacity` is how many columns may be taken.
  /**
   * @param {Gram} matrix
   * @param {number} capacity
   */
  constructor({ gram, width, floor = RANK_TOL }, capacity) {
    this.gram = gram;
    this.floor = floor;
    this.width = width;
    this.size = 0;
    /** @type {number[]} */
    this.taken = [];
    /** @type {number[]} */
    this.retained = [];
    this.start = new Float64Array(width);
    for (let j = 0; j < width; j++) this.start[j] = gram[j * width + j];
    this.left = this.start.slice();
    this.total = addUp(this.start);
    this.W = new Float64Array(capacity * width);
    this.rows = Uint32Array.from({ length: Math.max(capacity, width) }, (_, row) => row);
    this.factors = new Float64Array(Math.max(capacity, width));
    this.places = new Uint32Array(width);
    this.buffer = new Float64Array(width);
    /** @type {Float64Array | null} */
    this.norms = null;
    this.normsSize = 0;
    this.normsTrace = this.total;
  }

  /** @param {number} j */
  isFree(j) { return this.left[j] > this.floor * this.start[j]; }

  /** @param {number} j */
  take(j) {
    const { W, width, left, size } = this;
    if (this.exceedsRounding(j)) {
      const w = this.buffer;
      w.set(this.gram.subarray(j * width, (j + 1) * width));
      for (let m = 0; m < size; m++) this.factors[m] = -W[m * width + j];
      addRows(w, W, width, this.rows, this.factors, size);
      const root = Math.sqrt(left[j]);
      for (let i = 0; i < width; i++) w[i] /= root;
      this.taken.forEach((i) => { w[i] = 0; });
      W.set(w, size * width);
      for (let i = 0; i < width; i++) left[i] = Math.max(left[i] - w[i] * w[i], 0);
    }
    left[j] = 0;
    this.taken.push(j);
    this.retained.push(1 - addUp(left) / this.total);
    this.size += 1;
  }

  // Whether what is left of a column is more than the rounding error of finding it.
  /** @param {number} j */
  exceedsRounding(j) {
    const { W, width, left, start, taken, floor } = this;
    if (floor > RANK_TOL || left[j] > RANK_TOL * start[j] || left[j] <= ROUNDING * start[j]) {
      return left[j] > floor * start[j];
    }
    const useful = taken.map((_, m) => m).filter((m) => W[m * width + taken[m]] > 0);
    /** @type {number[]} */
    const solved = [];
    let reach = Math.sqrt(start[j]);
    for (let i = useful.length - 1; i >= 0; i--) {
      const row = useful[i] * width;
      let value = W[row + j];
      for (let m = i + 1; m < useful.length; m++) value -= W[row + taken[useful[m]]] * solved[m];
      solved[i] = value / W[row + taken[useful[i]]];
      reach += Math.sqrt(start[taken[useful[i]]]) * Math.abs(solved[i]);
    }
    return left[j] > ROUNDING * reach * reach;
  }

  // Squared column norms of R, brought up to date.
  getNorms() {
    const trace = addUp(this.left);
    let norms = this.norms;
    if (norms === null || trace * REFRESH_FALL < this.normsTrace) {
      norms = this.computeNorms();
      this.norms = norms;
      this.normsSize = this.size;
      this.normsTrace = trace;
    }
    for (; this.normsSize < this.size; this.normsSize++) this.updateNorms(norms, this.normsSize);
    return norms;
  }

  // ||(R - ww')e_j||^2 = ||Re_j||^2 - 2 w_j (Rw)_j + (w'w) w_j^2
  /**
   * @param {Float64Array} norms
   * @param {number} step
   */
  updateNorms(norms, step) {
    const { W, width, gram, places, factors, buffer } = this;
    const w = W.subarray(step * width, (step + 1) * width);
    let count = 0;
    for (let j = 0; j < width; j++) {
      if (w[j] !== 0) { places[count] = j; factors[count++] = w[j]; }
    }
    if (!count) return;
    buffer.fill(0);
    addRows(buffer, gram, width, places, factors, count);
    for (let m = 0; m < step; m++) factors[m] = -multiply(W, m * width, w, width);
    addRows(buffer, W, width, this.rows, factors, step);
    const square = multiply(W, step * width, w, width);
    for (let j = 0; j < width; j++) norms[j] += w[j] * (square * w[j] - 2 * buffer[j]);
  }

  // The same from R itself, of which only the part below the diagonal is computed.
  computeNorms() {
    const { W, width, gram, size, factors, buffer } = this;
    const norms = new Float64Array(width);
    const open = new Uint8Array(width).fill(1);
    this.taken.forEach((j) => { open[j] = 0; });
    for (let i = 0; i < width; i++) {
      if (!open[i]) continue;
      const row = buffer.subarray(0, i + 1);
      row.set(gram.subarray(i * width, i * width + i + 1));
      for (let m = 0; m < size; m++) factors[m] = -W[m * width + i];
      addHeads(row, W, width, factors, size);
      for (let j = 0; j < i; j++) {
        const square = open[j] * row[j] * row[j];
        norms[j] += square;
        norms[i] += square;
      }
      norms[i] += row[i] * row[i];
    }
    return norms;
  }
}
