// What is known of one column: may I drop it, and why.
import { countDistinct, drawCharts } from "./card_charts.js";
import { formatDistinct, formatRange, getKind, getNewRows, listOddities } from "./column_list.js";
import { find, getMeaning, make, makeName, makeQuiet } from "./elements.js";
import { linkColumn } from "./links.js";
import { data } from "./model.js";
import { describeSources } from "./sources.js";
import { indexNames, isChoice, setState, state } from "./state.js";
import { describeStatus } from "./status.js";
import { formatChange, formatCount, formatPercent, formatTenths, pluralise, readOwn } from "./text.js";
import { groupWards, linkWards, listWards } from "./wards.js";

/** @typedef {[term: string, parts: (Node | string)[]]} Row */

/** @type {(column: number, share: number) => Row[]} */
function describeDropped(column, share) {
  const { model, k } = state;
  const chance = model.getChance(k);
  const text = `${formatTenths(share)} by ${pluralise(k, "kept column")}`
    + (chance === null ? "" : ` (chance: ${formatTenths(chance)})`)
    + ((model.isExact?.(k) ?? true) ? "" : ", interpolated");
  const fresh = getNewRows(model.used[column]);
  /** @type {Row[]} */
  const rows = [["Explained", [text]]];
  if (fresh !== null) rows.push(["On new rows", [fresh < 0 ? "worse than predicting the mean" : formatTenths(fresh)]]);
  return [...rows, ["Mostly by", describeSources(column, share)]];
}

/** @type {(name: string, column: number) => Row[]} */
function describeKept(name, column) {
  const { model } = state;
  const rank = model.path.indexOf(column);
  const gain = model.retained[rank] - (model.retained[rank - 1] ?? 0);
  /** @type {Row[]} */
  const rows = [["Adds", [`${formatPercent(gain)} ${data.words.share}`]]];
  const { length } = listWards(column);
  if (groupWards().known) {
    rows.push([`Stands for ${formatCount(length)}`, length ? linkWards(column, 12) : ["no dropped column"]]);
  }
  if (!isChoice()) return rows;
  const swaps = readOwn(data.swaps, name) ?? [];
  if (swaps.length) {
    rows.push(["Substitutes", swaps.flatMap(([other, change], i) =>
      [i ? ", " : "", linkColumn(other), " ", makeQuiet(`(${formatChange(change)})`)])]);
  }
  if (data.frequency) {
    const often = Math.round(100 * (readOwn(data.frequency, name) ?? 0));
    rows.push(["Kept in", [data.included.includes(name) ? "all half-samples: included by you" : `${often}% of the half-samples`]]);
  }
  return rows;
}

/** @type {(name: string, position: number, column: number | undefined) => Row[]} */
function describeValues(name, position, column) {
  const { kinds, missing } = state.starting;
  const meaning = getMeaning(name);
  /** @type {Row[]} */
  const rows = meaning ? [["Meaning", [meaning]]] : [];
  const kind = getKind(position);
  const known = kind || (kinds ? kinds.words[kinds.each ? kinds.each[position] : 0] : "");
  if (known) rows.push(["Kind", [known]]);
  if (listOddities(position).length) rows.push(["Odd", [listOddities(position).join("; ")]]);
  const absent = readOwn(missing, name);
  if (absent || column !== undefined) {
    rows.push(["Missing", [absent ? `${formatTenths(absent)} of the rows` : "none"]]);
  }
  if (formatRange(position)) rows.push(["Range", [formatRange(position)]]);
  const distinct = column === undefined ? null : countDistinct(column);
  if (distinct === null && formatDistinct(position)) rows.push(["Distinct", [formatDistinct(position)]]);
  if (distinct !== null) rows.push(["Distinct", [`${formatCount(distinct)} in ${pluralise(data.sample.seen, "row")}`]]);
  return rows;
}

/** @type {(name: string, position: number, status: Status) => Row[]} */
function describeColumn(name, position, { column, share, kind }) {
  const dropped = column !== undefined && share !== undefined ? describeDropped(column, share) : [];
  const kept = column !== undefined && kind === "kept" ? describeKept(name, column) : [];
  return [...dropped, ...kept, ...describeValues(name, position, column)];
}

function fillCard() {
  const name = state.column;
  const position = name === null ? undefined : indexNames().position.get(name);
  find("card").hidden = position === undefined;
  if (name === null || position === undefined) return;
  const status = describeStatus(position);
  find("card-title").replaceChildren(makeName(name));
  find("card-status").replaceChildren(make("i", { class: `spot ${status.kind}`, "aria-hidden": "true" }), status.text);
  find("card-facts").replaceChildren(...describeColumn(name, position, status).flatMap(([term, parts]) =>
    [make("dt", {}, term), make("dd", {}, ...parts)]));
  find("card-charts").replaceChildren(...(status.column === undefined ? [] : drawCharts(status.column)));
}

/** @type {View} */
export function showCard({ column }, before) {
  if (column !== null || before.column !== null) fillCard();
}

export function startCard() {
  find("card-close").addEventListener("click", () => {
    setState({ column: null });
    find("filter").focus();
  });
}
