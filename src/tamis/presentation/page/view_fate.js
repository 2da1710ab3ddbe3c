// The strip of all columns: a dot each, or an image where they are many; a histogram beside it.
import { find, makeCanvas, makeName, makeShape, pickAll, pickAs, runLater, setAttributes } from "./elements.js";
import { data, getFirstShares, makeDrawers } from "./model.js";
import { chooseColumnScale, describeScale, listTicks, placeShare, readBox, readScale, writeScale } from "./share_scale.js";
import { getName, listKept, openColumn, state } from "./state.js";
import { formatTenths, shortenName } from "./text.js";

const {
  COUNT_ALPHAS, DRAWER_COLOURS, IMAGE_PIXELS, NAME_HEIGHT, NAME_LETTER, NAME_LETTERS, NAME_ROWS,
} = RULES.pictures;
const DRAWERS = Object.keys(DRAWER_COLOURS);
const MAX_DRAWN_AT_ONCE = 5000; // columns; the strip of more waits until the slider rests
/** @type {Record<string, number>} */
const KEY_STEPS = { ArrowRight: 1, ArrowLeft: -1, PageDown: 25, PageUp: -25 };

/** @type {Float64Array | null} */
let places = null;
/** @type {number | null} */
let cursor = null; // the column that the pointer or the keyboard is at
/** @type {SVGSVGElement[] | null} */
let inUse = null; // the drawing for this width of the window: to ask is to lay out the page

// Where each column stands across the strip, from 0 to 1.
function listPlaces() {
  if (places) return places;
  const count = state.model.used.length;
  const [low, high] = data.axis ?? [0, Math.max(count - 1, 1)];
  places = Float64Array.from(state.model.used, (position, j) =>
    ((data.axis ? Number(state.model.names[position]) : j) - low) / (high - low || 1));
  return places;
}

/** @param {SVGSVGElement} chart */
function scaleFate(chart) {
  const box = readBox(chart);
  /** @param {number} at */
  const x = (at) => box.left + 4 + (box.right - box.left - 8) * at;
  return { ...box, x };
}

// A pixel is the darker the more columns there are, in the colour of the worst (scenes/fate.py).
/** @type {(chart: SVGSVGElement, shares: Float64Array, kinds: string[]) => string} */
function drawImage(chart, shares, kinds) {
  const scale = readScale(chart.dataset.scale);
  const [wide, high] = IMAGE_PIXELS;
  const { canvas, context } = makeCanvas(wide, high);
  const counts = new Uint16Array(wide * high);
  const worst = new Uint8Array(wide * high);
  const across = listPlaces();
  for (let j = 0; j < shares.length; j++) {
    if (kinds[j] === "kept") continue;
    const row = high - 1 - Math.min(Math.floor(placeShare(scale, shares[j]) * high), high - 1);
    const pixel = row * wide + Math.min(Math.floor(across[j] * wide), wide - 1);
    counts[pixel] += 1;
    worst[pixel] = Math.max(worst[pixel], DRAWERS.indexOf(kinds[j]));
  }
  const image = context.createImageData(wide, high);
  counts.forEach((count, i) => {
    if (count) image.data.set([...DRAWER_COLOURS[DRAWERS[worst[i]]], COUNT_ALPHAS[Math.min(count, 4) - 1]], 4 * i);
  });
  context.putImageData(image, 0, 0);
  return canvas.toDataURL();
}

/** @type {(chart: SVGSVGElement, shares: Float64Array, kept: Set<number>, kinds: string[]) => void} */
function drawFate(chart, shares, kept, kinds) {
  drawShareAxis(chart, shares, kept);
  const { x, y, top } = scaleFate(chart);
  const image = chart.querySelector("image");
  if (image) image.setAttribute("href", drawImage(chart, shares, kinds));
  else {
    [...pickAs(chart, ".dots", SVGElement).children].forEach((dot, j) =>
      setAttributes(dot, { cy: y(shares[j]).toFixed(1), class: kinds[j] }));
  }
  pickAs(chart, ".ticks", SVGElement).setAttribute("d",
    [...kept].map((j) => `M${x(listPlaces()[j]).toFixed(1)} ${top - 9}v7`).join(""));
  pickAs(chart, ".names", SVGElement).replaceChildren(...writeNames(chart, kept));
  drawCounts(chart, shares, kinds);
}

// Other columns are dropped than before, so another axis may show them best.
/** @type {(chart: SVGSVGElement, shares: Float64Array, kept: Set<number>) => void} */
function drawShareAxis(chart, shares, kept) {
  const dropped = Array.from(shares, (_, j) => j).filter((j) => !kept.has(j));
  const scale = chooseColumnScale(shares, dropped);
  const note = describeScale(scale);
  pickAs(chart, ".share-title", SVGElement).textContent = `share explained on ${state.model.getNewRows(state.k) ? "new" : "these"} rows${note ? `, ${note}` : ""}`;
  if (chart.dataset.scale === writeScale(scale)) return;
  chart.dataset.scale = writeScale(scale);
  const { left, top, right, floor } = scaleFate(chart);
  pickAs(chart, ".shares", SVGElement).replaceChildren(...listTicks(scale).flatMap(([height, text]) => {
    const y = (floor - (floor - top) * height).toFixed(1);
    return [makeShape("line", { class: "grid", x1: left, x2: right, y1: y, y2: y }),
      makeShape("text", { x: left - 6, y, dy: ".35em", "text-anchor": "end" }, text)];
  }));
}

// The names of kept columns above their ticks: the best first, as many as find room (scenes/fate.py).
/** @type {(chart: SVGSVGElement, kept: Set<number>) => SVGElement[]} */
function writeNames(chart, kept) {
  const { x, top } = scaleFate(chart);
  /** @type {[middle: number, half: number][][]} */
  const rows = Array.from({ length: NAME_ROWS }, () => []);
  return [...kept].flatMap((column) => {
    const text = shortenName(getName(column), NAME_LETTERS);
    const [middle, half] = [x(listPlaces()[column]), (NAME_LETTER * text.length) / 2];
    const row = rows.findIndex((taken) => taken.every(([other, beside]) => Math.abs(middle - other) > half + beside + 4));
    if (row < 0 || middle - half < 0) return [];
    rows[row].push([middle, half]);
    return [makeShape("text", { x: middle.toFixed(1), y: top - 12 - NAME_HEIGHT * row, "text-anchor": "middle" }, text)];
  });
}

// How many columns are explained how well: of each drawer a part of a bar.
/** @type {(chart: SVGSVGElement, shares: Float64Array, kinds: string[]) => void} */
function drawCounts(chart, shares, kinds) {
  const { top, floor } = readBox(chart);
  const scale = readScale(chart.dataset.scale);
  const group = pickAs(chart, ".counts", SVGElement);
  const [left, wide, count] = [group.dataset.left, group.dataset.wide, group.dataset.bins].map(Number);
  const bins = Array.from({ length: count }, () => DRAWERS.map(() => 0));
  kinds.forEach((kind, j) => {
    if (kind !== "kept") bins[Math.min(Math.floor(placeShare(scale, shares[j]) * count + 1e-9), count - 1)][DRAWERS.indexOf(kind)] += 1;
  });
  const sums = bins.map((counts) => counts.reduce((sum, one) => sum + one, 0));
  const [each, high] = [wide / Math.max(...sums, 1), (floor - top) / count];
  group.replaceChildren(...bins.flatMap((counts, i) => {
    let x = left;
    return counts.flatMap((size, kind) => {
      x += each * size;
      return size ? [makeShape("rect", { class: DRAWERS[kind], x: x - each * size, y: floor - high * (i + 1), width: each * size, height: high - 1 })] : [];
    });
  }));
}

/** @type {(chart: SVGSVGElement, event: MouseEvent) => number | null} */
function findNearest(chart, event) {
  const box = chart.getBoundingClientRect();
  const scale = chart.viewBox.baseVal.width / box.width;
  const [px, py] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  const { x, y, right } = scaleFate(chart);
  if (px > right + 6) return null;
  const shares = getFirstShares(state.model, state.k);
  let best = -1;
  let least = Infinity;
  listPlaces().forEach((place, j) => {
    const far = (x(place) - px) ** 2 + 0.4 * (y(shares[j]) - py) ** 2;
    if (far < least) [best, least] = [j, far];
  });
  return best < 0 ? null : best;
}

/** @type {(chart: SVGSVGElement, column: number) => void} */
function pointAt(chart, column) {
  cursor = column;
  const { x, y } = scaleFate(chart);
  const share = getFirstShares(state.model, state.k)[column];
  let ring = chart.querySelector(".ring");
  if (!ring) {
    ring = makeShape("circle", { class: "ring", r: 7 });
    chart.append(ring);
  }
  setAttributes(ring, { cx: x(listPlaces()[column]), cy: y(share) });
  const rank = state.model.path.indexOf(column);
  const text = rank >= 0 && rank < state.k ? `: kept, number ${rank + 1}`
    : `: ${formatTenths(share)} explained on ${state.model.getNewRows(state.k) ? "new" : "these"} rows`;
  find("fate-readout").replaceChildren(makeName(getName(column)), text);
}

/** @param {number | null} column */
function openAt(column) {
  if (column !== null) openColumn(getName(column));
}

/** @param {SVGSVGElement} chart */
function readFate(chart) {
  setAttributes(chart, {
    tabindex: "0",
    role: "application",
    "aria-roledescription": "chart; arrow keys move from column to column, Enter opens one",
    "aria-describedby": "fate-readout",
  });
  chart.addEventListener("pointermove", (event) => {
    const column = findNearest(chart, event);
    if (column !== null) pointAt(chart, column);
  });
  chart.addEventListener("click", (event) => openAt(findNearest(chart, event)));
  chart.addEventListener("keydown", (event) => {
    const step = KEY_STEPS[event.key];
    if (step) {
      const last = state.model.used.length - 1;
      pointAt(chart, Math.min(Math.max((cursor ?? -1) + step, 0), last));
    } else if (event.key === "Enter") openAt(cursor);
    else return;
    event.preventDefault();
  });
}

function redrawFate() {
  const { k, model } = state;
  const shares = getFirstShares(model, k);
  const kept = new Set(listKept());
  const findDrawer = makeDrawers(model, k);
  const kinds = Array.from(shares, (_, j) => (kept.has(j) ? "kept" : findDrawer(j)));
  inUse ??= pickAll("svg.fate", SVGSVGElement).filter((chart) => chart.getBoundingClientRect().width);
  inUse.forEach((chart) => drawFate(chart, shares, kept, kinds));
}

const redrawLater = runLater(redrawFate, 60);

/** @type {View} */
export function showFate({ k, model }, before) {
  if (before.k === k && before.model === model) return;
  redrawLater(model.used.length > MAX_DRAWN_AT_ONCE);
}

export function startFate() {
  pickAll("svg.fate", SVGSVGElement).forEach(readFate);
  find("fate-readout").setAttribute("aria-live", "polite");
  window.addEventListener("resize", () => {
    inUse = null;
    redrawLater();
  });
}
