// The forward search on a Gram matrix, shrunken or not, numbers and categories alike:
// algorithms/forward/forward.py and residual.py, with what is left as a matrix of its own.
import { addGroups, findFirstBest, listMembers, NEGLIGIBLE, PlainFactor, RANK_TOL, readColumns } from "./plain_factor.js";
import { multiplyRows } from "./products.js";

const LEAST_FREE = 0.5; // rows: where none is free, more columns still count as worse

/** What shrunken regressions leave of a matrix, for the choice, beside what plain ones explain. */
export class MatrixSearch {
  /**
   * @param {Part} part
   * @param {Asked} asked
   */
  constructor({ gram, groups, nRows }, { shrink, noise, forbid = [] }) {
    this.width = gram.width;
    this.groups = groups;
    this.nRows = nRows;
    this.R = /** @type {Float64Array} */ (gram.matrix).slice();
    this.norms = gram.diagonal.map((_, j) => multiplyRows(this.R, j * gram.width, this.R, j * gram.width, gram.width));
    this.start = gram.diagonal;
    this.shrunk = shrink > 0;
    this.noise = new Float64Array(gram.width).fill(shrink);
    groups.starts.forEach((start, group) => {
      this.noise.fill(shrink * (noise ? noise[group] : 1), start, start + groups.sizes[group]);
    });
    this.single = 1 / (1 + this.noise.reduce((least, one) => Math.min(least, one), Infinity));
    this.plain = new PlainFactor(gram.diagonal, readColumns(gram));
    this.weights = addGroups(groups, gram.diagonal);
    this.total = this.weights.reduce((sum, weight) => sum + weight, 0);
    this.left = this.weights;
    this.open = new Uint8Array(groups.sizes.length).fill(1);
    forbid.forEach((group) => { this.open[group] = 0; });
    this.freedom = 0;
    /** @type {FoundPath} */
    this.path = { indices: [], retained: [] };
  }

  get unexplained() { return this.left.reduce((sum, left) => sum + left, 0) / this.total; }

  // What each group would add; nothing where it is taken already.
  listGains() {
    return Float64Array.from(this.open, (open, group) => (open ? this.measure(group)[0] : 0));
  }

  // The place of the best group; -1 where none may be taken.
  findBest() {
    const { open, left, weights, groups } = this;
    const unexplained = this.unexplained;
    const free = open.map((may, group) => Number(may && left[group] > RANK_TOL * weights[group]));
    if (!groups.single && !(unexplained > RANK_TOL)) return -1;
    const scores = new Float64Array(open.length).fill(-Infinity);
    for (let group = 0; group < open.length; group++) if (free[group]) scores[group] = this.score(group, unexplained);
    return findFirstBest(scores);
  }

  // The share of the variance that a group would add, and the degrees of freedom that it takes.
  /** @param {number} group @returns {[gain: number, used: number]} */
  measure(group) {
    const { groups, R, width, start, noise, total, norms } = this;
    const j = groups.starts[group];
    if (groups.sizes[group] > 1) {
      const [gain, used] = this.measureMany(group);
      return [gain / total, used];
    }
    const left = R[j * width + j];
    if (!(left > RANK_TOL * start[j])) return [0, 0];
    return [norms[j] / (left + noise[j]) / total, left / (left + noise[j])];
  }

  // Chance is taken off where groups differ in size.
  /** @type {(group: number, unexplained: number) => number} */
  score(group, unexplained) {
    const [gain, used] = this.measure(group);
    if (this.groups.single) return gain;
    const free = this.nRows - 1 - this.freedom;
    const ratio = Math.max(free - this.single, LEAST_FREE) / Math.max(free - used, LEAST_FREE);
    return unexplained - (unexplained - gain) * ratio * ratio;
  }

  // tr((R_JJ + s I)^-1 (R R)_JJ) and tr((R_JJ + s I)^-1 R_JJ), by taking column after column.
  /** @param {number} group @returns {[gain: number, used: number]} */
  measureMany(group) {
    const { R, width, groups, noise, start } = this;
    const members = listMembers(groups, [group]);
    const shrink = noise[members[0]];
    const largest = members.reduce((most, j) => Math.max(most, start[j]), 0);
    /** @type {(fill: (i: number, j: number) => number) => number[][]} */
    const square = (fill) => members.map((i) => members.map((j) => fill(i, j)));
    const left = square((i, j) => R[i * width + j]);
    const both = square((i, j) => multiplyRows(R, i * width, R, j * width, width));
    const own = left.map((row) => row.slice());
    members.forEach((_, i) => { left[i][i] += shrink; });
    return traceInverse(left, [both, own], shrink ? 0 : RANK_TOL * largest);
  }

  // Condition on every column of a group.
  /** @param {number} group */
  take(group) {
    const { R, width, groups, plain } = this;
    const members = listMembers(groups, [group]);
    /** @param {(j: number) => number} measure */
    const order = (measure) => members.map((j) => ({ j, size: measure(j) })).sort((a, b) => b.size - a.size).map(({ j }) => j);
    const wanted = order((j) => plain.left[j]);
    const chosen = this.shrunk ? order((j) => R[j * width + j]) : wanted;
    if (this.shrunk) chosen.forEach((j) => this.update(j));
    wanted.forEach((j) => {
      const adds = plain.take(j, this.shrunk ? undefined : R.slice(j * width, (j + 1) * width));
      if (!this.shrunk) this.clear(j, adds);
    });
    this.open[group] = 0;
    this.left = addGroups(groups, plain.left);
    this.path.indices.push(group);
    this.path.indices.forEach((taken) => { this.left[taken] = 0; });
    this.path.retained.push(1 - this.unexplained);
  }

  // R <- R - r r' / (r_j + s).
  /** @param {number} j */
  update(j) {
    const { R, width } = this;
    const divisor = Math.sqrt(R[j * width + j] + this.noise[j]);
    const w = R.slice(j * width, (j + 1) * width).map((value) => value / divisor);
    this.subtract(w);
    this.freedom += 1;
  }

  // R <- R - w w', and the squared norms of its rows, in one pass.
  /** @param {Float64Array} w */
  subtract(w) {
    const { R, width, norms } = this;
    const even = width - (width % 2);
    for (let i = 0; i < width; i++) {
      const factor = w[i];
      if (factor === 0) continue;
      let [s0, s1, at] = [0, 0, i * width];
      for (let k = 0; k < even; k += 2, at += 2) {
        const a = R[at] - factor * w[k];
        const b = R[at + 1] - factor * w[k + 1];
        R[at] = a;
        R[at + 1] = b;
        s0 += a * a;
        s1 += b * b;
      }
      if (even < width) {
        R[at] -= factor * w[even];
        s0 += R[at] * R[at];
      }
      norms[i] = s0 + s1;
    }
  }

  // Take a column that nothing is left of, by the row that plain regressions have added.
  /** @type {(j: number, adds: boolean) => void} */
  clear(j, adds) {
    const { R, width, plain } = this;
    if (adds) {
      this.subtract(plain.rows[plain.rows.length - 1]);
      this.freedom += 1;
    }
    for (let i = 0; i < width; i++) R[i * width + j] = R[j * width + i] = 0;
  }
}

// The traces of the inverse of a small matrix times two others, by elimination, the largest pivot
// first; directions of which nothing is left add nothing.
/** @type {(left: number[][], others: [number[][], number[][]], least: number) => [number, number]} */
function traceInverse(left, others, least) {
  const open = new Set(left.keys());
  /** @type {[number, number]} */
  const traces = [0, 0];
  while (open.size) {
    let pick = -1;
    open.forEach((i) => { if (pick < 0 || left[i][i] > left[pick][pick]) pick = i; });
    const pivot = left[pick][pick];
    if (!(pivot > least)) break;
    open.delete(pick);
    others.forEach((other, place) => { traces[place] += other[pick][pick] / pivot; });
    const factors = left.map((row) => row[pick] / pivot);
    // Each other column becomes what the picked one leaves of it.
    for (const matrix of [...others, left]) {
      open.forEach((i) => open.forEach((k) => {
        matrix[i][k] -= factors[i] * matrix[pick][k] + factors[k] * matrix[i][pick]
          - factors[i] * factors[k] * matrix[pick][pick];
      }));
    }
  }
  return traces;
}

// Take groups until there are enough, or they explain enough.
/** @type {(part: Part, request: Asked) => FoundPath} */
export function searchMatrix(part, asked) {
  const search = new MatrixSearch(part, asked);
  (asked.include ?? []).forEach((group) => search.take(group));
  const { retained } = search.path;
  while (retained.length < asked.size) {
    if (retained.length && retained[retained.length - 1] >= asked.retain - NEGLIGIBLE) break;
    const best = search.findBest();
    if (best < 0) break;
    search.take(best);
  }
  return search.path;
}
