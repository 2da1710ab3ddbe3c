// The loop of `forward` on groups of columns, without shrinkage: a category is the group of its
// indicators. The same gains, ties and limits of rank as Python's (algorithms/residual.py).
// It knows no document.
import { Residual, TIE } from "./residual.js";

const ENOUGH_ALONE = 0.95; // of what all kept columns explain, by the first that is named
const MAX_NAMED = 3; // kept columns that are named beside a dropped one
const LEAST_NAMED = 1e-6; // shares too small to be named
const LEAST_FREE = 0.5; // rows: where none is free, more columns still count as worse

// R = G - W'W itself, for groups of columns that are next to each other.
class GroupResidual {
  /**
   * @param {Gram} matrix
   * @param {number[]} sizes
   */
  constructor(matrix, sizes) {
    this.width = matrix.width;
    this.single = new Residual(matrix, matrix.width);
    this.R = matrix.gram.slice();
    let first = 0;
    this.members = sizes.map((size) => Array.from({ length: size }, () => first++));
    this.start = this.addGroups(this.single.start);
    this.left = this.start.slice();
    this.total = this.single.total;
    this.freedom = 0; // columns that those before did not reproduce
  }

  /** @param {Float64Array} values */
  addGroups(values) {
    return Float64Array.from(this.members, (columns) => columns.reduce((sum, j) => sum + Math.max(values[j], 0), 0));
  }

  /** @param {number} group */
  isFree(group) { return this.left[group] > this.single.floor * this.start[group]; }

  getUnexplained() { return this.left.reduce((sum, value) => sum + value, 0) / this.total; }

  // Condition on every column of a group, the one of which most is left first.
  /** @type {(group: number, taken: number[]) => void} */
  take(group, taken) {
    const { single } = this;
    const left = single.left.slice();
    [...this.members[group]].sort((a, b) => left[b] - left[a] || a - b).forEach((j) => {
      if (single.exceedsRounding(j)) this.freedom += 1;
      single.take(j);
      this.lower(j);
    });
    this.left = this.addGroups(single.left);
    [...taken, group].forEach((one) => { this.left[one] = 0; });
  }

  // R - ww' for the row of W that was added last; nothing is left of the column behind it.
  /** @param {number} j */
  lower(j) {
    const { R, width, single } = this;
    const w = single.W.subarray((single.size - 1) * width, single.size * width);
    for (let i = 0; i < width; i++) {
      if (w[i] !== 0) for (let m = 0, at = i * width; m < width; m++, at++) R[at] -= w[i] * w[m];
      R[i * width + j] = R[j * width + i] = 0;
    }
  }

  // The share that a group would add, tr(R_JJ^-1 (R R)_JJ), and the columns that this takes. Both
  // matrices are conditioned on the columns of the group one after the other.
  /** @param {number} group */
  measureGain(group) {
    const columns = this.members[group];
    const { R, width, single } = this;
    const A = columns.map((i) => Float64Array.from(columns, (j) => R[i * width + j]));
    const B = columns.map((i) => Float64Array.from(columns, (j) => {
      let sum = 0;
      for (let m = 0; m < width; m++) sum += R[i * width + m] * R[j * width + m];
      return sum;
    }));
    const least = single.floor * Math.max(...columns.map((j) => single.start[j]));
    let [gain, used] = [0, 0];
    for (; used < columns.length; used++) {
      const pivot = A.reduce((best, row, i) => (row[i] > A[best][best] ? i : best), 0);
      const size = A[pivot][pivot];
      if (!(size > least)) break;
      const square = B[pivot][pivot];
      gain += Math.max(square, 0) / size;
      const factors = A.map((row) => row[pivot] / size);
      const [from, of] = [A[pivot].slice(), B[pivot].slice()];
      factors.forEach((c, i) => factors.forEach((e, j) => {
        A[i][j] -= c * from[j];
        B[i][j] += c * e * square - c * of[j] - e * of[i];
      }));
    }
    return { gain: gain / this.total, used };
  }
}

// What a group adds, less what so many columns would by chance; single columns keep their gains.
/** @type {(residual: GroupResidual, group: number, rows: number | null) => number} */
function scoreGroup(residual, group, rows) {
  const { gain, used } = residual.measureGain(group);
  if (rows === null) return gain;
  const free = rows - 1 - residual.freedom;
  const left = residual.getUnexplained();
  return left - (left - gain) * (Math.max(free - 1, LEAST_FREE) / Math.max(free - used, LEAST_FREE)) ** 2;
}

// The first group whose score for its price is within TIE of the best; -1 where none may be taken.
/** @type {(residual: GroupResidual, closed: Uint8Array, prices: Float64Array, rows: number | null) => number} */
function findBestGroup(residual, closed, prices, rows) {
  if (residual.getUnexplained() <= residual.single.floor) return -1;
  const scores = residual.members.map((_, group) => {
    if (closed[group] || !residual.isFree(group)) return -Infinity;
    const score = scoreGroup(residual, group, rows);
    return score > 0 ? score / prices[group] : score * prices[group];
  });
  const best = Math.max(...scores);
  return best === -Infinity ? -1 : scores.findIndex((score) => score >= best - TIE * Math.abs(best));
}

// Take up to `k` groups, `include` first, each the one that explains most for its price. Groups are
// positions; `rows` is how many rows are behind the matrix, null where all groups are single columns.
/**
 * @param {Gram} matrix
 * @param {{ sizes: number[], rows: number | null }} groups
 * @param {{ k: number, include?: number[], forbid?: number[], costs?: [number, number][] }} wishes
 */
export function selectGroups(matrix, { sizes, rows }, { k, include = [], forbid = [], costs = [] }) {
  const residual = new GroupResidual(matrix, sizes);
  const closed = new Uint8Array(sizes.length);
  forbid.forEach((group) => { closed[group] = 1; });
  const prices = new Float64Array(sizes.length).fill(1);
  costs.forEach(([group, price]) => { prices[group] = price; });
  const most = Math.max(Math.min(k, sizes.length), include.length);
  /** @type {number[]} */
  const path = [];
  /** @type {number[]} */
  const retained = [];
  /** @type {Float64Array[]} */
  const shares = [];
  while (path.length < most) {
    const pick = path.length < include.length ? include[path.length] : findBestGroup(residual, closed, prices, rows);
    if (pick < 0) break;
    residual.take(pick, path);
    closed[pick] = 1;
    path.push(pick);
    retained.push(1 - residual.getUnexplained());
    shares.push(residual.left.map((left, group) => Math.min(Math.max(1 - left / residual.start[group], 0), 1)));
  }
  const alone = path.map((group) => explainAlone(matrix, sizes, group));
  return {
    path,
    retained,
    /** @param {number} kept */
    getShares: (kept) => shares[kept - 1].slice(),
    /** @type {(group: number, kept: number) => { pairs: Pair[], carried: number }} */
    getSources: (group, kept) => nameSources(path.slice(0, kept), alone, group, shares[kept - 1][group]),
  };
}

// The share of every group that one group explains by itself.
/** @type {(matrix: Gram, sizes: number[], group: number) => Float64Array} */
function explainAlone(matrix, sizes, group) {
  const residual = new Residual(matrix, sizes[group]);
  const first = sizes.slice(0, group).reduce((sum, size) => sum + size, 0);
  for (let taken = 0; taken < sizes[group]; taken++) {
    let best = first;
    for (let j = first; j < first + sizes[group]; j++) if (residual.left[j] > residual.left[best]) best = j;
    if (!residual.isFree(best)) break;
    residual.take(best);
  }
  let at = 0;
  return Float64Array.from(sizes, (size, other) => {
    let [left, start] = [0, 0];
    for (const end = at + size; at < end; at++) [left, start] = [left + residual.left[at], start + residual.start[at]];
    return other === group ? 1 : Math.min(Math.max(1 - left / start, 0), 1);
  });
}

// The few kept groups that explain most of another, each alone.
/** @type {(kept: number[], alone: Float64Array[], group: number, share: number) => { pairs: Pair[], carried: number }} */
function nameSources(kept, alone, group, share) {
  /** @type {Pair[]} */
  const pairs = kept.map((source, place) => [source, alone[place][group]]);
  const best = pairs.sort((a, b) => b[1] - a[1]).slice(0, MAX_NAMED);
  const [[, first]] = best;
  const named = first >= ENOUGH_ALONE * share ? best.slice(0, 1) : best;
  return { pairs: named.filter(([, weight]) => weight > LEAST_NAMED), carried: first };
}
