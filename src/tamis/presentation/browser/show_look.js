// What each column is, and what is done with it: the table of `tamis look`.
import { find, make, makeName } from "../page/elements.js";
import { formatCount, formatPercent, pluralise } from "../page/text.js";

const MOST_ROWS = 500; // columns that are listed
const HEADS = ["column", "kind", "missing", "distinct", "smallest", "largest", "what is odd", "what is done"];

/** @param {number | string | null} value */
const writeValue = (value) => (typeof value === "number" ? String(Number(value.toPrecision(6))) : value ?? "");

/** @type {(judged: Judgement[], rows: number) => HTMLElement[]} */
function makeRows(judged, rows) {
  return judged.slice(0, MOST_ROWS).map((one) => {
    const done = one.action === "skipped" ? `skipped: ${one.why}` : one.kind === "constant" ? "skipped: constant" : `analysed as ${one.action}`;
    const cells = [
      one.kind, one.missing ? formatPercent(one.missing / rows) : "", `${one.exact ? "" : "about "}${formatCount(one.distinct)}`,
      writeValue(one.smallest), writeValue(one.largest), one.badges.join("; "), done,
    ];
    return make("tr", {}, make("th", { scope: "row" }, makeName(one.name)), ...cells.map((text) => make("td", {}, text)));
  });
}

/** @type {(judged: Judgement[], rows: number) => void} */
export function showLook(judged, rows) {
  const head = make("tr", {}, ...HEADS.map((text) => make("th", { scope: "col" }, text)));
  const table = make("table", {}, make("caption", { class: "unseen" }, "What each column is"), make("thead", {}, head), make("tbody", {}, ...makeRows(judged, rows)));
  const skipped = judged.filter(({ action }) => action === "skipped").length;
  const more = judged.length > MOST_ROWS ? ` The first ${formatCount(MOST_ROWS)} are listed.` : "";
  find("look-about").textContent = `${pluralise(rows, "row")}, ${pluralise(judged.length, "column")}, ${formatCount(skipped)} of them skipped.${more}`;
  find("look-table").replaceChildren(table);
  find("look").hidden = false;
}
