// Drawings of the page as files of their own, with legend and caption: a paper shows no page.
import { saveFile } from "./copying.js";
import { make, makeButton, makeCanvas, makeShape, pickAs, setAttributes } from "./elements.js";
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
function drawLegend(figure, width, top) {
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

const STYLED = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-family",
  "font-weight", "text-anchor", "dominant-baseline", "display", "filter", "image-rendering",
  "paint-order", "stroke-linejoin"];
const MAX_SCALE = 3;
const MAX_PIXELS = 8000; // of the height of an image

// What is saved goes into papers and slides: it has the light colours, also from a dark page.
/**
 * @template T
 * @param {() => T} work
 */
function runInLight(work) {
  const dark = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSMediaRule)
    .filter((rule) => rule.media.mediaText.includes("prefers-color-scheme: dark"));
  const texts = dark.map((rule) => rule.media.mediaText);
  dark.forEach((rule) => { rule.media.mediaText = "not all"; });
  try {
    return work();
  } finally {
    dark.forEach((rule, i) => { rule.media.mediaText = texts[i]; });
  }
}

// A drawing with the colours of the page, so that it can stand alone.
/** @param {SVGSVGElement} picture */
const drawStandalone = (picture) => runInLight(() => {
  const copy = /** @type {SVGSVGElement} */ (picture.cloneNode(true));
  const [from, to] = [picture, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    to[i].setAttribute("style", STYLED.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";"));
  });
  const { width, height } = picture.viewBox.baseVal;
  const figure = picture.closest("figure[data-picture]");
  const { shapes, bottom } = figure ? drawLegend(figure, width, height) : { shapes: [], bottom: height };
  copy.append(...shapes);
  setAttributes(copy, { width, height: bottom, viewBox: `0 0 ${width} ${bottom}` });
  copy.removeAttribute("tabindex");
  const paper = getComputedStyle(document.body).backgroundColor;
  copy.prepend(makeShape("rect", { width: "100%", height: "100%", fill: paper }));
  return copy;
});
/** @param {SVGSVGElement} picture */
export const writeStandalone = (picture) => new XMLSerializer().serializeToString(drawStandalone(picture));

/** @type {(picture: SVGSVGElement, name: string) => void} */
function savePng(picture, name) {
  const image = new Image();
  image.onload = () => {
    const { width, height } = image; // with the legend it is taller than the picture of the page
    const scale = Math.min(MAX_SCALE, MAX_PIXELS / height);
    const { canvas, context } = makeCanvas(Math.round(scale * width), Math.round(scale * height));
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => { if (blob) saveFile(name, blob, blob.type); });
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(writeStandalone(picture))}`;
}

// A page of the printer that holds one picture and nothing else: browsers save it as a PDF with lines and letters.
/** @param {SVGSVGElement} picture */
function savePdf(picture) {
  const alone = drawStandalone(picture);
  const { width, height } = alone.viewBox.baseVal;
  const paper = make("div", { id: "one-picture" }, alone,
    make("style", {}, `@page { size: ${width}px ${Math.ceil(height) + 1}px; margin: 0; }`));
  document.body.append(paper);
  const restore = document.title;
  document.title = nameFile();
  window.addEventListener("afterprint", () => {
    paper.remove();
    document.title = restore;
  }, { once: true });
  window.print();
}

// The drawing of a figure that is shown at this width of the window.
/** @param {Element} figure */
export function findPicture(figure) {
  const shown = [...figure.querySelectorAll("svg")].find((picture) => picture.getBoundingClientRect().width);
  return shown ?? pickAs(figure, "svg", SVGSVGElement);
}

const nameFile = () => data.title.replace(/\.[a-z]+$/i, "").replace(/[^\w.-]+/g, "_") || "table";

/** @param {HTMLElement} figure */
export function makePictureButtons(figure) {
  const title = figure.dataset.picture ?? "";
  const name = `${nameFile()}_${title.replaceAll(" ", "_")}`;
  /** @type {(suffix: string, save: (picture: SVGSVGElement) => void) => HTMLElement} */
  const makeSaver = (suffix, save) =>
    makeButton({ "aria-label": `Save ${title} as ${suffix}` }, suffix, () => save(findPicture(figure)));
  return make("span", { class: "picture" }, `${title} `,
    makeSaver("SVG", (picture) => saveFile(`${name}.svg`, writeStandalone(picture), "image/svg+xml")), " ",
    makeSaver("PNG", (picture) => savePng(picture, `${name}.png`)), " ",
    makeSaver("PDF", savePdf));
}
