// What no columns could exceed, and what could stand in the place of a kept one: evaluation/measure.py.
import { listMembers, Residual } from "../page/greedy.js";
import { addUp } from "../page/vectors.js";
import { findEigenvalues } from "./eigen.js";

// What 1, 2, ... of any columns can explain at most.
/** @type {(part: Part, size: number) => number[]} */
export function findCeiling({ gram, groups }, size) {
  const values = findEigenvalues(gram.core, gram.coreSize);
  const total = addUp(gram.diagonal);
  const ranks = groups.single ? [] : Array.from(groups.sizes, (_, group) => findRank(gram, groups, group)).sort((a, b) => b - a);
  let [sum, used] = [0, 0];
  return Array.from({ length: size }, (_, step) => {
    const most = Math.min(used + (groups.single ? 1 : ranks[step] ?? 1), gram.width);
    while (used < most) sum += values[used++] ?? 0;
    return Math.min(sum / total, 1);
  });
}

// How many columns of a group do not follow from its others.
/** @type {(gram: Gram, groups: Groups, group: number) => number} */
function findRank(gram, groups, group) {
  const members = listMembers(groups, [group]);
  if (members.length === 1) return 1;
  const rows = members.map((j) => gram.column(j));
  const values = findEigenvalues(Float64Array.from(rows.flatMap((row) => members.map((j) => row[j]))), members.length);
  return Math.max(values.filter((value) => value > RULES.tolerances.RANK_TOL * values[0]).length, 1);
}

// What every other column in place of a kept one would change in the share explained.
/** @type {(part: Part, kept: number[], place: number) => { group: number, change: number }[]} */
export function listSwaps(part, kept, place) {
  /** @param {number[]} groups */
  const take = (groups) => {
    const residual = new Residual(part);
    groups.forEach((group) => residual.take(group));
    return residual;
  };
  const before = take(kept).retained[kept.length - 1];
  const residual = take(kept.filter((_, i) => i !== place));
  const share = residual.retained[kept.length - 2] ?? 0;
  const taken = new Set(kept);
  return Array.from(residual.measure().gains, (gain, group) => ({ group, change: share + gain - before }))
    .filter(({ group }) => !taken.has(group)).sort((a, b) => b.change - a.change);
}
