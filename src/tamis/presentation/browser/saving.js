// Files that the reader takes away.
import { saveFile } from "../page/copying.js";
import { find, pickAs } from "../page/elements.js";
import { quoteCell } from "../page/text.js";
import { listDropped, nameCarriers } from "./show_answer.js";

const STYLE = "polyline{stroke-width:2}.kept{stroke:#1b6b68}.ceiling{stroke:#a8701c;stroke-dasharray:5 4}.held{stroke:#7a4a8f}circle{fill:#fff}.grid{stroke:#ddd}.marker{stroke:#888}text{font:12px sans-serif}";

/** @param {string[]} names */
export const saveNames = (names) => saveFile("kept.txt", `${names.join("\n")}\n`, "text/plain");

// A cell that a spreadsheet would take for a formula begins with a quote.
/** @param {string} text */
const guard = (text) => quoteCell(/^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text);

/** @type {(answer: Answer, wished: Wished, k: number) => string} */
export function writeReasons(answer, wished, k) {
  const shares = wished.shares[k - 1];
  const kept = wished.path.slice(0, k).map((column, place) => [answer.names[column], "kept", String(place + 1), "1", ""]);
  const dropped = listDropped(wished, k, answer.names.length)
    .map((column) => [answer.names[column], "dropped", "", String(shares[column]), nameCarriers(answer, wished, k, column)]);
  const skipped = answer.skipped.map(({ name, why }) => [name, "skipped", "", "", why]);
  return [["column", "status", "place", "explained", "reason"], ...kept, ...dropped, ...skipped]
    .map((row) => row.map(guard).join(",")).join("\n") + "\n";
}

export function saveCurve() {
  const svg = pickAs(find("curve"), "svg", SVGSVGElement);
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  const style = document.createElementNS(svg.namespaceURI, "style");
  style.textContent = STYLE;
  copy.prepend(style);
  saveFile("curve.svg", new XMLSerializer().serializeToString(copy), "image/svg+xml");
}
