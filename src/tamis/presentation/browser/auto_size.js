// How many columns to keep when the table is to say it: evaluation/auto_size.py.
import { listMembers, search } from "../page/greedy.js";
import { multiply } from "../page/vectors.js";
import { findEigenpairs } from "./eigen.js";
import { applyShrinkage, chooseFolds, holdOut } from "./folds.js";

const { BAR, FIRST_FOLDS, FIRST_SIZE, LOOSE, SIZE_TAILS, STRICT } = RULES.search;
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

// Count the kept columns that can be dropped, one by one, at a small loss to the others.
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
    row.forEach((factor, i) => { for (let j = 0; j < width; j++) out[j] += factor * rows[i][j]; });
    return out;
  });
  return { inverse, weights };
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
