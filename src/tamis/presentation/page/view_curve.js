// The curve: lines of the model, a handle that can be dragged, a readout under the pointer.
import { find, makeName, pickAll, pickAs, setAttributes } from "./elements.js";
import { data } from "./model.js";
import { placeShare, readScale } from "./share_scale.js";
import { getName, setState, state } from "./state.js";
import { formatCount, formatHeldOut, formatPercent, pluralise } from "./text.js";

/** @type {Model | null} */
let drawnModel = null;

// The numbers under the axis were drawn for the model of Python; another may have a shorter path.
/** @param {SVGSVGElement} chart */
function scaleCurve(chart) {
  const [left, top, right, floor] = (chart.dataset.box ?? "").split(" ").map(Number);
  const m = state.starting.path.length;
  const scale = readScale(chart.dataset.scale);
  return {
    /** @param {number} k */
    x: (k) => left + (right - left) * (m > 1 ? Math.min((k - 1) / (m - 1), 1) : 0.5),
    /** @param {number} share */
    y: (share) => top + (floor - top) * (1 - placeShare(scale, share)),
    /** @param {number} x */
    k: (x) => Math.min(Math.max(Math.round(1 + ((x - left) / (right - left)) * (m - 1)), 1), state.model.path.length),
  };
}

// The points of a line, as far as the axis goes.
/** @type {(chart: SVGSVGElement, line: number[]) => string[]} */
export function placePoints(chart, line) {
  const { x, y } = scaleCurve(chart);
  return line.slice(0, state.starting.path.length).map((share, i) => `${x(i + 1).toFixed(1)},${y(share).toFixed(1)}`);
}

/** @param {SVGSVGElement} chart */
function drawLines(chart) {
  const { model } = state;
  /** @type {(kind: string, line: number[]) => void} */
  const drawLine = (kind, line) =>
    chart.querySelector(`polyline.${kind}`)?.setAttribute("points", placePoints(chart, line).join(" "));
  drawLine("kept", model.retained);
  drawLine("ceiling", model.bound);
  drawLine("held", model.held);
  pickAs(chart, ".gap", SVGElement).setAttribute("points",
    [...placePoints(chart, model.bound), ...placePoints(chart, model.retained).reverse()].join(" "));
  chart.classList.toggle("other", !model.base);
}

/** @param {SVGSVGElement} chart */
function moveMarker(chart) {
  const { x, y } = scaleCurve(chart);
  const { k, model } = state;
  const marker = pickAs(chart, ".marker", SVGElement);
  const at = x(k).toFixed(1);
  setAttributes(pickAs(marker, "line", SVGElement), { x1: at, x2: at });
  Object.entries({ ceiling: model.bound, held: model.held, kept: model.retained }).forEach(([kind, line]) => {
    const dot = marker.querySelector(`.${kind}`);
    if (!dot) return;
    const share = line[k - 1];
    dot.classList.toggle("away", share === undefined);
    if (share !== undefined) setAttributes(dot, { cx: at, cy: y(share).toFixed(1) });
  });
}

/** @param {number} k */
function readCurve(k) {
  const { model } = state;
  const parts = [`${pluralise(k, "column")}: ${formatPercent(model.retained[k - 1])} explained`,
    `ceiling ${formatPercent(model.bound[k - 1])}`];
  if (model.held[k - 1] !== undefined) parts.push(`new rows ${formatHeldOut(model.held[k - 1])}`);
  const chance = model.getChance(k);
  if (data.measure === "variance" && chance !== null) parts.push(`chance ${formatPercent(chance)}`);
  parts.push(`this column adds ${formatPercent(model.retained[k - 1] - (model.retained[k - 2] ?? 0))}`);
  find("curve-readout").replaceChildren(parts.join(" · "), " · ", makeName(getName(model.path[k - 1])));
}

/** @param {SVGSVGElement} chart */
function followPointer(chart) {
  /** @param {PointerEvent} event */
  const findUnder = (event) => {
    const box = chart.getBoundingClientRect();
    return scaleCurve(chart).k(((event.clientX - box.left) * chart.viewBox.baseVal.width) / box.width);
  };
  const line = pickAs(chart, ".hover", SVGElement);
  chart.addEventListener("pointerdown", (event) => setState({ k: findUnder(event) }));
  chart.addEventListener("pointermove", (event) => {
    const k = findUnder(event);
    if (event.buttons) setState({ k });
    setAttributes(line, { x1: scaleCurve(chart).x(k), x2: scaleCurve(chart).x(k) });
    line.classList.add("on");
    readCurve(k);
  });
  chart.addEventListener("pointerleave", () => {
    line.classList.remove("on");
    readCurve(state.k);
  });
}

// A row of the spectral tree knows the places on the path of its columns.
/** @param {SVGElement} row */
function markRow(row) {
  const places = (row.dataset.places ?? "").split(" ").filter((place) => Number(place) <= state.k);
  row.classList.toggle("kept", places.length > 0);
  const { folded } = row.dataset;
  if (folded) {
    pickAs(row, "text", SVGElement).textContent = places.length
      ? `… ${formatCount(places.length)} of ${folded} kept` : `… ${folded} columns`;
  }
}

export function showCurve() {
  pickAll("svg.curve", SVGSVGElement).forEach((chart) => {
    if (drawnModel !== state.model && (drawnModel || !state.model.base)) drawLines(chart);
    moveMarker(chart);
  });
  drawnModel = state.model;
  readCurve(state.k);
  pickAll(".tree [data-places]", SVGElement).forEach(markRow);
}

export function startCurve() {
  pickAll("svg.curve", SVGSVGElement).forEach(followPointer);
}
