// The forward search on a table of fewer rows than columns, by its rows:
// algorithms/residual.py and greedy.py, one search at a time.
import { findFirstBest, NEGLIGIBLE, RANK_TOL } from "./plain_factor.js";
import { multiplyRows, squareRows } from "./products.js";

const REFRESH_FALL = 30; // a trace so many times smaller has lost two digits more than it should

// Turn a matrix of columns into one of rows.
/** @type {(columns: Float64Array, width: number, length: number) => Float64Array} */
export function transpose(columns, width, length) {
  const rows = new Float64Array(columns.length);
  for (let j = 0; j < width; j++) for (let r = 0; r < length; r++) rows[r * width + j] = columns[j * length + r];
  return rows;
}

/** TakenBasis of taken columns in the space of rows; what is left of a vector is M times it. */
class TakenBasis {
  /** @type {Float64Array[]} */
  rows = [];

  // The vector less what the directions have of it.
  /** @param {Float64Array} vector */
  project(vector) {
    const factors = this.rows.map((row) => multiplyRows(row, 0, vector, 0, vector.length));
    const out = vector.slice();
    this.rows.forEach((row, i) => {
      for (let r = 0; r < out.length; r++) out[r] -= factors[i] * row[r];
    });
    return out;
  }
}

/** What is left of all columns in one search, R = Z'MZ. */
export class RowSearch {
  /**
   * @param {GramForm} gram
   * @param {Asked} asked
   */
  constructor(gram, { shrink, noise, forbid = [] }) {
    this.gram = gram;
    this.Z = /** @type {Float64Array} */ (gram.samples);
    this.kernel = makeKernel(gram); // products of the rows with each other
    this.noise = Float64Array.from(gram.diagonal, (_, j) => shrink * (noise ? noise[j] : 1));
    this.shrunk = shrink > 0;
    this.taking = new TakenBasis();
    this.basis = new TakenBasis(); // of plain regressions
    this.left = gram.diagonal.slice();
    this.plainLeft = gram.diagonal.slice();
    this.norms = this.computeNorms();
    this.trace = this.total = gram.diagonal.reduce((sum, one) => sum + one, 0);
    this.open = new Uint8Array(gram.width).fill(1);
    forbid.forEach((j) => { this.open[j] = 0; });
    /** @type {FoundPath} */
    this.path = { indices: [], retained: [] };
  }

  /** @param {number} j */
  getColumn(j) { return this.Z.slice(j * this.gram.length, (j + 1) * this.gram.length); }

  /** @param {Float64Array} vector */
  multiplyKernel(vector) {
    const { length } = this.gram;
    return vector.map((_, r) => multiplyRows(this.kernel, r * length, vector, 0, length));
  }

  /** @param {Float64Array} vector */
  seeFrom(vector) {
    const { length, width } = this.gram;
    const seen = new Float64Array(width);
    for (let j = 0; j < width; j++) seen[j] = multiplyRows(this.Z, j * length, vector, 0, length);
    return seen;
  }

  // ||R e_j||^2 = (M z_j)'K(M z_j), at first and as rounding grows.
  computeNorms() {
    return this.left.map((_, j) => {
      const y = this.taking.project(this.getColumn(j));
      return multiplyRows(this.multiplyKernel(y), 0, y, 0, y.length);
    });
  }

  // What each column would add; nothing where it is taken already.
  listGains() {
    const { left, noise, gram, norms, open } = this;
    return left.map((one, j) => (open[j] && one > RANK_TOL * gram.diagonal[j]
      ? Math.max(norms[j], 0) / (one + noise[j]) / this.total : 0));
  }

  findBest() {
    const { gram, open, left } = this;
    const trace = left.reduce((sum, one) => sum + one, 0);
    if (trace * REFRESH_FALL < this.trace) {
      this.norms = this.computeNorms();
      if (!this.shrunk) this.path.indices.forEach((j) => { this.norms[j] = 0; });
      this.trace = trace;
    }
    const unexplained = this.plainLeft.reduce((sum, one) => sum + one, 0) / this.total;
    if (this.shrunk && !(unexplained > RANK_TOL)) return -1;
    return findFirstBest(this.listGains().map((gain, j) =>
      (open[j] && this.plainLeft[j] > RANK_TOL * gram.diagonal[j] ? gain : -Infinity)));
  }

  /** @param {number} j */
  take(j) {
    const { left, noise, taking, norms } = this;
    const root = Math.sqrt(left[j] + noise[j]);
    const a = taking.project(this.getColumn(j)).map((value) => value / root);
    const w = this.seeFrom(a);
    const v = this.seeFrom(taking.project(this.multiplyKernel(a)));
    if (!this.shrunk) this.path.indices.forEach((i) => { w[i] = 0; });
    const size = multiplyRows(w, 0, w, 0, w.length);
    for (let i = 0; i < w.length; i++) {
      norms[i] += w[i] * (size * w[i] - 2 * v[i]);
      left[i] -= w[i] * w[i];
    }
    if (!this.shrunk) left[j] = 0;
    this.takePlainly(j, w);
    taking.rows.push(a);
    this.open[j] = 0;
    this.path.indices.push(j);
    this.path.retained.push(1 - this.plainLeft.reduce((sum, one) => sum + one, 0) / this.total);
  }

  /** @type {(j: number, w: Float64Array) => void} */
  takePlainly(j, w) {
    const { plainLeft, basis } = this;
    let seen = w;
    if (this.shrunk) {
      const column = basis.project(basis.project(this.getColumn(j)));
      const root = Math.sqrt(multiplyRows(column, 0, column, 0, column.length));
      basis.rows.push(column.map((value) => value / root));
      seen = this.seeFrom(basis.rows[basis.rows.length - 1]);
    }
    for (let i = 0; i < seen.length; i++) plainLeft[i] = Math.max(plainLeft[i] - seen[i] * seen[i], 0);
    this.path.indices.forEach((i) => { plainLeft[i] = 0; });
    plainLeft[j] = 0;
  }
}

/** @type {WeakMap<Float64Array, Float64Array>} */
const kernels = new WeakMap();

// The products of the rows with each other, once for all searches on them.
/** @type {(gram: GramForm) => Float64Array} */
export function makeKernel({ samples, width, length }) {
  const columns = /** @type {Float64Array} */ (samples);
  const known = kernels.get(columns) ?? squareRows(transpose(columns, width, length), length, width);
  kernels.set(columns, known);
  return known;
}

// Take columns until there are enough, or they explain enough.
/** @type {(part: Part, request: Asked) => FoundPath} */
export function searchRows({ gram }, asked) {
  const search = new RowSearch(gram, asked);
  (asked.include ?? []).forEach((j) => search.take(j));
  const { retained } = search.path;
  while (retained.length < Math.min(asked.size, gram.rank)) {
    if (retained.length && retained[retained.length - 1] >= asked.retain - NEGLIGIBLE) break;
    const best = search.findBest();
    if (best < 0) break;
    search.take(best);
  }
  return search.path;
}
