// The curve that scenes/curve.py has drawn: other lines in it, its marker, and the pointer over it.
import { pickAs, setAttributes } from "./elements.js";
import { readBox } from "./share_scale.js";

/** @typedef {{ kept: number[], ceiling: number[], held: number[] }} Lines */

// Where numbers of columns from 1 to `count` stand, and shares.
/** @type {(chart: SVGSVGElement, count: number) => { x: (k: number) => number, y: (share: number) => number, k: (x: number) => number }} */
export function scaleCurve(chart, count) {
  const { left, right, y } = readBox(chart);
  return {
    x: (k) => left + (right - left) * (count > 1 ? Math.min((k - 1) / (count - 1), 1) : 0.5),
    y,
    k: (x) => Math.min(Math.max(Math.round(1 + ((x - left) / (right - left)) * (count - 1)), 1), count),
  };
}

// The points of a line, as far as the axis goes.
/** @type {(chart: SVGSVGElement, count: number, line: number[]) => string[]} */
export function placePoints(chart, count, line) {
  const { x, y } = scaleCurve(chart, count);
  return line.slice(0, count).map((share, i) => `${x(i + 1).toFixed(1)},${y(share).toFixed(1)}`);
}

/** @type {(chart: SVGSVGElement, count: number, lines: Lines) => void} */
export function drawLines(chart, count, lines) {
  Object.entries(lines).forEach(([kind, line]) =>
    chart.querySelector(`polyline.${kind}`)?.setAttribute("points", placePoints(chart, count, line).join(" ")));
  const [ceiling, kept] = [lines.ceiling, lines.kept.slice(0, lines.ceiling.length)].map((line) => placePoints(chart, count, line));
  pickAs(chart, ".gap", SVGElement).setAttribute("points", [...ceiling, ...kept.reverse()].join(" "));
}

/** @type {(chart: SVGSVGElement, count: number, lines: Lines, k: number) => void} */
export function moveMarker(chart, count, lines, k) {
  const { x, y } = scaleCurve(chart, count);
  const marker = pickAs(chart, ".marker", SVGElement);
  const at = x(k).toFixed(1);
  setAttributes(pickAs(marker, "line", SVGElement), { x1: at, x2: at });
  Object.entries(lines).forEach(([kind, line]) => {
    const dot = marker.querySelector(`.${kind}`);
    const share = line[k - 1];
    dot?.classList.toggle("away", share === undefined);
    if (dot && share !== undefined) setAttributes(dot, { cx: at, cy: y(share).toFixed(1) });
  });
}

// Let the pointer choose the number of columns; `read` takes the one under it.
/** @type {(chart: SVGSVGElement, getCount: () => number, choose: (k: number) => void, read?: (k: number) => void) => void} */
export function followPointer(chart, getCount, choose, read) {
  /** @param {PointerEvent} event */
  const findUnder = (event) => {
    const box = chart.getBoundingClientRect();
    return scaleCurve(chart, getCount()).k(((event.clientX - box.left) * chart.viewBox.baseVal.width) / box.width);
  };
  chart.addEventListener("pointerdown", (event) => choose(findUnder(event)));
  chart.addEventListener("pointermove", (event) => {
    if (event.buttons) choose(findUnder(event));
    read?.(findUnder(event));
  });
}
