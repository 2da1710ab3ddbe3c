// Which blocks of rows are held out, and what the search explains of them: evaluation/held_out.py,
// stability.py and run/shrinkage.py.
import { search } from "../page/greedy.js";
import { findFirstBest } from "../page/vectors.js";
import { Declined } from "./decline.js";
import { predictHeldOut, predictWithAll } from "./ridge.js";

const { HEAVY_TAILS, HELD_OUT_FOLDS, MANY_ROWS, MAX_BY_TAILS, NOISE, SEARCH_FOLDS, SEARCH_SHRINKAGES } = RULES.search;

// Mark for every fold the blocks of its training rows: all but every tenth.
/** @type {(counts: number[], folds?: number) => boolean[][]} */
export function chooseFolds(counts, folds = HELD_OUT_FOLDS) {
  return Array.from({ length: folds }, (_, fold) => counts.map((_count, block) => block % folds !== fold))
    .filter((chosen) => {
      const known = counts.reduce((sum, count, block) => sum + (chosen[block] ? count : 0), 0);
      return known > 1 && known < counts.reduce((sum, count) => sum + count, 0);
    });
}

/** @param {boolean[]} chosen */
const others = (chosen) => chosen.map((one) => !one);

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
    const { part, held } = blocks.split(chosen, others(chosen));
    if (!(held.total > 0)) return;
    folds.push(tried.map((choice, i) => {
      report("choosing the shrinkage", (fold + i / tried.length) / choices.length);
      const path = search(part, { size, ...applyShrinkage(choice, part) });
      return (predictWithAll(part, held, path.indices) + leaveUnknown(part, held, path.indices)) / held.total;
    }));
  });
  return folds.length ? tried[findLeastWithinNoise(folds)] : tried[0];
}

// What stays unknown, of columns that do not vary in the training rows, with these kept.
/** @type {(part: Part, held: HeldRows, kept: number[]) => number} */
function leaveUnknown({ varying }, { unknown }, kept) {
  const known = new Set(kept.map((group) => varying[group]));
  return unknown.reduce((sum, one, column) => (known.has(column) ? sum : sum + one), 0);
}

// The first choice that is not clearly worse than the best, by folds.
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
    return mean <= NOISE * noise + RULES.tolerances.TIE;
  });
}

// Hold rows back in turn; columns are chosen anew in each fold.
/** @type {(blocks: Blocks, size: number, choice: Shrinkage, choices: boolean[][], report: Progress) => HeldOut} */
export function holdOut(blocks, size, choice, choices, report) {
  /** @type {HeldOut} */
  const found = { errors: [], own: [], totals: [] };
  choices.forEach((chosen, fold) => {
    report("trying it on new rows", fold / choices.length);
    const { part, held } = blocks.split(chosen, others(chosen));
    if (!(held.total > 0)) return;
    const most = Math.min(size, part.varying.length);
    const { indices } = search(part, { size: most, ...applyShrinkage(choice, part) });
    const predicted = predictHeldOut(part, held, indices);
    const errors = predicted.errors.map((error, i) => error + leaveUnknown(part, held, indices.slice(0, i + 1)));
    const own = predicted.own.map((error, i) => error + held.unknown[part.varying[indices[i]]]);
    const last = errors.length ? errors[errors.length - 1] : held.total;
    const missing = Array.from({ length: size - errors.length });
    found.errors.push([...errors, ...missing.map(() => last)]);
    found.own.push([...own, ...missing.map(() => 0)]);
    found.totals.push(held.total);
  });
  if (found.totals.length < 2) throw new Declined("few");
  return found;
}

// Share explained over all folds, and its standard deviation.
/** @type {(found: HeldOut) => { share: number[], std: number[] }} */
export function summariseHeldOut({ errors, totals }) {
  const whole = totals.reduce((sum, total) => sum + total, 0);
  const count = totals.length;
  const share = errors[0].map((_, i) => 1 - errors.reduce((sum, row) => sum + row[i], 0) / whole);
  const std = errors[0].map((_, i) => {
    const shares = errors.map((row, fold) => 1 - row[i] / totals[fold]);
    const mean = shares.reduce((sum, one, fold) => sum + (one * totals[fold]) / whole, 0);
    const squares = shares.reduce((sum, one, fold) => sum + ((one - mean) ** 2 * totals[fold]) / whole, 0);
    return Math.sqrt((squares * count) / Math.max(count - 1, 1));
  });
  return { share, std };
}
