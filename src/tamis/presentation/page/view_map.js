// The maps of similarity: read by pointer and arrow keys, zoomed by + and −; "after" follows k.
import { find, makeCanvas, makeName, makeShape, pick, pickAll, pickAs, runLater, setAttributes } from "./elements.js";
import { data } from "./model.js";
import { getName, listKept, state } from "./state.js";
import { formatCount, pluralise, shortenName } from "./text.js";

const { HEAT_COLOURS, LABEL_LETTERS, MAX_LABELLED_ROWS } = RULES.pictures;
const MAX_ZOOM = 64;
/** @type {Record<string, [number, number]>} */
const CELL_STEPS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

/**
 * A figure: what is shown of it and where its cursor is. Rows are those of the map of all columns.
 * @typedef {{ figure: HTMLElement, before: boolean, zoom: number, cursor: [number, number] | null, rows: number[], gutter: number, side: number }} HeatMap
 */
/** @type {HeatMap[]} */
let maps = [];
/** @type {Int8Array | null} */
let values = null; // below the diagonal
const columns = data.map?.columns ?? [];

/** @type {(i: number, j: number) => number} */
function getSimilarity(i, j) {
  values ??= new Int8Array(state.starting.blocks.map);
  if (i === j) return 100;
  const [low, high] = i < j ? [i, j] : [j, i];
  return values[(high * (high - 1)) / 2 + low];
}

// Which rows of the map a figure shows: all or the kept ones, then the part zoomed to.
/** @type {(map: HeatMap, kept: Set<number>) => { rows: number[], all: number }} */
function chooseRows({ before, zoom, cursor }, kept) {
  const every = columns.map((_, row) => row);
  const mine = before ? every : every.filter((row) => kept.has(columns[row]));
  if (zoom === 1) return { rows: mine, all: mine.length };
  const size = Math.max(Math.ceil(mine.length / zoom), Math.min(mine.length, 4));
  const middle = cursor ? Math.max(mine.indexOf(cursor[1]), 0) : mine.length / 2;
  const from = Math.round(Math.min(Math.max(middle - size / 2, 0), mine.length - size));
  return { rows: mine.slice(from, from + size), all: mine.length };
}

// The colours change between the similarities that Python has chosen (scenes/similarity.py).
/** @param {HTMLElement} figure */
function readColours(figure) {
  const [high, low] = (pickAs(figure, "svg", SVGSVGElement).dataset.colours ?? "100").split(" ").map(Number);
  /** @param {number} value */
  const place = (value) => (low === undefined ? Math.max(value / high, -1) : Math.max((value - low) / (high - low), 0));
  return (/** @type {number} */ value) => 100 * Math.min(place(value), 1);
}

/** @param {number} value */
function chooseShade(value) {
  const at = ((value + 100) / 200) * (HEAT_COLOURS.length - 1);
  const low = Math.min(Math.floor(at), HEAT_COLOURS.length - 2);
  return HEAT_COLOURS[low].map((/** @type {number} */ part, /** @type {number} */ i) => Math.round(part + (at - low) * (HEAT_COLOURS[low + 1][i] - part)));
}

/** @type {(rows: number[], place: (value: number) => number) => string} */
function drawCells(rows, place) {
  const size = rows.length;
  const { canvas, context } = makeCanvas(size, size);
  const image = context.createImageData(size, size);
  rows.forEach((i, y) => rows.forEach((j, x) => {
    image.data.set([...chooseShade(i === j ? 0 : place(getSimilarity(i, j))), 255], 4 * (y * size + x));
  }));
  context.putImageData(image, 0, 0);
  return canvas.toDataURL();
}

/** @param {HeatMap} map */
function drawMap(map) {
  const kept = new Set(listKept());
  const { rows, all } = chooseRows(map, kept);
  const size = rows.length;
  if (!size) return;
  map.rows = rows;
  const { figure, gutter } = map;
  const each = map.side / size;
  pickAs(figure, "image", SVGElement).setAttribute("href", drawCells(rows, readColours(figure)));
  pickAs(figure, ".names", SVGElement).replaceChildren(...(size > MAX_LABELLED_ROWS ? [] : rows.map((row, y) =>
    makeShape("text", { x: gutter - 10, y: each * (y + 0.5) }, shortenName(getName(columns[row]), LABEL_LETTERS)))));
  pickAs(figure, ".ticks", SVGElement).setAttribute("d", rows.map((row, y) =>
    (kept.has(columns[row]) ? `M${gutter - 7} ${(each * (y + 0.5)).toFixed(1)}h5` : "")).join(""));
  pick(figure, ".how-many").textContent = size < all ? `${size} of ${pluralise(all, "column")}`
    : !map.before && all < state.k ? `${all} of the ${formatCount(state.k)} kept columns` : pluralise(all, "column");
  markCell(map);
}

/** @param {HeatMap} map */
function markCell({ figure, rows, gutter, side, cursor }) {
  const cell = pickAs(figure, ".cursor", SVGElement);
  const [x, y] = cursor ? cursor.map((row) => rows.indexOf(row)) : [-1, -1];
  const seen = Math.min(x, y) >= 0;
  cell.classList.toggle("on", seen);
  if (!cursor || !seen) return;
  const each = side / rows.length;
  setAttributes(cell, { x: gutter + each * x, y: each * y, width: each, height: each });
  const [low, high] = [...cursor].sort((a, b) => a - b);
  const text = (getSimilarity(low, high) / 100).toFixed(2).replace("-", "−");
  pick(figure, ".readout").replaceChildren(
    makeName(getName(columns[low])), " and ", makeName(getName(columns[high])), `: ${text}`);
}

/** @type {(map: HeatMap, factor: number) => void} */
function zoomBy(map, factor) {
  map.zoom = Math.min(Math.max(map.zoom * factor, 1), MAX_ZOOM);
  drawMap(map);
}

/** @type {(map: HeatMap, event: MouseEvent) => void} */
function followPointer(map, event) {
  const { rows } = map;
  const box = pickAs(map.figure, "image", SVGElement).getBoundingClientRect();
  /** @type {(offset: number, length: number) => number} */
  const findRow = (offset, length) => rows[Math.min(Math.max(Math.floor((offset / length) * rows.length), 0), rows.length - 1)];
  map.cursor = [findRow(event.clientX - box.left, box.width), findRow(event.clientY - box.top, box.height)];
  markCell(map);
}

/** @type {(map: HeatMap, event: KeyboardEvent) => void} */
function followKey(map, event) {
  const { rows, cursor } = map;
  const step = CELL_STEPS[event.key];
  if (step) {
    /** @type {(row: number, by: number) => number} */
    const move = (row, by) => rows[Math.min(Math.max(rows.indexOf(row) + by, 0), rows.length - 1)];
    map.cursor = cursor ? [move(cursor[0], step[0]), move(cursor[1], step[1])] : [rows[0], rows[0]];
    markCell(map);
  } else if (event.key === "+" || event.key === "-") zoomBy(map, event.key === "+" ? 2 : 0.5);
  else return;
  event.preventDefault();
}

/** @param {HeatMap} map */
function readMap(map) {
  const { figure } = map;
  const picture = pickAs(figure, "svg", SVGSVGElement);
  const image = pickAs(figure, "image", SVGElement);
  image.addEventListener("pointerdown", (event) => followPointer(map, event));
  image.addEventListener("pointermove", (event) => followPointer(map, event));
  image.addEventListener("dblclick", () => zoomBy(map, 2));
  setAttributes(picture, {
    tabindex: "0",
    role: "application",
    "aria-roledescription": "map; arrow keys move, plus and minus zoom",
  });
  pick(figure, ".readout").setAttribute("aria-live", "polite");
  picture.addEventListener("keydown", (event) => followKey(map, event));
  pick(figure, ".zooming").hidden = false;
  pick(figure, ".zoom-in").addEventListener("click", () => zoomBy(map, 2));
  pick(figure, ".zoom-out").addEventListener("click", () => zoomBy(map, 0.5));
}

function drawMaps() {
  maps.forEach(drawMap);
  const kept = new Set(listKept());
  pickAll(".clusters [data-column]", SVGElement).forEach((row) => {
    row.classList.toggle("kept", kept.has(Number(row.dataset.column)));
  });
}

const drawLater = runLater(drawMaps, 40);

export function startMaps() {
  if (!data.map) return;
  find("map-help").hidden = false;
  maps = pickAll("figure[data-heat]", HTMLElement).map((figure) => {
    const [gutter, side] = ["x", "width"].map((name) => Number(pickAs(figure, "image", SVGElement).getAttribute(name)));
    return { figure, before: figure.dataset.heat === "before", zoom: 1, cursor: null, rows: [], gutter, side };
  });
  maps.forEach(readMap);
  drawMaps();
}

/** @type {View} */
export function showMaps({ k, model }, before) {
  if (!data.map || (before.k === k && before.model === model)) return;
  drawLater(); // images are drawn when the slider rests
}
