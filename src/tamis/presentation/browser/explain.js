// What the kept columns explain of every column, and what no columns could exceed: evaluation/
// measure.py and grouped_measure.py.
import { findEigenvalues } from "./eigen.js";
import { MatrixSearch } from "./forward_matrix.js";
import { makeKernel, RowSearch } from "./forward_rows.js";
import { addGroups, listMembers, PlainFactor, RANK_TOL, readColumns } from "./plain_factor.js";

// The share of every group that the first 1, 2, ... taken groups explain (steps x groups).
/** @type {(part: Part, path: number[]) => Float64Array[]} */
export function listShares({ gram, groups }, path) {
  const plain = new PlainFactor(gram.diagonal, readColumns(gram));
  const start = addGroups(groups, gram.diagonal);
  return path.map((group) => {
    listMembers(groups, [group]).sort((a, b) => plain.left[b] - plain.left[a]).forEach((j) => plain.take(j));
    return addGroups(groups, plain.left).map((left, i) => Math.min(Math.max(1 - left / start[i], 0), 1));
  });
}

// How each taken group relates to every group: by correlation for numbers, else by the share of the
// other that it explains alone.
/** @type {(part: Part, path: number[]) => Float64Array[]} */
export function listLinks(part, path) {
  const { gram, groups } = part;
  const getColumn = readColumns(gram);
  const unit = gram.diagonal.map((square) => 1 / Math.sqrt(square));
  if (groups.single) return path.map((j) => getColumn(j).map((value, i) => value * unit[i] * unit[j]));
  return path.map((group) => listShares(part, [group])[0]);
}

// What 1, 2, ... of any columns can explain at most.
/** @type {(part: Part, size: number) => number[]} */
export function findCeiling({ gram, groups }, size) {
  const values = gram.matrix ? findEigenvalues(gram.matrix, gram.width) : findEigenvalues(makeKernel(gram), gram.length);
  const total = gram.diagonal.reduce((sum, one) => sum + one, 0);
  const ranks = groups.single ? [] : Array.from(groups.sizes, (_, group) => findRank(gram, groups, group)).sort((a, b) => b - a);
  let [sum, used] = [0, 0];
  return Array.from({ length: size }, (_, step) => {
    const most = Math.min(used + (groups.single ? 1 : ranks[step] ?? 1), gram.width);
    while (used < most) sum += values[used++] ?? 0;
    return Math.min(sum / total, 1);
  });
}

// How many columns of a group do not follow from its others.
/** @type {(gram: GramForm, groups: GroupForm, group: number) => number} */
function findRank(gram, groups, group) {
  const members = listMembers(groups, [group]);
  if (members.length === 1) return 1;
  const getColumn = readColumns(gram);
  const values = findEigenvalues(Float64Array.from(members.flatMap((i) => members.map((j) => getColumn(i)[j]))), members.length);
  return Math.max(values.filter((value) => value > RANK_TOL * values[0]).length, 1);
}

// What every other column in place of a kept one would change in the share explained.
/** @type {(part: Part, kept: number[], place: number) => { group: number, change: number }[]} */
export function listSwaps(part, kept, place) {
  const asked = { size: kept.length, retain: Infinity, shrink: 0, noise: null };
  /** @param {number[]} groups */
  const take = (groups) => {
    const search = part.gram.samples ? new RowSearch(part.gram, asked) : new MatrixSearch(part, asked);
    groups.forEach((group) => search.take(group));
    return search;
  };
  const before = take(kept).path.retained[kept.length - 1];
  const search = take(kept.filter((_, i) => i !== place));
  const share = search.path.retained[kept.length - 2] ?? 0;
  const taken = new Set(kept);
  return Array.from(search.listGains(), (gain, group) => ({ group, change: share + gain - before }))
    .filter(({ group }) => !taken.has(group)).sort((a, b) => b.change - a.change);
}
