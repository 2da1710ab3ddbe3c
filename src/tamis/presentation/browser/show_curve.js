// The curve: what 1, 2, ... columns explain, here and on new rows, below what any could.
import { find, makeShape, pickAs, setAttributes } from "../page/elements.js";
import { formatPercent } from "../page/text.js";

const [WIDTH, HEIGHT] = [720, 300];
const BOX = { left: 44, top: 14, right: 704, floor: 262 };
const TICKS = [0, 0.25, 0.5, 0.75, 1];
const MOST_NUMBERS = 8; // under the axis

/** @param {number} count */
function makeScale(count) {
  return {
    /** @param {number} k */
    x: (k) => BOX.left + (BOX.right - BOX.left) * (count > 1 ? (k - 1) / (count - 1) : 0.5),
    /** @param {number} share */
    y: (share) => BOX.floor - (BOX.floor - BOX.top) * Math.min(Math.max(share, 0), 1),
  };
}

/** @param {number} count */
function listNumbers(count) {
  const step = Math.max(1, Math.ceil(count / MOST_NUMBERS));
  return Array.from({ length: count }, (_, i) => i + 1).filter((k) => k === 1 || k % step === 0);
}

/** @type {(svg: SVGSVGElement, count: number) => void} */
function drawAxes(svg, count) {
  const { x, y } = makeScale(count);
  TICKS.forEach((share) => {
    svg.append(makeShape("line", { class: "grid", x1: BOX.left, x2: BOX.right, y1: y(share), y2: y(share) }),
      makeShape("text", { x: BOX.left - 8, y: y(share) + 4, "text-anchor": "end" }, `${100 * share}%`));
  });
  listNumbers(count).forEach((k) => svg.append(makeShape("text", { x: x(k), y: HEIGHT - 18, "text-anchor": "middle" }, String(k))));
  svg.append(makeShape("text", { x: BOX.right, y: HEIGHT - 2, "text-anchor": "end" }, "columns kept"));
}

/** @type {(answer: Answer, wished: Wished, k: number) => void} */
export function showCurve(answer, wished, k) {
  const svg = pickAs(find("curve"), "svg", SVGSVGElement);
  const count = wished.path.length;
  const { x, y } = makeScale(count);
  svg.replaceChildren();
  setAttributes(svg, { viewBox: `0 0 ${WIDTH} ${HEIGHT}` });
  drawAxes(svg, count);
  const own = wished === answer;
  const lines = { ceiling: answer.bound, held: own ? answer.held.share : [], kept: wished.retained };
  Object.entries(lines).forEach(([kind, line]) => {
    const points = line.slice(0, count).map((share, i) => `${x(i + 1).toFixed(1)},${y(share).toFixed(1)}`).join(" ");
    svg.append(makeShape("polyline", { class: kind, points, fill: "none" }));
    const share = line[k - 1];
    if (share !== undefined) svg.append(makeShape("circle", { class: kind, cx: x(k), cy: y(share), r: 4 }));
  });
  svg.append(makeShape("line", { class: "marker", x1: x(k), x2: x(k), y1: BOX.top, y2: BOX.floor }));
  setAttributes(svg, { "aria-label": `Share explained by ${k} columns: ${formatPercent(wished.retained[k - 1])}` });
}

// Let the pointer choose the number of columns.
/** @param {(share: number) => void} choose takes the place on the axis, from 0 to 1 */
export function followPointer(choose) {
  const svg = pickAs(find("curve"), "svg", SVGSVGElement);
  /** @param {PointerEvent} event */
  const follow = (event) => {
    const box = svg.getBoundingClientRect();
    const at = ((event.clientX - box.left) * WIDTH) / box.width;
    choose(Math.min(Math.max((at - BOX.left) / (BOX.right - BOX.left), 0), 1));
  };
  svg.addEventListener("pointerdown", follow);
  svg.addEventListener("pointermove", (event) => { if (event.buttons) follow(event); });
}
