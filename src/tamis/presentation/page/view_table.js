// All columns of the table in one list, analysed or not: searched, filtered, sorted. Only the rows
// in sight are in the page, so that 100,000 columns scroll as 100 do.
import {
  explainFate, findFate, formatDistinct, formatRange, getKind, getMissing, isFixed, listOddities, sortPositions, STATUS_WORDS,
} from "./columns.js";
import { find, findAs, make, makeBar, makeName, markSorted, pick, pickAll, runLater } from "./elements.js";
import { data } from "./model.js";
import { linkColumn, state } from "./state.js";
import { formatCount, formatTenths, pluralise } from "./text.js";

const MAX_LISTED_AT_ONCE = 5000; // columns; more are searched when the typing rests
const MAX_UNHOVERED = 14; // letters of a cell that are always in sight
const ROWS_BEYOND = 12; // rows above and below those in sight

const asked = { chip: "all", by: "place", falling: false };
/** @type {number[]} */
let listed = []; // positions, in the order in which they are shown
let lowered = null;
let drawnFrom = -1;

/** @type {Record<string, (position: number, fate: Fate) => boolean>} */
const CHIPS = {
  all: () => true,
  kept: (_, { kind }) => kind === "kept",
  dropped: (_, { kind }) => kind !== "kept" && kind !== "out",
  skipped: (_, { kind }) => kind === "out",
  odd: (position) => listOddities(position).length > 0,
  fixed: (position) => isFixed(position),
};

// Names that begin with what is asked come first, the shortest of them before the others.
/** @type {(positions: number[], wanted: string) => number[]} */
function matchNames(positions, wanted) {
  if (!wanted) return positions;
  const names = lowered ??= state.model.names.map((name) => name.toLowerCase());
  /** @type {number[]} */
  const first = [];
  /** @type {number[]} */
  const rest = [];
  positions.forEach((position) => {
    const at = names[position].indexOf(wanted);
    if (at === 0) first.push(position);
    else if (at > 0) rest.push(position);
  });
  return [...first.sort((a, b) => names[a].length - names[b].length), ...rest];
}

function listColumns() {
  const wanted = findAs("filter", HTMLInputElement).value.trim().toLowerCase();
  const every = state.model.names.map((_, position) => position);
  const mine = asked.chip === "all" ? every
    : every.filter((position) => CHIPS[asked.chip](position, findFate(position)));
  const matches = matchNames(mine, wanted);
  listed = asked.by === "place" && !asked.falling ? matches : sortPositions(matches, asked.by, asked.falling);
  const total = pluralise(every.length, "column");
  find("found-count").textContent = wanted && !listed.length ? `None of the ${total} has this in its name.`
    : listed.length < every.length ? `${formatCount(listed.length)} of ${total}` : total;
  pick(document, ".all table").setAttribute("aria-rowcount", String(listed.length + 1));
  drawnFrom = -1;
  find("all-box").scrollTop = 0;
  drawRows();
}

// Counts on the chips; a chip without columns is not offered.
function countChips() {
  const counts = Object.fromEntries(Object.keys(CHIPS).map((chip) => [chip, 0]));
  state.model.names.forEach((_, position) => {
    const status = findFate(position);
    Object.entries(CHIPS).forEach(([chip, holds]) => { if (holds(position, status)) counts[chip] += 1; });
  });
  pickAll("#all-chips button", HTMLButtonElement).forEach((button) => {
    const chip = button.dataset.chip ?? "all";
    pick(button, ".count").textContent = formatCount(counts[chip]);
    button.hidden = !counts[chip] && chip !== asked.chip;
  });
}

// A cell; what it says in full is shown where there is no room for it.
/** @type {(kind: string, ...children: (Node | string)[]) => HTMLElement} */
function makeCell(kind, ...children) {
  const cell = make("td", { role: "cell", class: kind }, ...children);
  if ((cell.textContent ?? "").length > MAX_UNHOVERED) cell.title = cell.textContent ?? "";
  return cell;
}

// A share as a number, and a bar where it stands first.
/** @type {(name: string, kind: Fate["kind"], share: number | undefined, first: boolean) => HTMLElement} */
const makeShare = (name, kind, share, first) => makeCell(`right ${name}`,
  ...(kind === "kept" ? ["–"] : share === undefined ? [] : [...(first ? [makeBar(100 * share)] : []), formatTenths(share)]));

/** @param {number} position */
function makeRow(position) {
  const status = findFate(position);
  const name = state.model.names[position];
  const { why, other, note } = explainFate(position, status);
  const badges = [...(isFixed(position) ? [make("span", { class: "lock", role: "img", title: "fixed by you", "aria-label": "fixed by you" })] : []),
    ...listOddities(position).map((text) => make("span", { class: "tag", title: text }, text))];
  const missing = getMissing(position);
  const { column, kind, share } = status;
  const measured = state.model.getNewRows(state.k) !== null;
  const stands = other === null ? [] : [why ? "; " : "", status.kind === "kept" ? "could be replaced by " : "mostly explained by ", make("b", {}, makeName(other)), note ? ` (${note})` : ""];
  const row = make("tr", { role: "row", "data-position": position },
    make("th", { role: "rowheader", scope: "row" }, linkColumn(name), make("span", { class: "tags" }, ...badges)),
    makeCell("status", make("i", { class: `spot ${status.kind}`, "aria-hidden": "true" }), STATUS_WORDS[status.kind]),
    makeCell("kind", getKind(position)),
    makeCell("right missing", missing === null ? "" : missing ? formatTenths(missing) : "0"),
    makeCell("right distinct", formatDistinct(position)),
    makeCell("right range", formatRange(position)),
    ...(data.new_rows ? [makeShare("fresh", kind, measured ? share : undefined, true)] : []),
    makeShare("explained", kind, column === undefined ? undefined : state.model.getShares(state.k)[column], !measured),
    makeCell("why", why, ...stands),
    makeCell("plain-facts", [getKind(position), formatRange(position), missing ? `${formatTenths(missing)} missing` : ""]
      .filter(Boolean).join(" · ")));
  return row;
}

const measureRow = () => Number.parseFloat(getComputedStyle(find("found")).getPropertyValue("--row")) || 44;

// Draw the rows in sight; empty rows of the right height stand for the others.
function drawRows() {
  const box = find("all-box");
  const each = measureRow();
  const room = Math.ceil((box.clientHeight || 400) / each) + 2 * ROWS_BEYOND;
  const first = Math.max(Math.floor(box.scrollTop / each) - ROWS_BEYOND, 0);
  const from = Math.min(first, Math.max(listed.length - room, 0));
  if (from === drawnFrom) return;
  drawnFrom = from;
  const rows = listed.slice(from, from + room).map(makeRow);
  rows.forEach((row, i) => row.setAttribute("aria-rowindex", String(from + i + 2)));
  /** @param {number} count */
  const makeSpace = (count) => {
    const space = make("tr", { "aria-hidden": "true", class: "space" });
    space.style.height = `${count * each}px`;
    return count > 0 ? [space] : [];
  };
  find("found").replaceChildren(...makeSpace(from), ...rows, ...makeSpace(listed.length - from - rows.length));
}

const listLater = runLater(listColumns, 60);

/** @param {string} by */
function sortBy(by) {
  const again = asked.by === by;
  if (again && asked.falling !== startsFalling(by)) Object.assign(asked, { by: "place", falling: false });
  else Object.assign(asked, { by, falling: again ? !asked.falling : startsFalling(by) });
  markSorted(".all th[data-by]", "by", asked.by, asked.falling);
  listColumns();
}
/** @param {string} by */
const startsFalling = (by) => by === "missing" || by === "distinct";

function startFilter() {
  const filter = find("filter");
  filter.addEventListener("input", () => listLater(state.model.names.length > MAX_LISTED_AT_ONCE));
  filter.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    listLater(false);
    find("found").querySelector("a")?.click();
  });
  pick(document, "nav a[href='#find']").addEventListener("click", () => setTimeout(() => filter.focus(), 50));
}

export function startTable() {
  find("all-columns").hidden = false;
  startFilter();
  pickAll("#all-chips button", HTMLButtonElement).forEach((button) => button.addEventListener("click", () => {
    asked.chip = button.dataset.chip ?? "all";
    pickAll("#all-chips button", HTMLButtonElement).forEach((one) => one.setAttribute("aria-pressed", String(one === button)));
    listColumns();
  }));
  pickAll(".all th[data-by] button", HTMLButtonElement).forEach((button) =>
    button.addEventListener("click", () => sortBy(button.closest("th")?.dataset.by ?? "place")));
  find("all-box").addEventListener("scroll", drawRows);
  window.addEventListener("resize", () => { drawnFrom = -1; drawRows(); });
  showFirstRows();
}

// A few rows of the kept columns, as they are in the table.
function showFirstRows() {
  const shown = state.starting.listed.rows_shown;
  if (!shown.length) return;
  const columns = data.path.slice(0, shown.length);
  const names = columns.map((column) => state.starting.names[state.starting.used[column]]);
  find("rows-head").replaceChildren(...names.map((name) => make("th", { scope: "col" }, makeName(name))));
  find("rows-body").replaceChildren(...shown[0].map((_, row) => make("tr", {},
    ...shown.map((cells) => make("td", {}, cells[row])))));
  find("sample-rows").hidden = false;
}

/** @type {View} */
export function showTable({ k, model }, before) {
  if (before.k === k && before.model === model && listed.length) return;
  countChips();
  const top = find("all-box").scrollTop;
  listColumns();
  find("all-box").scrollTop = top;
  drawRows();
}
