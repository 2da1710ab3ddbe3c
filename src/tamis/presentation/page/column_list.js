// What is known of every column of the table, by its position in it: values to sort and to show.
import { data } from "./model.js";
import { getName, indexNames, isChoice, state } from "./state.js";
import { findFate, findRank } from "./status.js";
import { formatChange, formatCount, isNumber, readOwn } from "./text.js";
import { listWishes } from "./wishes.js";

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

/** @type {Set<number> | null} */
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

// The share explained on new rows, known for the choice of Python alone; below 0 it is -1.
/** @param {number} position */
export function getNewRows(position) {
  const column = indexNames().column.get(position);
  if (column === undefined || !isChoice()) return null;
  const found = state.starting.listed.new_rows?.[column];
  return found === undefined || found === null ? null : found < 0 ? -1 : found / 1000;
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
    return { kept: rank, lost: 1e6, partly: 2e6, safe: 3e6, out: 4e6 }[kind];
  },
  kind: getKind,
  missing: getMissing,
  distinct: getDistinct,
  range: (position) => (isNumber(state.starting.listed.low[position] ?? "") ? Number(state.starting.listed.low[position]) : null),
  share: (position) => {
    const { column, share } = findFate(position);
    return column === undefined ? null : share ?? 1;
  },
  new_rows: getNewRows,
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
