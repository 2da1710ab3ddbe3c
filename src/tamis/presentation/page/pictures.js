// Drawings of the page as files of their own.
import { make, makeButton, makeCanvas, makeShape, pickAs, setAttributes } from "./elements.js";
import { data } from "./model.js";
import { saveFile } from "./copying.js";
import { drawLegend } from "./picture_legend.js";

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
