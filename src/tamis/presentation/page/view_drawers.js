// The dropped columns in three drawers: safe to drop, partly lost, lost. In one where new rows were not measured.
import { describeSources } from "./columns.js";
import { copyNames } from "./copying.js";
import { find, findAs, make, makeBar, makeQuiet, markSorted, pick, pickAll } from "./elements.js";
import { data, getFirstShares, makeDrawers } from "./model.js";
import { getName, linkColumn, listKept, state } from "./state.js";
import { formatCount, formatTenths, readOwn } from "./text.js";

const MAX_EQUALS = 11; // columns named beside one of the same share
const ROWS_PER_PRESS = 500; // rows that are shown by a press
/** @type {Kind[]} */
const KINDS = data.new_rows ? ["safe", "partly", "lost", "dropped"] : ["dropped"];
/** @type {{ by: string, falling: boolean, most: Partial<Record<Kind, number>> }} */
const sorting = { by: "share", falling: false, most: {} };
let shown = false;

function groupDropped() {
  const { k, model } = state;
  const kept = new Set(listKept());
  const findDrawer = makeDrawers(model, k);
  /** @type {Record<Kind, number[]>} */
  const drawers = { safe: [], partly: [], lost: [], dropped: [] };
  for (let column = 0; column < model.used.length; column++) {
    if (!kept.has(column)) drawers[findDrawer(column)].push(column);
  }
  return drawers;
}

/** @param {number[]} columns */
function sortColumns(columns) {
  const shares = getFirstShares(state.model, state.k);
  const way = sorting.falling ? -1 : 1;
  const names = new Intl.Collator("en", { numeric: true });
  return sorting.by === "share"
    ? columns.sort((a, b) => way * (shares[a] - shares[b]) || a - b)
    : columns.sort((a, b) => way * names.compare(getName(a), getName(b)));
}

// Columns of the same share that nothing explains stand in one row.
/** @param {number[]} columns */
function groupEquals(columns) {
  const { model, k } = state;
  const [shares, first] = [model.getShares(k), getFirstShares(model, k)];
  const chance = model.getChance(k) ?? 0;
  /** @param {number} column */
  const isUnexplained = (column) => {
    const found = model.getSources(column, k);
    return found !== null && (shares[column] <= chance || !found.pairs.length);
  };
  /** @type {number[][]} */
  const groups = [];
  columns.forEach((column) => {
    const last = groups[groups.length - 1];
    const alike = last !== undefined && readReason(last[0]) === readReason(column)
      && [shares, first].every((some) => formatTenths(some[last[0]]) === formatTenths(some[column]));
    if (alike && isUnexplained(last[0]) && isUnexplained(column)) last.push(column);
    else groups.push([column]);
  });
  return groups;
}
/** @param {number} column */
const readReason = (column) => readOwn(state.starting.reasons, getName(column)) ?? "";

/** @param {number[]} columns */
function makeRow([column, ...equals]) {
  const { model, k } = state;
  const share = getFirstShares(model, k)[column];
  const here = model.getNewRows(k) ? [make("td", { role: "cell", class: "here quiet" }, formatTenths(model.getShares(k)[column]))] : [];
  const measured = make("td", { role: "cell", class: "share" }, makeBar(100 * share),
    make("span", { class: "number" }, formatTenths(share)));
  return make("tr", { role: "row" },
    make("th", { role: "rowheader", scope: "row" }, linkColumn(getName(column)),
      ...equals.slice(0, MAX_EQUALS).flatMap((other) => [", ", linkColumn(getName(other))]),
      ...(equals.length > MAX_EQUALS ? [" ", makeQuiet(`and ${formatCount(equals.length - MAX_EQUALS)} more`)] : [])), measured, ...here,
    make("td", { role: "cell", class: "from" }, ...describeSources(column)));
}

/** @type {(kind: Kind, columns: number[]) => void} */
function fillDrawer(kind, columns) {
  const drawer = findAs(`drawer-${kind}`, HTMLDetailsElement);
  if (!drawer.open) return;
  const most = sorting.most[kind] ?? data.rows;
  const ordered = sortColumns(columns).slice(0, most);
  find(`rows-${kind}`).replaceChildren(...groupEquals(ordered).map(makeRow));
  const more = pick(drawer, ".more");
  more.hidden = columns.length <= most;
  const worst = sorting.by === "share" && !sorting.falling;
  const listed = formatCount(ordered.length);
  pick(more, ".more-text").textContent =
    `The ${worst ? `${listed} least explained` : `first ${listed}`} of ${formatCount(columns.length)} are listed.`;
  const button = pick(more, ".show-all");
  button.hidden = false;
  button.textContent = columns.length - most <= ROWS_PER_PRESS ? "Show all" : `Show ${ROWS_PER_PRESS} more`;
}

function fillDrawers() {
  const drawers = groupDropped();
  KINDS.forEach((kind) => fillDrawer(kind, drawers[kind]));
}

// The counts follow the slider at once.
export function showCounts() {
  const { k, model } = state;
  const drawers = groupDropped();
  const all = model.used.length - k;
  find("dropped-count").textContent = formatCount(all);
  find("interpolated").hidden = model.isExact?.(k) ?? true;
  KINDS.forEach((kind) => {
    const count = drawers[kind].length;
    find(`count-${kind}`).textContent = formatCount(count);
    find(`part-${kind}`).style.width = `${(100 * count) / Math.max(all, 1)}%`;
  });
}

/** @type {View} */
export function showDrawers({ k, model }, before) {
  if (shown && before.k === k && before.model === model) return;
  if (shown) sorting.most = {}; // drawing every row would make the slider lag
  shown = true;
  fillDrawers();
}

/** @param {string} kind */
function sortBy(kind) {
  sorting.falling = sorting.by === kind && !sorting.falling;
  sorting.by = kind;
  markSorted("th[data-sort]", "sort", kind, sorting.falling);
  fillDrawers();
}

/** @param {Kind} kind */
function startDrawer(kind) {
  const drawer = find(`drawer-${kind}`);
  drawer.addEventListener("toggle", fillDrawers);
  pick(drawer, ".tools").hidden = false;
  pick(drawer, ".copy-drawer").addEventListener("click", () => {
    const columns = sortColumns(groupDropped()[kind]);
    copyNames(columns.map((column) => getName(column)), pick(drawer, "[role=status]"));
  });
  pick(drawer, ".show-all").addEventListener("click", () => {
    sorting.most[kind] = (sorting.most[kind] ?? data.rows) + ROWS_PER_PRESS;
    fillDrawers();
  });
}

export function startDrawers() {
  pickAll("th[data-sort]", HTMLElement).forEach((header) => {
    header.querySelectorAll("button").forEach((button) => {
      button.disabled = false;
      button.addEventListener("click", () => sortBy(header.dataset.sort ?? "share"));
    });
  });
  KINDS.forEach(startDrawer);
}
