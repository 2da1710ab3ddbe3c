// One state for all views. Columns are given by name in `pins`, `barred`, `prices` and `column`.
const state = { k: data.k, model: null, pins: [], barred: [], prices: {}, column: null };
let starting = null; // the model that Python has found, with what else is known of the table
const views = []; // functions of (state, before): draw what has changed
const slowViews = []; // the same for long lists: of a wide table they wait until the slider rests
const WIDE = 60;
let drawnState = null; // what the slow views show
const starters = []; // functions called once, when the model is there

const keptNow = () => state.model.path.slice(0, state.k);
const nameOf = (column, model = state.model) => model.names[model.used[column]];
const isChoice = () => state.model.base && state.k === data.k;

// The position of a name in the table, and its column among the analysed ones (or undefined).
const lookups = new WeakMap();
function lookup(model = state.model) {
  if (!lookups.has(model)) {
    const position = new Map(model.names.map((name, place) => [name, place]));
    const column = new Map(Array.from(model.used, (place, j) => [place, j]));
    lookups.set(model, { position, column, of: (name) => column.get(position.get(name)) });
  }
  return lookups.get(model);
}

function setState(patch) {
  const before = { ...state };
  Object.assign(state, patch);
  if (data.live) state.model = modelFor(state);
  const least = state.model.least ?? 1;
  state.k = Math.min(Math.max(Math.round(state.k), least), state.model.path.length);
  views.forEach((view) => view(state, before));
  clearTimeout(drawSlowly.timer);
  const moves = drawnState?.model === state.model && before.k !== state.k;
  if (moves && state.model.used.length > WIDE) drawSlowly.timer = setTimeout(drawSlowly, 90, before);
  else drawSlowly(before);
  writeHash();
  if (window.parent !== window) {
    const { k, pins, barred, prices } = state;
    const names = keptNow().map((column) => nameOf(column));
    window.parent.postMessage({ tamis: { k, names, pins, barred, prices } }, "*");
  }
}

function drawSlowly(first) {
  const before = drawnState ?? first;
  drawnState = { ...state };
  slowViews.forEach((view) => view(state, before));
  document.documentElement.dataset.drawn = state.k;
}

function readHash() {
  const given = new URLSearchParams(location.hash.slice(1));
  const known = lookup().position;
  const all = (key) => given.getAll(key).filter((name) => known.has(name));
  const prices = given.getAll("price").map((text) => {
    const cut = text.lastIndexOf(":");
    return [text.slice(0, cut), Number(text.slice(cut + 1))];
  }).filter(([name, price]) => known.has(name) && price > 0);
  return {
    ...(Number(given.get("k")) >= 1 ? { k: Number(given.get("k")) } : {}),
    column: all("col")[0] ?? null,
    pins: all("pin"),
    barred: all("bar"),
    prices: Object.fromEntries(prices),
  };
}

let written = location.hash;
function writeHash() {
  const parts = new URLSearchParams();
  if (!isChoice()) parts.append("k", state.k);
  if (state.column !== null) parts.append("col", state.column);
  state.pins.forEach((name) => parts.append("pin", name));
  state.barred.forEach((name) => parts.append("bar", name));
  Object.entries(state.prices).forEach(([name, price]) => parts.append("price", `${name}:${price}`));
  const hash = String(parts) ? `#${parts}` : "";
  if (hash === written) return;
  written = hash;
  clearTimeout(writeHash.timer); // browsers allow few changes a second
  writeHash.timer = setTimeout(() => {
    try {
      history.replaceState(null, "", hash || location.pathname + location.search);
    } catch { /* a page inside a frame has no address of its own */ }
  }, 120);
}

async function start() {
  if (!window.DecompressionStream) return; // the page stays as it is: complete for your choice
  starting = await baseModel();
  state.model = starting;
  starters.forEach((starter) => starter());
  const asked = readHash();
  setState(asked);
  if (asked.column !== null) openCard();
  window.addEventListener("hashchange", () => {
    if (location.hash === written) return;
    written = location.hash;
    if (!/^#(k|col|pin|bar|price)=/.test(written)) return; // a place on the page
    const wanted = readHash();
    setState(wanted);
    if (wanted.column !== null) openCard();
  });
  document.documentElement.dataset.ready = "yes";
}
