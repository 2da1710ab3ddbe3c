// The greedy loop of `sfs` and `forward`: what is left of a Gram matrix once some groups of columns
// are taken, with and without shrinkage, what the next one would add, and which of those taken carry
// another. The same scores, ties and limits of rank as Python's (algorithms/residual.py, greedy.py,
// evaluation/measure.py). It knows no document.
import { addUp, findFirstBest, multiply, subtractAll } from "./gram.js";

const { ENOUGH_OF_SHARE, LEAST_FREE, MAX_CARRIERS, TRACE_FALL } = RULES.search;
const { MINOR, NEGLIGIBLE, RANK_TOL, ROUNDING, TIE } = RULES.tolerances;

// Which columns of a matrix stand for each column of the table, next to each other.
/** @type {(sizes: ArrayLike<number>) => Groups} */
export function makeGroups(sizes) {
  let end = 0;
  const starts = Int32Array.from(sizes, (size) => (end += size) - size);
  return { starts, sizes: Int32Array.from(sizes), single: end === starts.length };
}

// The columns of some groups, in this order.
/** @type {(groups: Groups, wanted: number[]) => number[]} */
export const listMembers = ({ starts, sizes }, wanted) =>
  wanted.flatMap((group) => Array.from({ length: sizes[group] }, (_, i) => starts[group] + i));

/** @type {(groups: Groups, values: Float64Array) => Float64Array} */
function addGroups(groups, values) {
  if (groups.single) return values.slice();
  return Float64Array.from(groups.starts, (start, group) => addUp(values.subarray(start, start + groups.sizes[group])));
}

/**
 * R = G - W'W for the taken columns, each a row of W; a column with noise is taken by
 * R - r r' / (r_j + noise). What is explained is that of regressions without noise, of which `plain`
 * keeps track where there is any. Squared norms of R follow on demand.
 */
export class Residual {
  /** @param {GroupedGram} grouped @param {Partial<Shrinkage>} [shrinkage] */
  constructor({ gram, groups, nRows }, { shrink = 0, noise = null } = {}) {
    this.gram = gram;
    this.groups = groups;
    this.nRows = nRows;
    this.start = addGroups(groups, gram.diagonal);
    this.total = addUp(gram.diagonal);
    this.diagonal = gram.diagonal.slice(); // of R
    /** @type {Float64Array} */
    this.left = this.start.slice(); // what plain regressions leave of every group
    /** @type {number[]} */
    this.taken = [];
    /** @type {number[]} */
    this.retained = [];
    /** @type {Float64Array[]} */
    this.rows = []; // of W
    /** @type {Float64Array[]} */
    this.vectors = []; // of which `see` gives the rows
    /** @type {number[]} */
    this.columns = []; // behind the rows
    this.noise = new Float64Array(gram.width);
    groups.starts.forEach((first, group) => {
      this.noise.fill(shrink * (noise ? noise[group] : 1), first, first + groups.sizes[group]);
    });
    /** @type {Residual | null} */
    this.plain = shrink > 0 ? new Residual({ gram, groups, nRows }) : null;
    /** @type {Float64Array | null} */
    this.norms = null;
    /** @type {Block[]} */
    this.blocks = []; // of R and of RR, for groups of several columns
    this.followed = 0; // rows that the norms and the blocks know
    this.trace = 0; // when they were computed
  }

  get unexplained() { return addUp(this.left) / this.total; }

  // Whether plain regressions on the taken groups do not reproduce a group already.
  /** @param {number} group */
  isFree(group) { return this.left[group] > this.gram.floor * this.start[group]; }

  // Condition on a group, the column of which most is left first.
  /** @param {number} group */
  take(group) {
    const { diagonal, groups, plain, taken } = this;
    const sizes = diagonal.slice();
    listMembers(groups, [group]).sort((a, b) => sizes[b] - sizes[a]).forEach((j) => this.takeColumn(j));
    plain?.take(group);
    taken.push(group);
    this.left = plain ? plain.left : addGroups(groups, diagonal);
    taken.forEach((known) => { this.left[known] = 0; });
    this.retained.push(1 - this.unexplained);
  }

  // Condition on a column; one that is reproduced already adds nothing.
  /** @param {number} j */
  takeColumn(j) {
    const { gram, diagonal, plain, columns } = this;
    const left = diagonal[j] + this.noise[j];
    const adds = plain ? left > gram.floor * gram.diagonal[j] : this.exceedsRounding(j);
    if (adds) {
      const root = Math.sqrt(left);
      const vector = this.lift(j);
      for (let i = 0; i < vector.length; i++) vector[i] /= root;
      const w = gram.see(vector);
      if (!plain) columns.forEach((i) => { w[i] = 0; });
      for (let i = 0; i < w.length; i++) diagonal[i] = Math.max(diagonal[i] - w[i] * w[i], 0);
      this.rows.push(w);
      this.vectors.push(vector);
      columns.push(j);
    }
    if (!plain || !adds) diagonal[j] = 0;
    return adds;
  }

  // The vector of which `see` gives a column of R.
  /** @param {number} j */
  lift(j) { return subtractAll(this.gram.pick(j).slice(), this.vectors, this.rows.map((row) => row[j])); }

  // Whether what is left of a column is more than the rounding error of finding it.
  /** @param {number} j */
  exceedsRounding(j) {
    const { gram: { diagonal: start, floor }, diagonal, rows, columns } = this;
    const left = diagonal[j];
    if (floor > RANK_TOL || left > RANK_TOL * start[j] || left <= ROUNDING * start[j]) return left > floor * start[j];
    const solved = new Float64Array(rows.length);
    let reach = Math.sqrt(start[j]);
    for (let i = rows.length - 1; i >= 0; i--) {
      let value = rows[i][j];
      for (let m = i + 1; m < rows.length; m++) value -= rows[i][columns[m]] * solved[m];
      solved[i] = value / rows[i][columns[i]];
      reach += Math.sqrt(start[columns[i]]) * Math.abs(solved[i]);
    }
    return left > ROUNDING * reach * reach;
  }

  // Bring norms and blocks up to date; anew at first, and as rounding grows.
  refresh() {
    const { diagonal, gram, plain, rows } = this;
    const trace = addUp(diagonal);
    if (!this.norms || trace * TRACE_FALL < this.trace) {
      const known = new Set(plain ? [] : this.columns);
      this.norms = diagonal.map((_, j) => (known.has(j) ? 0 : gram.square(this.lift(j))));
      this.blocks = Array.from(this.start, (_, group) => this.makeBlock(group));
      this.followed = rows.length;
      this.trace = trace;
    }
    for (; this.followed < rows.length; this.followed++) this.follow(this.norms, this.followed);
    return this.norms;
  }

  /** @param {number} group @returns {Block} */
  makeBlock(group) {
    if (this.groups.sizes[group] === 1) return { left: [], squares: [] };
    const members = listMembers(this.groups, [group]);
    const seen = members.map((j) => this.gram.see(this.lift(j)));
    return {
      left: seen.map((row) => members.map((j) => row[j])),
      squares: seen.map((row) => seen.map((other) => multiply(row, other))),
    };
  }

  // (R - ww')(R - ww') = RR + we' + ew' with e = (w'w)w / 2 - Rw.
  /** @type {(norms: Float64Array, step: number) => void} */
  follow(norms, step) {
    const { gram, rows, vectors, groups: { starts } } = this;
    const w = rows[step];
    const before = rows.slice(0, step);
    const e = gram.see(subtractAll(gram.multiply(vectors[step]), vectors, before.map((row) => multiply(row, w))));
    const half = multiply(w, w) / 2;
    for (let j = 0; j < w.length; j++) {
      e[j] = half * w[j] - e[j];
      norms[j] += 2 * w[j] * e[j];
    }
    this.blocks.forEach(({ left, squares }, group) => {
      for (let i = 0, a = starts[group]; i < left.length; i++, a++) {
        for (let j = 0, b = starts[group]; j < left.length; j++, b++) {
          left[i][j] -= w[a] * w[b];
          squares[i][j] += w[a] * e[b] + e[a] * w[b];
        }
      }
    });
  }

  // The share that each group would add, and the degrees of freedom that it takes.
  /** @returns {{ gains: Float64Array, used: Float64Array }} */
  measure() {
    const { gram, groups, diagonal, noise, total } = this;
    const norms = this.refresh();
    const [gains, used] = [new Float64Array(groups.sizes.length), new Float64Array(groups.sizes.length)];
    groups.starts.forEach((j, group) => {
      if (!this.isFree(group)) return;
      if (groups.sizes[group] > 1) {
        const largest = listMembers(groups, [group]).reduce((most, i) => Math.max(most, gram.diagonal[i]), 0);
        const [gain, degrees] = traceInverse(this.blocks[group], noise[j], noise[j] ? 0 : gram.floor * largest);
        [gains[group], used[group]] = [gain / total, degrees];
      } else if (diagonal[j] > gram.floor * gram.diagonal[j]) {
        const size = diagonal[j] + noise[j];
        [gains[group], used[group]] = [Math.max(norms[j], 0) / size / total, diagonal[j] / size];
      }
    });
    return { gains, used };
  }

  // What each group would add; chance is taken off where groups differ in size.
  score() {
    const { gains, used } = this.measure();
    const { nRows, unexplained: left } = this;
    if (nRows === null || this.groups.single) return gains;
    const free = nRows - 1 - this.rows.length;
    const single = 1 / (1 + this.noise.reduce((least, noise) => Math.min(least, noise), Infinity));
    const alone = Math.max(free - single, LEAST_FREE);
    return gains.map((gain, group) => left - (left - gain) * (alone / Math.max(free - used[group], LEAST_FREE)) ** 2);
  }
}

// tr((R_JJ + s I)^-1 (RR)_JJ) and tr((R_JJ + s I)^-1 R_JJ) by elimination, the largest pivot first;
// directions of which nothing is left add nothing.
/** @type {(block: Block, noise: number, least: number) => [number, number]} */
function traceInverse({ left, squares }, noise, least) {
  const copy = (/** @type {number[][]} */ matrix) => matrix.map((row) => row.slice());
  const pivots = copy(left);
  pivots.forEach((row, i) => { row[i] += noise; });
  const others = [copy(squares), copy(left)];
  const open = new Set(left.keys());
  /** @type {[number, number]} */
  const traces = [0, 0];
  while (open.size) {
    const pick = [...open].reduce((best, i) => (pivots[i][i] > pivots[best][best] ? i : best));
    const pivot = pivots[pick][pick];
    if (!(pivot > least)) break;
    open.delete(pick);
    others.forEach((other, place) => { traces[place] += other[pick][pick] / pivot; });
    const factors = pivots.map((row) => row[pick] / pivot);
    // Each other column becomes what the picked one leaves of it.
    for (const matrix of [...others, pivots]) {
      open.forEach((i) => open.forEach((k) => {
        matrix[i][k] -= factors[i] * matrix[pick][k] + factors[k] * matrix[i][pick]
          - factors[i] * factors[k] * matrix[pick][pick];
      }));
    }
  }
  return traces;
}

// Take up to `size` groups, `include` first, each the one that explains most for its price, until
// they explain enough. Groups are positions, `costs` pairs of a position and a price.
/** @type {(grouped: GroupedGram, wanted: Asked) => Path} */
export function search(grouped, { size, retain = Infinity, include = [], forbid = [], costs = [], ...shrinkage }) {
  const residual = new Residual(grouped, shrinkage);
  const { taken, retained, start } = residual;
  const open = new Uint8Array(start.length).fill(1);
  forbid.forEach((group) => { open[group] = 0; });
  const prices = new Float64Array(start.length).fill(1);
  costs.forEach(([group, price]) => { prices[group] = price; });
  const most = Math.max(Math.min(size, grouped.gram.rank), include.length);
  while (taken.length < most) {
    const step = taken.length;
    if (step && step >= include.length && retained[step - 1] >= retain - NEGLIGIBLE) break;
    const pick = step < include.length ? include[step] : findBest(residual, open, prices);
    if (pick < 0) break;
    residual.take(pick);
    open[pick] = 0;
  }
  return { indices: taken, retained };
}

// The first group whose score for its price is the best; -1 where none may be taken.
/** @type {(residual: Residual, open: Uint8Array, prices: Float64Array) => number} */
function findBest(residual, open, prices) {
  const { gram, groups, plain } = residual;
  if ((plain || !groups.single) && !(residual.unexplained > gram.floor)) return -1;
  return findFirstBest(residual.score().map((score, group) => {
    if (!open[group] || !residual.isFree(group)) return -Infinity;
    return score > 0 ? score / prices[group] : score * prices[group];
  }));
}

// The share of every group that the first 1, 2, ... taken groups explain (steps x groups).
/** @type {(grouped: GroupedGram, path: number[]) => Float64Array[]} */
export function listShares(grouped, path) {
  const residual = new Residual(grouped);
  return path.map((group) => {
    residual.take(group);
    return residual.left.map((left, i) => Math.min(Math.max(1 - left / residual.start[i], 0), 1));
  });
}

// How each taken group relates to every group: by correlation for numbers, else by the share of the
// other that it explains alone.
/** @type {(grouped: GroupedGram, path: number[]) => Float64Array[]} */
export function listLinks(grouped, path) {
  const { gram, groups } = grouped;
  if (!groups.single) return path.map((group) => listShares(grouped, [group])[0]);
  const unit = gram.diagonal.map((square) => 1 / Math.sqrt(square));
  return path.map((j) => gram.column(j).map((value, i) => value * unit[i] * unit[j]));
}

// The kept columns that explain most of another one, of which they all explain `share`; `links` has a
// row for each of them: correlations of numbers, else the share that each explains alone.
/** @type {(kept: number[], links: Float64Array[], column: number, share: number, signed: boolean) => { pairs: Pair[], carried: number }} */
export function findSources(kept, links, column, share, signed) {
  if (signed) {
    const places = new Map(kept.map((source, place) => [source, place]));
    return findCarriers((i, j) => links[places.get(i) ?? 0][j], kept, column, ENOUGH_OF_SHARE * share);
  }
  const pairs = kept.map((source, place) => /** @type {Pair} */ ([source, links[place][column]])).sort((a, b) => b[1] - a[1]);
  const [[, first]] = pairs;
  const named = pairs.slice(0, first >= ENOUGH_OF_SHARE * share ? 1 : MAX_CARRIERS);
  return { pairs: named.filter(([, weight]) => weight > MINOR), carried: first };
}

// Up to three kept columns that carry another one, best first, as in evaluation/measure.py:
// orthogonal matching pursuit on correlations, then a regression on these alone.
/** @type {(link: (i: number, j: number) => number, kept: number[], target: number, goal: number) => { pairs: Pair[], carried: number }} */
function findCarriers(link, kept, target, goal) {
  const covariance = kept.map((i) => link(i, target));
  const left = new Float64Array(kept.length).fill(1);
  /** @type {number[][]} */
  const basis = [];
  /** @type {number[]} */
  const picks = []; // places among the kept ones
  /** @type {number[]} */
  const weights = [];
  let carried = 0;
  while (picks.length < Math.min(MAX_CARRIERS, kept.length) && carried < goal) {
    const gains = covariance.map((value, i) => (left[i] > RANK_TOL ? (value * value) / left[i] : 0));
    const best = gains.reduce((most, gain) => Math.max(most, gain), 0);
    const pick = gains.findIndex((gain) => gain >= best * (1 - TIE));
    if (!(gains[pick] > MINOR)) break;
    const root = Math.sqrt(left[pick]);
    const fresh = kept.map((i, at) =>
      (link(kept[pick], i) - basis.reduce((all, row) => all + row[pick] * row[at], 0)) / root);
    const coefficient = covariance[pick] / root;
    for (let i = 0; i < kept.length; i++) {
      covariance[i] -= coefficient * fresh[i];
      left[i] = Math.max(left[i] - fresh[i] * fresh[i], 0);
    }
    basis.push(fresh);
    picks.push(pick);
    weights.push(coefficient);
    carried += gains[pick];
  }
  for (let i = picks.length - 1; i >= 0; i--) { // the basis is triangular on the picks
    for (let j = i + 1; j < picks.length; j++) weights[i] -= basis[i][picks[j]] * weights[j];
    weights[i] /= basis[i][picks[i]];
  }
  return { pairs: picks.map((pick, i) => [kept[pick], weights[i]]), carried: Math.min(carried, 1) };
}
