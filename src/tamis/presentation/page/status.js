// What is said of a column in a word or two.
import { findDrawer } from "./model.js";
import { indexNames, state } from "./state.js";
import { formatCount, formatTenths, readOwn } from "./text.js";

const WORDS = { safe: "safe to drop", partly: "partly lost", lost: "lost" };

/** @type {WeakMap<Model, Map<number, number>>} */
const ranks = new WeakMap();
/** @param {number} column */
export function findRank(column) {
  let known = ranks.get(state.model);
  if (!known) {
    known = new Map(state.model.path.map((one, rank) => [one, rank]));
    ranks.set(state.model, known);
  }
  return known.get(column) ?? -1;
}

// What became of a column; `position` is that of its name in the table.
/** @type {(position: number) => Fate} */
export function findFate(position) {
  const { model, k } = state;
  const column = indexNames().column.get(position);
  if (column === undefined) return { kind: "out" };
  const rank = findRank(column);
  if (rank >= 0 && rank < k) return { kind: "kept", column };
  const share = model.getShares(k)[column];
  return { kind: findDrawer(share, model, k), column, share };
}

/** @type {(position: number) => Status} */
export function describeStatus(position) {
  const { model, k, starting } = state;
  const fate = findFate(position);
  const { kind, column, share } = fate;
  if (kind === "out" || column === undefined) {
    return { kind: "out", text: `not analysed: ${readOwn(starting.skipped, model.names[position]) ?? "skipped"}` };
  }
  if (kind === "kept") return { ...fate, text: `kept, number ${formatCount(findRank(column) + 1)} of ${formatCount(k)}` };
  return { ...fate, text: `dropped, ${WORDS[kind]}: ${formatTenths(share ?? 0)} explained` };
}
