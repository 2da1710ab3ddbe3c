// What is known and said of every column of the table, by its position in it.
import { make, makeName, makeQuiet } from "./elements.js";
import { data, getFirstShares, makeDrawers } from "./model.js";
import { getName, indexNames, isChoice, linkColumn, listKept, state } from "./state.js";
import { fillPattern, formatChange, formatCount, formatTenths, isNumber, pluralise, readOwn, sortByWeight } from "./text.js";
import { listWishes } from "./wishes.js";

/** @type {Record<Fate["kind"], string>} */
export const STATUS_WORDS = { ...RULES.pictures.DRAWER_WORDS, out: "skipped" };

// The place of a column on the path; -1 where it has none.
/** @param {number} column */
const findRank = (column) => indexNames().rank.get(column) ?? -1;

// What became of a column; `position` is that of its name in the table.
/** @type {(position: number) => Fate} */
export function findFate(position) {
  const { model, k } = state;
  const column = indexNames().column.get(position);
  if (column === undefined) return { kind: "out" };
  const rank = findRank(column);
  if (rank >= 0 && rank < k) return { kind: "kept", column };
  return { kind: makeDrawers(model, k)(column), column, share: getFirstShares(model, k)[column] };
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
  const drawer = kind === "dropped" ? "" : `, ${STATUS_WORDS[kind]}`;
  return { ...fate, text: `dropped${drawer}: ${formatTenths(share ?? 0)} explained on ${model.getNewRows(k) ? "new" : "these"} rows` };
}

// The few kept columns with their weights.
/** @type {(column: number) => (Node | string)[]} */
export function describeSources(column) {
  const { model, k } = state;
  const share = model.getShares(k)[column];
  const found = model.getSources(column, k);
  if (!found) return [makeQuiet(`listed for ${pluralise(data.k, "column")} only`)];
  const { carried } = found;
  const pairs = share > (model.getChance(k) ?? 0) ? found.pairs : []; // by chance weights say nothing
  /** @type {(Node | string)[]} */
  const parts = [];
  const reason = isChoice() && readOwn(state.starting.reasons, getName(column));
  if (reason) parts.push(make("span", { class: "reason" }, reason === "forbidden" ? "forbidden by you" : reason), " ");
  parts.push(...sortByWeight(pairs).flatMap(writeTerm));
  if (!pairs.length) parts.push(makeQuiet(data.words.nothing));
  else if (data.words.alone.length && carried < share - 1e-9) {
    parts.push(" ", makeQuiet(fillPattern(data.words.alone[pairs.length - 1], formatTenths(carried))));
  }
  if (found.step !== k && pairs.length) parts.push(" ", makeQuiet(`(when ${formatCount(found.step)} are kept)`));
  return parts;
}

/** @param {number} weight */
const formatWeight = (weight) =>
  (data.words.in_percent ? `${Math.round(100 * Math.abs(weight))}%` : Math.abs(weight).toFixed(2));

/** @type {(pair: Pair, place: number) => (Node | string)[]} */
function writeTerm([source, weight], place) {
  const size = formatWeight(weight);
  const name = getName(source);
  const mark = isNumber(name) ? '"' : "";
  const before = data.words.before[place > 0 ? 1 : 0][weight < 0 ? 1 : 0];
  return [fillPattern(before, size) + mark, make("b", {}, makeName(name)), mark + fillPattern(data.words.after, size)];
}

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
  const shares = getFirstShares(model, k);
  lists.forEach((list) => list.sort((a, b) => shares[b] - shares[a]));
  latest = { model, k, lists, known };
  return latest;
}

/** @param {number} column */
export const listWards = (column) => groupWards().lists.get(column) ?? [];

/** @param {number} column */
export function linkWards(column, most = 60) {
  const list = listWards(column);
  const shares = getFirstShares(state.model, state.k);
  const parts = list.slice(0, most).flatMap((other, i) =>
    [i ? ", " : "", linkColumn(getName(other)), " ", makeQuiet(formatTenths(shares[other]))]);
  if (list.length > most) parts.push(makeQuiet(` and ${formatCount(list.length - most)} more`));
  return parts;
}

/** @param {number} position */
export const getKind = (position) => {
  const { kinds, kind_of: kindOf } = state.starting.listed;
  const kind = kindOf[position];
  return kind === undefined || kind === null ? "" : kinds[kind];
};

// The share of the rows in which a column has no value, null where that is unknown.
/** @param {number} position */
export function getMissing(position) {
  const { listed: { rows, missing: counts }, missing, names } = state.starting;
  const count = counts[position];
  if (typeof count === "number" && rows) return count / rows;
  return readOwn(missing, names[position]) ?? (indexNames().column.has(position) ? 0 : null);
}

/** @param {number} position */
const getDistinct = (position) => state.starting.listed.distinct[position] ?? null;

let estimated = null;
/** @param {number} position */
export function formatDistinct(position) {
  const distinct = getDistinct(position);
  estimated ??= new Set(state.starting.listed.estimated);
  return distinct === null ? "" : `${estimated.has(position) ? "~" : ""}${formatCount(distinct)}`;
}

/** @param {number} position */
export function formatRange(position) {
  const { low, high } = state.starting.listed;
  if (!low[position]) return "";
  const [from, to] = [low, high].map((side) => (isNumber(side[position]) ? side[position].replace("-", "−") : side[position]));
  return from === to ? from : `${from} … ${to}`;
}

/** @param {number} position */
export const listOddities = (position) => readOwn(state.starting.listed.odd, String(position)) ?? [];

/** @type {{ pins: string[], barred: string[], names: Set<string> } | null} */
let fixed = null;
// The columns of which the call or a wish says what becomes of them, by name.
function listFixed() {
  const { pins, barred, starting } = state;
  if (fixed?.pins === pins && fixed.barred === barred) return fixed.names;
  const { include, forbid } = listWishes();
  const called = Object.entries(starting.reasons).flatMap(([name, why]) => (why === "forbidden" ? [name] : []));
  fixed = { pins, barred, names: new Set([...data.included, ...include, ...forbid, ...called]) };
  return fixed.names;
}
/** @param {number} position */
export const isFixed = (position) => listFixed().has(state.starting.names[position]);

// Why a column is what it is, and what stands in for it, in one line.
/** @type {(position: number, fate: Fate) => { why: string, other: string | null, note: string }} */
export function explainFate(position, { kind, column }) {
  const { model, k, starting } = state;
  const name = model.names[position];
  if (column === undefined) return { why: readOwn(starting.skipped, name) ?? "not analysed", other: null, note: "" };
  if (kind === "kept") {
    const why = data.included.includes(name) || state.pins.includes(name) ? "fixed by you" : "";
    const [swap] = (isChoice() && readOwn(data.swaps, name)) || [];
    return { why, other: swap ? swap[0] : null, note: swap ? formatChange(swap[1]) : "" };
  }
  const reason = (isChoice() && readOwn(starting.reasons, name)) || "";
  const why = reason === "forbidden" || state.barred.includes(name) ? "forbidden by you" : reason;
  const pairs = model.getSources(column, k)?.pairs ?? [];
  return { why, other: pairs.length ? getName(pairs[0][0]) : null, note: "" };
}

/** @type {Record<string, (position: number) => number | string | null>} */
const KEYS = {
  place: (position) => position,
  name: (position) => state.model.names[position],
  status: (position) => {
    const { kind, column } = findFate(position);
    const rank = column === undefined ? 0 : findRank(column);
    return { kept: rank, lost: 1e6, partly: 2e6, safe: 3e6, dropped: 3e6, out: 4e6 }[kind];
  },
  kind: getKind,
  missing: getMissing,
  distinct: getDistinct,
  range: (position) => (isNumber(state.starting.listed.low[position] ?? "") ? Number(state.starting.listed.low[position]) : null),
  share: (position) => {
    const column = indexNames().column.get(position);
    return column === undefined ? null : state.model.getShares(state.k)[column];
  },
  new_rows: (position) => {
    const { column, share } = findFate(position);
    return column === undefined || !state.model.getNewRows(state.k) ? null : share ?? 1;
  },
  why: (position) => explainFate(position, findFate(position)).other,
};

// Sort positions by what is asked; what is unknown comes last.
/** @type {(positions: number[], by: string, falling: boolean) => number[]} */
export function sortPositions(positions, by, falling) {
  const way = falling ? -1 : 1;
  const names = new Intl.Collator("en", { numeric: true });
  const keys = new Map(positions.map((position) => [position, KEYS[by](position)]));
  return [...positions].sort((a, b) => {
    const [x, y] = [keys.get(a) ?? null, keys.get(b) ?? null];
    if (x === null || y === null || x === "" || y === "") {
      return Number(x === null || x === "") - Number(y === null || y === "") || a - b;
    }
    const order = typeof x === "number" && typeof y === "number" ? x - y : names.compare(String(x), String(y));
    return way * order || a - b;
  });
}
