// One state for all views and what draws them; the address and the facts of one column follow it.
import { find, make, makeName, pick, setMeanings } from "./elements.js";
import { data, loadModel } from "./model.js";

const MAX_UNDELAYED = 60; // columns; the long lists of a wider table wait until the slider rests

/** @type {Omit<State, "starting" | "model">} */
const first = { k: data.k, pins: [], barred: [], prices: {}, column: null };
export const state = /** @type {State} */ (first); // its models are there before any view is

/** @type {Parts} */
let parts = { starters: [], views: [], slowViews: [], chooseModel: () => state.starting };
/** @type {State | null} */
let drawnState = null; // what the slow views show
let drawing = 0;

export const listKept = () => state.model.path.slice(0, state.k);
/** @param {number} column */
export const getName = (column, model = state.model) => model.names[model.used[column]];
export const listKeptNames = () => listKept().map((column) => getName(column));
export const isChoice = () => state.model.base && state.k === data.k;

/** @typedef {{ position: Map<string, number>, column: Map<number, number>, rank: Map<number, number> }} Index */

/** @type {WeakMap<Model, Index>} */
const indexes = new WeakMap();
// The position of a name in the table, the column of a position that was analysed, the place of a column on the path.
export function indexNames(model = state.model) {
  const index = indexes.get(model) ?? {
    position: new Map(model.names.map((name, place) => [name, place])),
    column: new Map(Array.from(model.used, (place, j) => [place, j])),
    rank: new Map(model.path.map((column, rank) => [column, rank])),
  };
  indexes.set(model, index);
  return index;
}

// The column of a name, or undefined where it was not analysed.
/** @param {string} name */
export function findColumn(name, model = state.model) {
  const { position, column } = indexNames(model);
  const place = position.get(name);
  return place === undefined ? undefined : column.get(place);
}

/** @param {Partial<State>} patch */
export function setState(patch) {
  const before = { ...state };
  Object.assign(state, patch);
  state.model = parts.chooseModel(state);
  const least = state.model.least ?? 1;
  state.k = Math.min(Math.max(Math.round(state.k), least), state.model.path.length);
  parts.views.forEach((view) => view(state, before));
  clearTimeout(drawing);
  const moves = drawnState?.model === state.model && before.k !== state.k;
  if (moves && state.model.used.length > MAX_UNDELAYED) drawing = setTimeout(drawSlowly, 90, before);
  else drawSlowly(before);
  writeHash();
  if (window.parent !== window) {
    const { k, pins, barred, prices } = state;
    window.parent.postMessage({ tamis: { k, names: listKeptNames(), pins, barred, prices } }, "*");
  }
}

/** @param {State} last */
function drawSlowly(last) {
  const before = drawnState ?? last;
  drawnState = { ...state };
  parts.slowViews.forEach((view) => view(state, before));
  document.documentElement.dataset.drawn = String(state.k);
}

/** @returns {Partial<State> & { column: string | null }} */
function readHash() {
  const given = new URLSearchParams(location.hash.slice(1));
  const known = indexNames().position;
  /** @param {string} key */
  const listNames = (key) => given.getAll(key).filter((name) => known.has(name));
  const prices = given.getAll("price").map((text) => {
    const cut = text.lastIndexOf(":");
    return /** @type {const} */ ([text.slice(0, cut), Number(text.slice(cut + 1))]);
  }).filter(([name, price]) => known.has(name) && price > 0);
  return {
    ...(Number(given.get("k")) >= 1 ? { k: Number(given.get("k")) } : {}),
    column: listNames("col")[0] ?? null,
    pins: listNames("pin"),
    barred: listNames("bar"),
    prices: Object.fromEntries(prices),
  };
}

// What is scrolled to must not lie under the bar.
function clearOfBar() {
  const bar = pick(document, ".sticky");
  const covered = getComputedStyle(bar).position === "sticky" ? bar.offsetHeight : 0; // in a low window it scrolls away
  document.documentElement.style.scrollPaddingTop = `${covered + 12}px`;
}

let barHeight = 0;
// When the bar grows, by a wish that it lists, a card that was clear of it stays so.
export function keepCardClear() {
  const { bottom, height } = pick(document, ".sticky").getBoundingClientRect();
  const { top, height: cardHeight } = find("card").getBoundingClientRect();
  const grown = barHeight ? height - barHeight : 0;
  barHeight = height;
  clearOfBar();
  if (cardHeight && grown > 0 && top < bottom && top >= bottom - grown - 1) window.scrollBy(0, top - bottom - 12);
}

function openCard() {
  clearOfBar();
  find("card").scrollIntoView({ block: "start" });
  find("card").focus({ preventScroll: true });
}

/** @param {string} name */
export function openColumn(name) {
  setState({ column: name });
  openCard();
}

/** @param {string} name */
export function linkColumn(name) {
  const link = make("a", { class: "to-column", href: `#col=${encodeURIComponent(name)}` }, makeName(name));
  link.addEventListener("click", (event) => {
    event.preventDefault();
    openColumn(name);
  });
  return link;
}

let written = location.hash;
let writing = 0;
function writeHash() {
  const given = new URLSearchParams();
  if (!isChoice()) given.append("k", String(state.k));
  if (state.column !== null) given.append("col", state.column);
  state.pins.forEach((name) => given.append("pin", name));
  state.barred.forEach((name) => given.append("bar", name));
  Object.entries(state.prices).forEach(([name, price]) => given.append("price", `${name}:${price}`));
  const hash = String(given) ? `#${given}` : "";
  if (hash === written) return;
  written = hash;
  clearTimeout(writing); // browsers allow few changes a second
  writing = setTimeout(() => {
    try {
      history.replaceState(null, "", hash || location.pathname + location.search);
    } catch { /* a page inside a frame has no address of its own */ }
  }, 120);
}

function followHash() {
  const asked = readHash();
  setState(asked);
  if (asked.column !== null) openCard();
}

/** @param {Parts} given */
export async function startPage(given) {
  if (!window.DecompressionStream) return; // the page stays as it is: complete for your choice
  parts = given;
  state.starting = await loadModel();
  state.model = state.starting;
  setMeanings(state.starting.texts);
  parts.starters.forEach((starter) => starter());
  followHash();
  window.addEventListener("hashchange", () => {
    if (location.hash === written) return;
    written = location.hash;
    if (/^#(k|col|pin|bar|price)=/.test(written)) followHash(); // others are places on the page
  });
  document.documentElement.dataset.ready = "yes";
}
