// Errors on held-out rows of regressions on the kept columns, shrunken where rows are few:
// algorithms/fold.py.
import { listMembers, Residual } from "../page/greedy.js";
import { findFirstBest, multiply, multiplyRows } from "../page/vectors.js";
import { findEigenpairs } from "./eigen.js";
import { factorise, solveLower, squareRows } from "./products.js";

const { FREEDOM, PLAIN_REST, SHRINKAGES } = RULES.search;
const { RANK_TOL } = RULES.tolerances;

/**
 * The rows of the kept columns in the matrices of known and of held-out rows.
 * @typedef {object} KeptRows
 * @property {Part} part
 * @property {number[]} columns
 * @property {number[]} sizes of the kept groups
 * @property {Float64Array} known
 * @property {Float64Array} held
 * @property {Float64Array} squares
 * @property {Float64Array} weights
 */

/** @type {(part: Part, held: HeldRows, kept: number[]) => KeptRows} */
function takeKept(part, held, kept) {
  const columns = listMembers(part.groups, kept);
  return {
    part, columns, known: part.gram.block(columns), held: held.takeRows(columns), squares: held.squares, weights: held.weights,
    sizes: kept.map((group) => part.groups.sizes[group]),
  };
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
  return { ...kept, sizes, columns: kept.columns.slice(0, size), known: kept.known.subarray(0, end), held: kept.held.subarray(0, end) };
}

// The shrinkage with the smallest error by generalised cross-validation.
/** @type {(kept: KeptRows) => number} */
function chooseRidge({ part, columns, known, weights }) {
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

// The errors with one shrinkage for all numbers of groups; see `_errors` in Python for the algebra.
/** @type {(kept: KeptRows, shrink: number) => { errors: number[], own: number[] }} */
function computeErrors(kept, shrink) {
  const { columns: S, squares, weights, part: { gram: { width } } } = kept;
  const { adds, L, W } = factor(kept, shrink);
  const m = adds.length;
  const A = new Float64Array(m * width);
  adds.forEach((place, r) => A.set(kept.held.subarray(place * width, (place + 1) * width), r * width));
  solveLower(L, m, A, width);
  const P = new Float64Array(m * m); // its transpose, which is the same
  adds.forEach((place, c) => { for (let r = 0; r < m; r++) P[c * m + r] = A[r * width + S[place]]; });
  solveLower(L, m, P, m);
  const [countedA, countedW] = [weighRows(A, weights), weighRows(W, weights)];
  const WW = squareRows(countedW, m, width);
  const steps = new Float64Array(m + 1);
  for (let r = 0; r < m; r++) {
    let change = P[r * m + r] * WW[r * m + r] - 2 * multiplyRows(countedA, r * width, countedW, r * width, width);
    for (let c = 0; c < r; c++) change += 2 * P[r * m + c] * WW[r * m + c];
    steps[r + 1] = steps[r] + change;
  }
  const whole = multiply(squares, weights);
  const alone = makeAlone(kept, { adds, L, W }, A, P, shrink);
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

// Give the error of the kept columns from one place to another once so many columns are taken.
/** @type {(kept: KeptRows, factor: Factor, A: Float64Array, P: Float64Array, shrink: number) => (taken: number, from: number, to: number) => number} */
function makeAlone({ columns: S, squares, weights, part }, { adds, W }, A, P, shrink) {
  const { width } = part.gram;
  const m = adds.length;
  const adding = new Set(adds);
  const table = S.map((j) => { // of every kept column, its error with 0, 1, 2, ... rows of W
    const column = Float64Array.from({ length: m }, (_, r) => W[r * width + j]);
    const errors = new Float64Array(m + 1);
    errors[0] = squares[j];
    for (let r = 0; r < m; r++) {
      const below = multiplyRows(P, r * m, column, 0, r);
      errors[r + 1] = errors[r] + column[r] * (2 * below + P[r * m + r] * column[r] - 2 * A[r * width + j]);
    }
    return errors;
  });
  return (taken, from, to) => {
    const rows = countBelow(adds, taken);
    let sum = 0;
    for (let c = from; c < to; c++) if (shrink || taken <= c || !adding.has(c)) sum += weights[S[c]] * table[c][rows];
    return sum;
  };
}

// The errors of regressions on the first 1, 2, ... kept groups, each with a shrinkage of its own:
// it is chosen for 1, 2, 4, ... of them, from an eighth of the rows on for a quarter more each time.
/** @type {(part: Part, held: HeldRows, kept: number[]) => { errors: number[], own: number[] }} */
export function predictHeldOut(part, held, kept) {
  const rows = takeKept(part, held, kept);
  const [errors, own] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  while (errors.length < kept.length) {
    const last = errors.length;
    const end = Math.max(8 * last < part.nRows ? 2 * last : last + Math.floor(last / 4), last + 1);
    const head = takeHead(rows, Math.min(end, kept.length));
    const found = computeErrors(head, chooseRidge(head));
    own.push(...found.own.slice(own.length));
    errors.push(...found.errors.slice(errors.length));
  }
  return { errors, own };
}

// The error of the regression on all kept groups.
/** @type {(part: Part, held: HeldRows, kept: number[]) => number} */
export function predictWithAll(part, held, kept) {
  const rows = takeKept(part, held, kept);
  const { errors } = computeErrors(rows, chooseRidge(rows));
  return errors[errors.length - 1];
}
