// The greedy loop of `sfs` on a Gram matrix, in float64: the same scores, ties and limits of rank as
// Python's (algorithms/greedy.py). It knows no document.
import { findCarriers } from "./carriers.js";
import { Residual, TIE } from "./residual.js";

const ENOUGH_OF_SHARE = 0.95; // of what a column's share is; more carriers are not looked for

// The lower triangle, row by row, as a full matrix.
/**
 * @param {Float64Array} triangle
 * @param {number} width
 * @returns {Gram}
 */
export function fillSquare(triangle, width) {
  const gram = new Float64Array(width * width);
  for (let i = 0, at = 0; i < width; i++) {
    for (let j = 0; j <= i; j++, at++) gram[i * width + j] = gram[j * width + i] = triangle[at];
  }
  return { width, gram };
}

// The same from correlations in steps of 2^-15, for wide tables: `lengths` of all columns, then what is
// below the diagonal, its low bytes before its high ones. Less than `ROUNDED_FLOOR` is rounding.
const ROUNDED_FLOOR = 1e-3;
const ROUNDED_STEPS = 32767;
/**
 * @param {ArrayBuffer} buffer
 * @param {number} width
 * @returns {Gram}
 */
export function fillRounded(buffer, width) {
  const lengths = new Float64Array(buffer, 0, width);
  const bytes = new Uint8Array(buffer, 8 * width);
  const count = bytes.length / 2;
  const gram = new Float64Array(width * width);
  for (let i = 0, at = 0; i < width; i++) {
    for (let j = 0; j < i; j++, at++) {
      const steps = ((bytes[at] | (bytes[count + at] << 8)) << 16) >> 16; // of 16 bits, with their sign
      gram[i * width + j] = gram[j * width + i] = (steps / ROUNDED_STEPS) * lengths[i] * lengths[j];
    }
    gram[i * width + i] = lengths[i] * lengths[i];
  }
  return { width, gram, floor: ROUNDED_FLOOR };
}

// The first column whose score is within TIE of the best; -1 where none may be taken.
/**
 * @param {Residual} residual
 * @param {Uint8Array} closed
 * @param {Float64Array} prices
 */
function findBest(residual, closed, prices) {
  const { width, left, total } = residual;
  const norms = residual.getNorms();
  const scores = new Float64Array(width);
  let best = -Infinity;
  for (let j = 0; j < width; j++) {
    const may = !closed[j] && residual.isFree(j);
    scores[j] = may ? Math.max(norms[j], 0) / left[j] / total / prices[j] : -Infinity;
    if (scores[j] > best) best = scores[j];
  }
  if (best === -Infinity) return -1;
  return scores.findIndex((score) => score >= best - TIE * Math.abs(best));
}

// Take up to `k` columns, `include` first, each the one that explains most for its price.
// `matrix` is { width, gram }; columns are positions, `costs` pairs of a position and a price.
/**
 * @param {Gram} matrix
 * @param {{ k: number, include?: number[], forbid?: number[], costs?: [number, number][] }} wishes
 */
export function selectGreedily(matrix, { k, include = [], forbid = [], costs = [] }) {
  const { width } = matrix;
  const closed = new Uint8Array(width);
  forbid.forEach((j) => { closed[j] = 1; });
  const prices = new Float64Array(width).fill(1);
  costs.forEach(([j, price]) => { prices[j] = price; });
  const most = Math.max(Math.min(k, width), include.length);
  const residual = new Residual(matrix, most);
  for (let step = 0; step < most; step++) {
    if (step < include.length) residual.getNorms();
    const pick = step < include.length ? include[step] : findBest(residual, closed, prices);
    if (pick < 0) break;
    residual.take(pick);
    closed[pick] = 1;
  }
  return describePath(matrix, residual);
}

// What the taken columns explain, after each step.
/**
 * @param {Gram} matrix
 * @param {Residual} residual
 */
function describePath({ width, gram }, { taken, retained, W, start }) {
  const sums = new Float64Array(taken.length * width);
  for (let step = 0, at = 0; step < taken.length; step++) {
    for (let j = 0; j < width; j++, at++) {
      sums[at] = (step ? sums[at - width] : 0) + (W[at] * W[at]) / start[j];
    }
  }
  /** @param {number} k */
  const getShares = (k) => {
    const shares = sums.slice((k - 1) * width, k * width);
    for (let j = 0; j < width; j++) shares[j] = Math.min(Math.max(shares[j], 0), 1);
    for (let step = 0; step < k; step++) shares[taken[step]] = 1;
    return shares;
  };
  const unit = start.map((square) => 1 / Math.sqrt(square));
  /** @type {(i: number, j: number) => number} */
  const link = (i, j) => gram[i * width + j] * (unit[i] * unit[j]);
  /** @type {(column: number, k: number) => { pairs: Pair[], carried: number }} */
  const getSources = (column, k) => {
    const share = Math.min(sums[(k - 1) * width + column], 1);
    return findCarriers(link, taken.slice(0, k), column, ENOUGH_OF_SHARE * share);
  };
  return { path: taken, retained, W: W.subarray(0, taken.length * width), getShares, getSources };
}
