// The wards of a kept column: the dropped columns that name it first among their sources.
import { makeQuiet } from "./elements.js";
import { linkColumn } from "./links.js";
import { getName, listKept, state } from "./state.js";
import { formatCount, formatTenths } from "./text.js";

/** @typedef {{ model: Model, k: number, lists: Map<number, number[]>, known: boolean }} Wards */

/** @type {Wards | null} */
let latest = null;

// By kept column; not `known` where no source is.
/** @returns {Wards} */
export function groupWards() {
  const { k, model } = state;
  if (latest?.model === model && latest.k === k) return latest;
  /** @type {Map<number, number[]>} */
  const lists = new Map(listKept().map((column) => [column, []]));
  let known = false;
  for (let column = 0; column < model.used.length; column++) {
    if (lists.has(column)) continue;
    const found = model.getSources(column, k);
    if (!found) continue;
    known = true;
    if (found.pairs.length) lists.get(found.pairs[0][0])?.push(column);
  }
  const shares = model.getShares(k);
  lists.forEach((list) => list.sort((a, b) => shares[b] - shares[a]));
  latest = { model, k, lists, known };
  return latest;
}

/** @param {number} column */
export const listWards = (column) => groupWards().lists.get(column) ?? [];

/** @param {number} column */
export function linkWards(column, most = 60) {
  const list = listWards(column);
  const shares = state.model.getShares(state.k);
  const parts = list.slice(0, most).flatMap((other, i) =>
    [i ? ", " : "", linkColumn(getName(other)), " ", makeQuiet(formatTenths(shares[other]))]);
  if (list.length > most) parts.push(makeQuiet(` and ${formatCount(list.length - most)} more`));
  return parts;
}
