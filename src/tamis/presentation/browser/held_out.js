// Which blocks of rows are held out, what the search explains of them, and how many columns that
// speaks for: evaluation/held_out.py, auto_size.py, algorithms/fold.py, run/search.py.
import { findFirstBest, multiply, multiplyRows } from "../page/gram.js";
import { listMembers, Residual, search } from "../page/greedy.js";
import { Declined } from "./decline.js";
import { measureMarked } from "./fills.js";
import { crossRows, factorise, findEigenpairs, solveLower, squareRows } from "./matrices.js";

const {
  BAR, CLEAR, FEWEST_CHOSEN, FIRST_FOLDS, FIRST_SIZE, FREEDOM, HEAVY_TAILS, HELD_OUT_FOLDS, LEAST_CARRIERS, LIMITS_COST, LITTLE, LOOSE,
  MANY_ROWS, MAX_BY_TAILS, NOISE, ONE_SIDED, PLAIN_REST, SEARCH_FOLDS, SEARCH_SHRINKAGES, SHRINKAGES, SIZE_TAILS, STRICT,
} = RULES.search;
const { NEGLIGIBLE, RANK_TOL, TIE } = RULES.tolerances;

/**
 * The rows of the kept columns in the matrices of known rows and of held-out ones; `sizes` are those of the kept groups.
 * @typedef {{ part: Part, held: HeldRows, columns: number[], sizes: number[], known: Float64Array, rows: Float64Array }} KeptRows
 */

/** @type {(part: Part, held: HeldRows, kept: number[]) => KeptRows} */
function takeKept(part, held, kept) {
  const columns = listMembers(part.groups, kept);
  const sizes = kept.map((group) => part.groups.sizes[group]);
  return { part, held, columns, sizes, known: takeRows(part.gram, columns), rows: held.takeRows(columns) };
}

// Rows of a Gram matrix, one after the other.
/** @type {(gram: Gram, columns: number[]) => Float64Array} */
function takeRows(gram, columns) {
  const vectors = new Float64Array(columns.length * gram.coreSize);
  columns.forEach((j, i) => vectors.set(gram.pick(j), i * gram.coreSize));
  return gram.byRows ? crossRows(vectors, columns.length, gram.vectors, gram.width, gram.coreSize) : vectors;
}

// The rows of a matrix with every column multiplied with the root of its weight.
/** @type {(rows: Float64Array, weights: Float64Array) => Float64Array} */
function weighRows(rows, weights) {
  const roots = weights.map(Math.sqrt);
  return rows.map((value, at) => value * roots[at % roots.length]);
}

/** @type {(kept: KeptRows, count: number) => KeptRows} */
function takeHead(kept, count) {
  const sizes = kept.sizes.slice(0, count);
  const size = sizes.reduce((sum, one) => sum + one, 0);
  const end = size * kept.part.gram.width;
  return { ...kept, sizes, columns: kept.columns.slice(0, size), known: kept.known.subarray(0, end), rows: kept.rows.subarray(0, end) };
}

/** @type {(kept: KeptRows) => number} */
function chooseRidge({ part, columns, known, held: { weights } }) {
  const { width, diagonal } = part.gram;
  const k = columns.length;
  const { values, vectors } = findEigenpairs(pickSquare(known, columns, width), k);
  const both = squareRows(weighRows(known, weights), k, width);
  const largest = values.reduce((most, value) => Math.max(most, value), 0);
  /** @type {{ value: number, explained: number }[]} */
  const useful = [];
  values.forEach((value, i) => {
    if (!(value > RANK_TOL * largest)) return;
    const vector = vectors.subarray(i * k, (i + 1) * k);
    let seen = 0;
    for (let r = 0; r < k; r++) seen += vector[r] * multiplyRows(both, r * k, vector, 0, k);
    useful.push({ value, explained: seen / value });
  });
  const whole = multiply(diagonal, weights);
  const rest = Math.max(whole - useful.reduce((sum, one) => sum + one.explained, 0), 0);
  const errors = SHRINKAGES.map((/** @type {number} */ shrink) => {
    const free = part.nRows - 1 - FREEDOM * useful.reduce((sum, { value }) => sum + value / (value + shrink), 0);
    const error = useful.reduce((sum, { value, explained }) => sum + (shrink / (value + shrink)) ** 2 * explained, rest);
    return free > 1 ? -error / (free * free) : -Infinity;
  });
  const best = findFirstBest(errors);
  return best < 0 ? SHRINKAGES[SHRINKAGES.length - 1] : SHRINKAGES[best];
}

/** @type {(rows: Float64Array, columns: number[], width: number) => Float64Array} */
function pickSquare(rows, columns, width) {
  const k = columns.length;
  return Float64Array.from({ length: k * k }, (_, at) => rows[Math.floor(at / k) * width + columns[at % k]]);
}

/** @typedef {{ adds: number[], L: Float64Array, W: Float64Array }} Factor */
/** @typedef {{ adds: number[], W: Float64Array, A: Float64Array, P: Float64Array }} Products */

/** @type {(kept: KeptRows, shrink: number) => Factor} */
function factor({ part, columns, known }, shrink) {
  const { width } = part.gram;
  const k = columns.length;
  const square = pickSquare(known, columns, width);
  const L = factorise(square, k, shrink);
  const sound = L && (shrink || columns.every((_, i) => L[i * k + i] ** 2 > PLAIN_REST * square[i * k + i]));
  if (sound) {
    const W = known.slice();
    solveLower(L, k, W, width);
    if (!shrink) columns.forEach((j, c) => { for (let r = 0; r < k; r++) W[r * width + j] = L[c * k + r]; });
    return { adds: columns.map((_, i) => i), L, W };
  }
  const plain = new Residual(part);
  const adds = columns.map((_, i) => i).filter((i) => plain.takeColumn(columns[i]));
  const W = new Float64Array(adds.length * width);
  plain.rows.forEach((row, i) => W.set(row, i * width));
  const some = new Float64Array(adds.length * adds.length);
  adds.forEach((place_, c) => adds.forEach((_, r) => { some[c * adds.length + r] = W[r * width + columns[place_]]; }));
  return { adds, L: some, W };
}

// What the errors with one shrinkage rest on; see `errors` in Python for the algebra.
/** @type {(kept: KeptRows, shrink: number) => Products} */
function reduceRows(kept, shrink) {
  const { width } = kept.part.gram;
  const { adds, L, W } = factor(kept, shrink);
  const m = adds.length;
  const A = new Float64Array(m * width);
  adds.forEach((place, r) => A.set(kept.rows.subarray(place * width, (place + 1) * width), r * width));
  solveLower(L, m, A, width);
  const P = new Float64Array(m * m); // its transpose, which is the same
  adds.forEach((place, c) => { for (let r = 0; r < m; r++) P[c * m + r] = A[r * width + kept.columns[place]]; });
  solveLower(L, m, P, m);
  return { adds, W, A, P };
}

// The errors with one shrinkage for all numbers of groups.
/** @type {(kept: KeptRows, shrink: number) => { errors: number[], own: number[] }} */
function computeErrors(kept, shrink) {
  const { held: { squares, weights }, part: { gram: { width } } } = kept;
  const products = reduceRows(kept, shrink);
  const { adds, W, A, P } = products;
  const m = adds.length;
  const [countedA, countedW] = [weighRows(A, weights), weighRows(W, weights)];
  const WW = squareRows(countedW, m, width);
  const steps = new Float64Array(m + 1);
  for (let r = 0; r < m; r++) {
    let change = P[r * m + r] * WW[r * m + r] - 2 * multiplyRows(countedA, r * width, countedW, r * width, width);
    for (let c = 0; c < r; c++) change += 2 * P[r * m + c] * WW[r * m + c];
    steps[r + 1] = steps[r] + change;
  }
  const whole = multiply(squares, weights);
  const alone = makeAlone(kept, products, shrink);
  let end = 0;
  const [errors, own] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  for (const size of kept.sizes) {
    const start = end;
    end += size;
    own.push(Math.max(alone(start, start, end), 0));
    const rows = countBelow(adds, end);
    errors.push(Math.max(whole + steps[rows] - alone(end, 0, end), 0));
  }
  return { errors, own };
}

/** @type {(adds: number[], taken: number) => number} */
const countBelow = (adds, taken) => {
  const place = adds.findIndex((one) => one >= taken);
  return place < 0 ? adds.length : place;
};

// The error of a column with 0, 1, 2, ... rows of W.
/** @type {(kept: KeptRows, products: Products, j: number) => Float64Array} */
function runErrors({ held: { squares }, part: { gram: { width } } }, { adds, W, A, P }, j) {
  const m = adds.length;
  const column = Float64Array.from(adds, (_, r) => W[r * width + j]);
  const errors = new Float64Array(m + 1);
  errors[0] = squares[j];
  for (let r = 0; r < m; r++) {
    const below = multiplyRows(P, r * m, column, 0, r);
    errors[r + 1] = errors[r] + column[r] * (2 * below + P[r * m + r] * column[r] - 2 * A[r * width + j]);
  }
  return errors;
}

// Give the error of the kept columns from one place to another once so many columns are taken.
/** @type {(kept: KeptRows, products: Products, shrink: number) => (taken: number, from: number, to: number) => number} */
function makeAlone(kept, products, shrink) {
  const { columns: S, held: { weights } } = kept;
  const { adds } = products;
  const adding = new Set(adds);
  const table = S.map((j) => runErrors(kept, products, j));
  return (taken, from, to) => {
    const rows = countBelow(adds, taken);
    let sum = 0;
    for (let c = from; c < to; c++) if (shrink || taken <= c || !adding.has(c)) sum += weights[S[c]] * table[c][rows];
    return sum;
  };
}

// The errors of regressions on the first 1, 2, ... kept groups, each with a shrinkage of its own:
// it is chosen for 1, 2, 4, ... of them, from an eighth of the rows on for a quarter more each time.
// With `all` there is one, for all of them.
/** @type {(part: Part, held: HeldRows, kept: number[], all?: boolean) => { errors: number[], own: number[] }} */
function predictHeldOut(part, held, kept, all = false) {
  const rows = takeKept(part, held, kept);
  const [errors, own] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  while (errors.length < kept.length) {
    const head = takeHead(rows, all ? kept.length : findEnd(errors.length, kept.length, part.nRows));
    const found = computeErrors(head, chooseRidge(head));
    own.push(...found.own.slice(own.length));
    errors.push(...found.errors.slice(errors.length));
  }
  return { errors, own };
}

// Where the stretch ends that has one shrinkage.
/** @type {(last: number, count: number, nRows: number) => number} */
const findEnd = (last, count, nRows) => Math.min(Math.max(8 * last < nRows ? 2 * last : last + Math.floor(last / 4), last + 1), count);

// What a fold leaves of every column of the table with 0, 1, 2, ... columns of a path, which stay what they are.
/** @type {(part: Part, held: HeldRows, path: number[]) => Float64Array[]} */
function leaveColumns(part, held, path) {
  const { groups, varying } = part;
  const places = new Map(Array.from(varying, (column, group) => [column, group]));
  const there = path.map((column) => places.get(column) ?? -1).filter((group) => group >= 0);
  const rows = takeKept(part, held, there);
  /** @type {(left: ArrayLike<number>) => Float64Array} */
  const spread = (left) => {
    const every = Float64Array.from(held.unknown);
    varying.forEach((column, group) => {
      for (let j = groups.starts[group], i = 0; i < groups.sizes[group]; i++, j++) every[column] += held.weights[j] * Math.max(left[j], 0);
    });
    return every;
  };
  const found = [spread(held.squares)];
  while (found.length <= there.length) {
    const head = takeHead(rows, findEnd(found.length - 1, there.length, part.nRows));
    const products = reduceRows(head, chooseRidge(head));
    const table = Array.from(held.squares, (_, j) => runErrors(head, products, j));
    while (found.length <= head.sizes.length) {
      const taken = head.sizes.slice(0, found.length).reduce((sum, size) => sum + size, 0);
      const row = countBelow(products.adds, taken);
      found.push(spread(table.map((errors) => errors[row])));
    }
  }
  let count = 0;
  return [-1, ...path].map((column, step) => {
    if (places.has(column)) count += 1;
    const left = Float64Array.from(found[count]);
    path.slice(0, step).forEach((known) => { left[known] = 0; });
    return left;
  });
}

/** @typedef {{ fixed: Float64Array[], again: Float64Array[], ranks: Map<number, number> }} ColumnFold */

// The share of every column on new rows with 1, 2, ... columns of a path, and its lower limit: `ColumnErrors` in Python.
// `chosen` are the columns chosen again in each fold; `facts` what is known of each column's values.
/** @type {(blocks: Blocks, path: number[], chosen: number[][], facts: ValueFacts[], report: Progress) => NewRows[]} */
export function holdOutColumns(blocks, path, chosen, facts, report) {
  const rows = blocks.counts.reduce((sum, count) => sum + count, 0);
  /** @type {ColumnFold[]} */
  const folds = [];
  const choices = chooseFolds(blocks.counts);
  choices.forEach((choice, fold) => {
    report("trying each column on new rows", fold / choices.length);
    const { part, held } = blocks.split(choice);
    if (!(held.total > 0)) return;
    const own = chosen[folds.length];
    folds.push({ fixed: leaveColumns(part, held, path), again: leaveColumns(part, held, own), ranks: new Map(own.map((j, rank) => [j, rank])) });
  });
  return path.map((_, step) => {
    const kept = new Set(path.slice(0, step + 1));
    const each = facts.map((_one, j) => sumFolds(folds, step + 1, j, rows));
    const near = each.filter(({ left }, j) => left <= LITTLE && !kept.has(j));
    const optimism = Math.max(near.reduce((sum, { more }) => sum + more, 0) / Math.max(near.length, 1), 0);
    return {
      shares: Float64Array.from(each, ({ left }, j) => (kept.has(j) ? 1 : 1 - left)),
      low: Float64Array.from(each, (one, j) => (kept.has(j) ? 1 : limitBelow(one, facts[j], optimism, rows))),
    };
  });
}

/** @param {number[]} values */
const addAll = (values) => values.reduce((sum, one) => sum + one, 0);

// What is left of a column over all folds, its relative error, how much more where columns are chosen again, and its kurtosis.
/** @type {(folds: ColumnFold[], step: number, j: number, rows: number) => { left: number, error: number, more: number, kurtosis: number }} */
function sumFolds(folds, step, j, rows) {
  const count = Math.max(folds.length, 2);
  const totals = folds.map(({ fixed }) => fixed[0][j]);
  const errors = folds.map(({ fixed }) => fixed[step][j]);
  const total = addAll(totals);
  const left = addAll(errors) / total;
  const apart = addAll(errors.map((error, fold) => (error - left * totals[fold]) ** 2));
  const varied = (count * addAll(totals.map((one) => one * one))) / (total * total) - 1;
  const others = folds.map((_, fold) => fold).filter((fold) => (folds[fold].ranks.get(j) ?? step) >= step);
  const again = addAll(others.map((fold) => folds[fold].again[Math.min(step, folds[fold].ranks.size)][j]));
  const seen = addAll(others.map((fold) => totals[fold]));
  return {
    left,
    error: left > TIE ? Math.sqrt((weighFolds(count) * count ** 2 * apart) / (count - 1)) / (total * left) : 0,
    more: others.length >= FEWEST_CHOSEN && seen > 0 ? again / seen - left : 0,
    kurtosis: 1 + (rows / (count - 1)) * Math.max(varied, 0),
  };
}

// `limit_below` in Python, which says why.
/** @type {(column: { left: number, error: number, kurtosis: number }, facts: ValueFacts, optimism: number, rows: number) => number} */
function limitBelow({ left, error, kurtosis }, { gap, within }, optimism, rows) {
  const normal = 2 * Math.sqrt(Math.min(Math.max(1 - left, 0), 1) / rows);
  const more = left + optimism;
  const apart = Math.min(kurtosis + 3, Number.isNaN(gap) ? Infinity : gap) / rows;
  const shape = more / apart + 1;
  const cube = 1 - 1 / (9 * shape) + ONE_SIDED / (3 * Math.sqrt(shape));
  const limit = Math.max(more * Math.exp(ONE_SIDED * Math.max(normal, error)), apart * shape * cube ** 3);
  const low = 1 - (rows >= LEAST_CARRIERS * kurtosis ? limit : Math.max(limit, 1));
  return low > 0 ? within * low : low;
}

// The variance of a mean over folds, as a part of that over single folds.
/** @param {number} count */
const weighFolds = (count) => 1 / count + 1 / Math.max(count - 1, 1);

// Mark for every fold the blocks of its training rows: all but every tenth.
/** @type {(counts: number[], folds?: number) => boolean[][]} */
function chooseFolds(counts, folds = HELD_OUT_FOLDS) {
  return Array.from({ length: folds }, (_, fold) => counts.map((_count, block) => block % folds !== fold))
    .filter((chosen) => {
      const known = counts.reduce((sum, count, block) => sum + (chosen[block] ? count : 0), 0);
      return known > 1 && known < counts.reduce((sum, count) => sum + count, 0);
    });
}

// The shrinkage of the columns of a part, by their tails.
/** @type {(choice: Shrinkage, part: Part) => Shrinkage} */
export const applyShrinkage = ({ shrink, noise }, { varying }) =>
  ({ shrink, noise: noise && Float64Array.from(varying, (group) => noise[group]) });

/** @type {(tails: number[]) => Shrinkage[]} */
function listShrinkages(tails) {
  const heavy = tails.reduce((sum, tail) => sum + tail, 0) / tails.length > HEAVY_TAILS;
  const noise = Float64Array.from(tails);
  return SEARCH_SHRINKAGES.flatMap((/** @type {number} */ shrink) => [
    { shrink, noise: null },
    ...(heavy && shrink > 0 && shrink <= MAX_BY_TAILS ? [{ shrink, noise }] : []),
  ]);
}

// The shrinkage that explains held-out rows best with so many columns; 0 where rows are many.
/** @type {(blocks: Blocks, whole: Part, size: number, tails: number[], report: Progress) => Shrinkage} */
export function chooseShrinkage(blocks, whole, size, tails, report) {
  const { sizes } = whole.groups;
  const mean = whole.gram.width / sizes.length;
  if (whole.nRows >= MANY_ROWS * size * mean) return { shrink: 0, noise: null };
  const tried = listShrinkages(tails);
  const choices = chooseFolds(blocks.counts, SEARCH_FOLDS);
  /** @type {number[][]} */
  const folds = [];
  choices.forEach((chosen, fold) => {
    const { part, held } = blocks.split(chosen);
    if (!(held.total > 0)) return;
    folds.push(tried.map((choice, i) => {
      report("choosing the ridge penalty", (fold + i / tried.length) / choices.length);
      const path = search(part, { size, ...applyShrinkage(choice, part) });
      const { errors } = predictHeldOut(part, held, path.indices, true);
      return (errors[errors.length - 1] + leaveUnknown(part, held, path.indices)) / held.total;
    }));
  });
  return folds.length ? tried[findLeastWithinNoise(folds)] : tried[0];
}

// What is explained of held-out values as they are, and whether limits of extreme values cost too much: `judge_limits` in run/search.py.
/** @type {(limited: Prepared & { choice: Shrinkage }, plain: Prepared & { choice: Shrinkage }, size: number, report: Progress) => { share: number, costs: boolean } | null} */
export function judgeLimits(limited, plain, size, report) {
  const { columns, owners } = plain.standard;
  const same = columns.length === limited.standard.columns.length && `${owners}` === `${limited.standard.owners}`;
  if (!same) return null;
  const choices = chooseFolds(plain.blocks.counts, SEARCH_FOLDS);
  const sums = [0, 0, 0];
  choices.forEach((chosen, fold) => {
    report("extreme values", fold / choices.length);
    const all = Array.from(plain.standard.blocks, (_, row) => row);
    const [learnt, others] = [true, false].map((known) => all.filter((row) => chosen[plain.standard.blocks[row]] === known));
    const means = columns.map((column) => column.mean + column.std * measureMarked(column, learnt).mean);
    const ways = [limited, plain].map((way) => predictRows(way, chosen, learnt, others, size));
    columns.forEach(({ values, marks, mean, std, weight }, j) => {
      others.forEach((row, i) => {
        if (marks?.[row]) return;
        const value = mean + std * values[row];
        const guesses = [means[j], ...ways.map(({ kept, guess }) => (kept.has(j) ? value : guess[j][i]))];
        guesses.forEach((one, way) => { sums[way] += (((value - one) * weight) / std) ** 2; });
      });
    });
  });
  const [share, other] = [1 - sums[1] / sums[0], 1 - sums[2] / sums[0]];
  return { share, costs: other - share > LIMITS_COST };
}

// What a search on some rows finds, and all columns of the other rows as it predicts them.
/** @type {(way: Prepared & { choice: Shrinkage }, chosen: boolean[], learnt: number[], others: number[], size: number) => { kept: Set<number>, guess: Float64Array[] }} */
function predictRows({ standard: { columns }, blocks, choice }, chosen, learnt, others, size) {
  const { part, places } = blocks.split(chosen);
  const { indices } = search(part, { size: Math.min(size, part.varying.length), ...applyShrinkage(choice, part) });
  const spreads = columns.map((column) => measureMarked(column, learnt));
  const guess = columns.map(({ mean, std }, j) => new Float64Array(others.length).fill(mean + std * spreads[j].mean));
  const kept = listMembers(part.groups, indices);
  if (!kept.length) return { kept: new Set(), guess };
  const { width } = part.gram;
  const rows = { part, columns: kept, sizes: [], known: takeRows(part.gram, kept), rows: new Float64Array(0) };
  const held = { weights: new Float64Array(width).fill(1) };
  const shrink = chooseRidge({ ...rows, held: /** @type {HeldRows} */ (held) });
  const { adds, L, W } = factor({ ...rows, held: /** @type {HeldRows} */ (held) }, shrink);
  const count = others.length;
  const seen = new Float64Array(adds.length * count);
  adds.forEach((place, r) => {
    const j = places[kept[place]];
    const { values, marks, weight } = columns[j];
    others.forEach((row, i) => { seen[r * count + i] = marks?.[row] ? 0 : ((values[row] - spreads[j].mean) * weight) / spreads[j].std; });
  });
  solveLower(L, adds.length, seen, count);
  places.forEach((j, place) => {
    const unit = (columns[j].std * spreads[j].std) / columns[j].weight;
    for (let r = 0; r < adds.length; r++) {
      const weight = unit * W[r * width + place];
      for (let i = 0; i < count; i++) guess[j][i] += weight * seen[r * count + i];
    }
  });
  return { kept: new Set(kept.map((place) => places[place])), guess };
}

/** @type {(part: Part, held: HeldRows, kept: number[]) => number} */
function leaveUnknown({ varying }, { unknown }, kept) {
  const known = new Set(kept.map((group) => varying[group]));
  return unknown.reduce((sum, one, column) => (known.has(column) ? sum : sum + one), 0);
}

/** @param {number[][]} errors */
function findLeastWithinNoise(errors) {
  const count = errors.length;
  const means = errors[0].map((_, i) => errors.reduce((sum, row) => sum + row[i], 0) / count);
  const best = findFirstBest(means.map((mean) => -mean));
  return means.findIndex((_, i) => {
    const more = errors.map((row) => row[i] - row[best]);
    const mean = more.reduce((sum, one) => sum + one, 0) / count;
    const squares = more.reduce((sum, one) => sum + (one - mean) ** 2, 0);
    const noise = count > 1 ? Math.sqrt(squares / (count - 1) / count) : 0;
    return mean <= NOISE * noise + TIE;
  });
}

/** @type {(blocks: Blocks, size: number, choice: Shrinkage, choices: boolean[][], report: Progress) => HeldOut} */
function holdOut(blocks, size, choice, choices, report) {
  /** @type {HeldOut} */
  const found = { errors: [], own: [], totals: [], kept: [] };
  choices.forEach((chosen, fold) => {
    report("trying it on new rows", fold / choices.length);
    const { part, held } = blocks.split(chosen);
    if (!(held.total > 0)) return;
    const most = Math.min(size, part.varying.length);
    const { indices } = search(part, { size: most, ...applyShrinkage(choice, part) });
    // Where nothing is left to add, columns that do not vary in the training rows are kept, then those reproduced there.
    const there = new Set(part.varying);
    const ended = indices.length === part.varying.length || indices.length < Math.min(most, part.gram.rank);
    const room = ended ? Math.max(size - indices.length, 0) : 0;
    const late = Array.from(held.unknown, (_, column) => column).filter((column) => !there.has(column)).slice(0, room);
    const taken = new Set(indices);
    const again = Array.from(part.varying, (_, group) => group).filter((group) => !taken.has(group)).slice(0, room - late.length);
    const kept = [...indices, ...again];
    const predicted = predictHeldOut(part, held, kept);
    const errors = predicted.errors.map((error, i) => error + leaveUnknown(part, held, kept.slice(0, i + 1)));
    const own = predicted.own.map((error, i) => error + held.unknown[part.varying[kept[i]]]);
    let left = indices.length ? errors[indices.length - 1] : held.total;
    const added = late.map((column) => { left = Math.max(left - held.unknown[column], 0); return left; });
    const known = late.reduce((sum, column) => sum + held.unknown[column], 0);
    errors.splice(indices.length, Infinity, ...added, ...errors.slice(indices.length).map((error) => Math.max(error - known, 0)));
    own.splice(indices.length, 0, ...late.map((column) => held.unknown[column]));
    const last = errors.length ? errors[errors.length - 1] : held.total;
    const missing = Array.from({ length: size - errors.length });
    found.errors.push([...errors, ...missing.map(() => last)]);
    found.own.push([...own, ...missing.map(() => 0)]);
    found.totals.push(held.total);
    found.kept.push([...indices.map((group) => part.varying[group]), ...late, ...again.map((group) => part.varying[group])]);
  });
  if (found.totals.length < 2) throw new Declined("few");
  return found;
}

/** @type {(found: HeldOut) => number[]} */
function listHeldShares({ errors, totals }) {
  const whole = totals.reduce((sum, total) => sum + total, 0);
  return errors[0].map((_, i) => 1 - errors.reduce((sum, row) => sum + row[i], 0) / whole);
}

// Share explained over all folds, its standard deviation, and its interval (`HeldOutFacts`).
/** @type {(found: HeldOut) => HeldOutShares} */
export function summariseHeldOut(found) {
  const { errors, totals } = found;
  const whole = totals.reduce((sum, total) => sum + total, 0);
  const count = totals.length;
  const share = listHeldShares(found);
  const std = errors[0].map((_, i) => {
    const shares = errors.map((row, fold) => 1 - row[i] / totals[fold]);
    const mean = shares.reduce((sum, one, fold) => sum + (one * totals[fold]) / whole, 0);
    const squares = shares.reduce((sum, one, fold) => sum + ((one - mean) ** 2 * totals[fold]) / whole, 0);
    return Math.sqrt((squares * count) / Math.max(count - 1, 1));
  });
  const reach = CLEAR * Math.sqrt(weighFolds(count));
  const low = share.map((one, i) => one - reach * std[i]);
  return { share, std, low, high: share.map((one, i) => Math.min(one + reach * std[i], 1)) };
}

const PINV_TOL = 1e-15; // of the largest eigenvalue, times the size, as NumPy's pinv has it

/** @type {(found: HeldOut) => number[][]} */
const listGains = ({ errors, own, totals }) =>
  errors.map((row, fold) => row.map((error, i) => (i ? row[i - 1] : totals[fold]) - error - own[fold][i]));

/** @param {number[]} gains */
function findPeak(gains) {
  let [sum, best, place] = [0, -Infinity, 0];
  gains.forEach((gain, i) => {
    sum += gain;
    if (sum > best) [best, place] = [sum, i];
  });
  return place + 1;
}

/** @type {(found: HeldOut, width: number, bar?: number) => number} */
function findBestSize(found, width, bar = BAR) {
  const gains = listGains(found);
  const whole = found.totals.reduce((sum, total) => sum + total, 0);
  return findPeak(gains[0].map((_, i) => gains.reduce((sum, row) => sum + row[i], 0) - (bar * whole) / width));
}

/** @type {(found: HeldOut, width: number, bar: number, share: number) => number} */
function findQuantile(found, width, bar, share) {
  const sizes = listGains(found).map((row, fold) => findPeak(row.map((gain) => gain - (bar * found.totals[fold]) / width)));
  sizes.sort((a, b) => a - b);
  const rank = share * (sizes.length - 1);
  const low = Math.floor(rank);
  const near = rank - low === 0.5 ? low + (low % 2) : Math.round(rank);
  return sizes[near];
}

// Mark the blocks of half-samples; `draws` are the halves that Python draws of so many blocks.
/** @type {(counts: number[], draws: Record<string, number[][]>) => boolean[][]} */
function chooseHalves(counts, draws) {
  const filled = counts.map((_, block) => block).filter((block) => counts[block]);
  return (draws[filled.length] ?? []).flatMap((half) => {
    const first = new Set(half.map((place) => filled[place]));
    const others = new Set(filled.filter((block) => !first.has(block)));
    return [first, others].map((chosen) => counts.map((_, block) => chosen.has(block)));
  });
}

/** @type {(part: Part, kept: number[]) => number} */
function countSuperseded({ gram, nRows }, kept) {
  const { width, diagonal } = gram;
  const bar = (BAR * diagonal.reduce((sum, one) => sum + one, 0)) / width;
  let left = kept;
  while (left.length > 1) {
    const rows = left.map((j) => gram.column(j));
    const { inverse, weights } = regress(rows, left, width);
    const unexplained = diagonal.reduce((sum, one, j) => sum + one - rows.reduce((all, row, i) => all + row[j] * weights[i][j], 0), 0);
    const chance = unexplained / Math.max(nRows - kept.length, 1);
    const losses = weights.map((row, i) =>
      (multiply(row, row) - 1) / Math.max(inverse[i][i], Number.MIN_VALUE) - chance);
    const least = losses.indexOf(Math.min(...losses));
    if (losses[least] >= bar) break;
    left = left.filter((_, i) => i !== least);
  }
  return kept.length - left.length;
}

/** @type {(rows: Float64Array[], kept: number[], width: number) => { inverse: Float64Array[], weights: Float64Array[] }} */
function regress(rows, kept, width) {
  const k = kept.length;
  const { values, vectors } = findEigenpairs(Float64Array.from({ length: k * k }, (_, at) => rows[Math.floor(at / k)][kept[at % k]]), k);
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const inverse = kept.map((_, i) => Float64Array.from(kept, (_j, j) => {
    let sum = 0;
    values.forEach((value, v) => {
      if (Math.abs(value) > PINV_TOL * k * largest) sum += (vectors[v * k + i] * vectors[v * k + j]) / value;
    });
    return sum;
  }));
  const weights = inverse.map((row) => {
    const out = new Float64Array(width);
    row.forEach((weight, i) => { for (let j = 0; j < width; j++) out[j] += weight * rows[i][j]; });
    return out;
  });
  return { inverse, weights };
}

/** @type {(first: HeldOut, others: HeldOut) => HeldOut} */
const joinFolds = (first, others) => ({
  errors: [...first.errors, ...others.errors],
  own: [...first.own, ...others.own],
  totals: [...first.totals, ...others.totals],
  kept: [...first.kept, ...others.kept],
});

// The errors on held-out rows with as many columns as explain a share of them, or with as many as
// explain most where no number reaches it.
/** @type {(blocks: Blocks, whole: Part, choice: Shrinkage, retain: number, report: Progress) => HeldOut} */
export function findShareSize(blocks, whole, choice, retain, report) {
  const choices = chooseFolds(blocks.counts);
  const most = Math.min(whole.gram.rank, whole.varying.length);
  const quiet = () => {};
  let size = search(whole, { size: most, retain, ...applyShrinkage(choice, whole) }).indices.length;
  for (;;) {
    size = Math.min(most, size + Math.floor(size / 4) + 4);
    let few = null; // three folds show how far to search
    while (size < most) {
      few = holdOut(blocks, size, choice, choices.slice(0, FIRST_FOLDS), quiet);
      if (Math.max(...listHeldShares(few)) >= retain) break;
      [size, few] = [Math.min(most, 2 * size), null];
    }
    const known = choices.length - FIRST_FOLDS > 1 ? few : null; // one fold alone is too few
    const rest = holdOut(blocks, size, choice, known ? choices.slice(FIRST_FOLDS) : choices, report);
    const folds = known ? joinFolds(known, rest) : rest;
    const shares = listHeldShares(folds);
    const enough = shares.findIndex((share) => share >= retain - NEGLIGIBLE);
    if (enough < 0 && size < most) continue;
    const k = (enough < 0 ? findFirstBest(shares) : enough) + 1;
    const cut = (/** @type {number[][]} */ rows) => rows.map((row) => row.slice(0, k));
    return { ...folds, errors: cut(folds.errors), own: cut(folds.own), kept: cut(folds.kept) };
  }
}

// Find the number of columns, its interval, and what each column is worth to the others.
/** @type {(blocks: Blocks, whole: Part, choice: Shrinkage, draws: Record<string, number[][]>, report: Progress) => AutoSize} */
export function findAutoSize(blocks, whole, choice, draws, report) {
  const width = whole.varying.length;
  const most = whole.gram.rank;
  const choices = chooseFolds(blocks.counts);
  let size = Math.min(most, FIRST_SIZE);
  const quiet = () => {};
  while (size < most && 4 * findBestSize(holdOut(blocks, size, choice, choices.slice(0, FIRST_FOLDS), quiet), width, LOOSE) > 3 * size) {
    size = Math.min(most, 2 * size);
  }
  const folds = holdOut(blocks, size, choice, choices, report);
  const k = findBestSize(folds, width);
  const halves = holdOut(blocks, Math.min(size, k + Math.floor(k / 3) + 10), choice, chooseHalves(blocks.counts, draws), report);
  const whole_ = folds.totals.reduce((sum, total) => sum + total, 0);
  const gains = listGains(folds);
  const worth = gains[0].map((_, i) => (gains.reduce((sum, row) => sum + row[i], 0) / whole_) * width);
  const kept = search(whole, { size: k, ...applyShrinkage(choice, whole) }).indices.slice(0, k);
  const low = Math.min(findQuantile(halves, width, STRICT, SIZE_TAILS[0]), k - countSuperseded(whole, whole.groups.single ? kept : listMembers(whole.groups, kept)));
  const high = findQuantile(halves, width, LOOSE, SIZE_TAILS[1]);
  return { k, low: Math.max(1, Math.min(k, low)), high: Math.max(k, high), worth, folds };
}
