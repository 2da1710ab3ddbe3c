// The legend and the caption of a figure, drawn under a picture that is saved: a paper shows no page.
import { makeShape } from "./elements.js";
import { data } from "./model.js";

const LINE = 18; // height of a line of text
const LETTER = 6.6; // width of a letter, about
const SIGN = 26; // width of the sign before a text
const FONT = "font-family:system-ui,sans-serif;font-size:12px";

/** @type {(text: string, width: number) => string[]} */
function wrapText(text, width) {
  const most = Math.max(Math.floor(width / LETTER), 20);
  /** @type {string[]} */
  const lines = [];
  text.trim().split(/\s+/).forEach((word) => {
    const last = lines[lines.length - 1];
    if (last !== undefined && last.length + word.length < most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  });
  return lines;
}

// What stands before a text in the legend: a line, a dot, a diamond or a triangle.
/** @type {(sign: Element, x: number, y: number) => SVGElement} */
function drawSign(sign, x, y) {
  const style = getComputedStyle(sign);
  if (sign.classList.contains("line")) {
    const dash = { dashed: "6 4", dotted: "2 3" }[style.borderTopStyle] ?? "none";
    return makeShape("line", { x1: x, x2: x + 20, y1: y, y2: y, stroke: style.borderTopColor,
      "stroke-width": style.borderTopWidth, "stroke-dasharray": dash, opacity: style.opacity });
  }
  if (sign.classList.contains("diamond")) {
    return makeShape("path", { d: `M${x + 10} ${y - 5}l5 5l-5 5l-5 -5z`, fill: "none", stroke: style.borderTopColor });
  }
  if (sign.classList.contains("triangle")) {
    return makeShape("path", { d: `M${x + 10} ${y - 4}l5 8h-10z`, fill: style.borderBottomColor });
  }
  return makeShape("circle", { cx: x + 10, cy: y, r: 5, fill: style.backgroundColor });
}

/** @type {(text: string, x: number, y: number, ink: string) => SVGElement} */
const drawText = (text, x, y, ink) => makeShape("text", { x, y, style: `${FONT};fill:${ink}` }, text);

// Draw both below `top` and give where they end.
/** @type {(figure: Element, width: number, top: number) => { shapes: SVGElement[], bottom: number }} */
export function drawLegend(figure, width, top) {
  const ink = getComputedStyle(document.body).color;
  /** @type {SVGElement[]} */
  const shapes = [];
  let [x, y] = [4, top + LINE];
  figure.querySelectorAll("figcaption .key").forEach((key) => {
    const sign = key.querySelector("i");
    const text = (key.textContent ?? "").trim();
    const lines = wrapText(text, width - SIGN - 8);
    const room = SIGN + LETTER * Math.max(...lines.map((line) => line.length)) + 12;
    if (x > 4 && x + room > width) [x, y] = [4, y + LINE];
    if (sign) shapes.push(drawSign(sign, x, y - 4));
    lines.forEach((line, i) => shapes.push(drawText(line, x + SIGN, y + i * LINE, ink)));
    if (lines.length > 1) [x, y] = [4, y + lines.length * LINE];
    else x += room;
  });
  y += x > 4 ? LINE : 0;
  const title = figure.closest("section")?.querySelector("h2")?.textContent ?? "";
  const verdict = document.getElementById("verdict")?.textContent ?? "";
  const caption = wrapText(`${title.replace(/\s+/g, " ").trim()}, ${data.title}. ${verdict}`, width - 8);
  caption.forEach((line, i) => shapes.push(drawText(line, 4, y + 6 + i * LINE, ink)));
  return { shapes, bottom: y + 6 + caption.length * LINE };
}
