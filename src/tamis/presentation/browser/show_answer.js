// What the page shows: the columns of the table, the answer for the number that the slider shows, and
// files that the reader takes away.
import { saveFile } from "../page/copying.js";
import { drawLines, moveMarker, scaleCurve } from "../page/curve.js";
import { find, make, makeBar, makeButton, makeName, makeQuiet, makeShape, pickAll, setAttributes } from "../page/elements.js";
import { findSources } from "../page/greedy.js";
import { findPicture, writeStandalone } from "../page/pictures.js";
import {
  formatChange, formatCount, formatHeldOut, formatPercent, pluralise, quoteCell, quoteNumber, sortByWeight, writeHeadline,
} from "../page/text.js";

const MOST_JUDGED = 500; // columns that are listed
const HEADS = ["column", "kind", "missing", "distinct", "smallest", "largest", "what is odd", "what is done"];

/** @param {number | string | null} value */
const writeValue = (value) => (typeof value === "number" ? String(Number(value.toPrecision(6))) : value ?? "");

/** @type {(judged: Judgement[], rows: number) => HTMLElement[]} */
function makeRows(judged, rows) {
  return judged.slice(0, MOST_JUDGED).map((one) => {
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
  const more = judged.length > MOST_JUDGED ? ` The first ${formatCount(MOST_JUDGED)} are listed.` : "";
  find("look-about").textContent = `${pluralise(rows, "row")}, ${pluralise(judged.length, "column")}, ${formatCount(skipped)} of them skipped.${more}`;
  find("look-table").replaceChildren(table);
  find("look").hidden = false;
}

const NUMBER_WIDTH = 60; // of a number under the axis of a curve, with the space around it
const NUMBER_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

// Write as many numbers under the axis as have room: count_ticks of scenes/share_scale.py.
/** @type {(chart: SVGSVGElement, count: number) => void} */
function numberAxis(chart, count) {
  const texts = [...chart.querySelectorAll("text[text-anchor=middle]")]; // the last is the title of the axis
  const most = chart.viewBox.baseVal.width / NUMBER_WIDTH;
  const step = NUMBER_STEPS.find((one) => count / one <= most) ?? count;
  const numbers = Array.from({ length: count }, (_, i) => i + 1).filter((k) => k === 1 || k % step === 0);
  const { x } = scaleCurve(chart, count);
  const y = texts[0].getAttribute("y") ?? "";
  texts[0].before(...numbers.map((k) => makeShape("text", { x: x(k), y, "text-anchor": "middle" }, String(k))));
  texts.slice(0, -1).forEach((text) => text.remove());
}

/** @type {(answer: Answer, wished: Wished, k: number) => void} */
export function showCurve(answer, wished, k) {
  const count = wished.path.length;
  const lines = { kept: wished.retained, ceiling: answer.bound, held: wished === answer ? answer.held.share : [] };
  pickAll("svg.curve", SVGSVGElement).forEach((chart) => {
    numberAxis(chart, count);
    drawLines(chart, count, lines);
    moveMarker(chart, count, lines, k);
    setAttributes(chart, { "aria-label": `Share explained by ${k} columns: ${formatPercent(wished.retained[k - 1])}` });
  });
}

const MOST_DROPPED = 300; // columns that are listed
const ROWS_AT_ONCE = 12;
const LEAST_SHOWN = 0.005; // a smaller share is written as 0%

// What is found, in one sentence; the same as Python's.
/** @type {(answer: Answer, wished: Wished, k: number) => string} */
export function describeAnswer(answer, wished, k) {
  const { auto } = answer;
  const own = wished === answer && k === answer.k;
  const number = own && auto ? `${formatCount(k)} (${formatCount(auto.low)}-${formatCount(auto.high)})` : formatCount(k);
  const held = wished === answer ? answer.held.share[k - 1] : undefined;
  return writeHeadline({ k, number, width: answer.names.length, share: wished.retained[k - 1], bound: answer.bound[k - 1] ?? 1, held, about: "of the variance" });
}

// The few kept columns that carry a dropped one, as text.
/** @type {(answer: Answer, wished: Wished, k: number, column: number) => string} */
function nameCarriers(answer, wished, k, column) {
  const { pairs } = findSources(wished.path.slice(0, k), wished.links, column, wished.shares[k - 1][column], answer.signed);
  return sortByWeight(pairs).filter(([, weight]) => answer.signed || weight >= LEAST_SHOWN).map(([kept, weight]) =>
    `${answer.signed ? `${weight.toFixed(2)} ×` : `${Math.round(100 * weight)}% by`} ${quoteNumber(answer.names[kept])}`).join(", ");
}

/** @type {(wished: Wished, k: number, width: number) => number[]} */
function listDropped(wished, k, width) {
  const kept = new Set(wished.path.slice(0, k));
  const shares = wished.shares[k - 1];
  return Array.from({ length: width }, (_, j) => j).filter((j) => !kept.has(j)).sort((a, b) => shares[a] - shares[b]);
}

/** @typedef {{ pins: number[], barred: number[] }} Wishes_ */

/** @type {(label: string, title: string, pressed: boolean, act: () => void) => HTMLButtonElement} */
const makeToggle = (label, title, pressed, act) => makeButton({ class: "toggle", title, "aria-pressed": String(pressed) }, label, act);

/** @type {(answer: Answer, wished: Wished, k: number, wishes: Wishes_, acts: Acts) => void} */
export function showKept(answer, wished, k, wishes, acts) {
  const own = wished === answer;
  find("kept").replaceChildren(...wished.path.slice(0, k).map((column, place) => {
    const name = answer.names[column];
    const pinned = wishes.pins.includes(column);
    const held = own ? answer.held.share[place] : undefined;
    const swap = makeButton({ class: "toggle", title: `What could replace ${name}` }, "replace by…", () => acts.swap(place));
    return make("tr", {}, make("td", {}, String(place + 1)),
      make("th", { scope: "row" }, makeName(name)),
      make("td", { class: "right" }, formatPercent(wished.retained[place])),
      make("td", { class: "right" }, answer.bound[place] === undefined ? "" : formatPercent(answer.bound[place])),
      make("td", { class: "right" }, held === undefined ? "" : formatHeldOut(held)),
      make("td", { class: "right" }, makeToggle("keep", `Always keep ${name}`, pinned, () => acts.pin(column)), " ",
        makeToggle("never", `Never keep ${name}`, false, () => acts.bar(column)), " ", swap));
  }));
}

/** @type {(answer: Answer, wished: Wished, k: number, wishes: Wishes_, acts: Acts, column: number) => HTMLElement} */
function makeDropped(answer, wished, k, wishes, acts, column) {
  const name = answer.names[column];
  const share = wished.shares[k - 1][column];
  return make("tr", {}, make("th", { scope: "row" }, makeName(name)),
    make("td", { class: "share" }, makeBar(100 * share), " ", formatPercent(share)),
    make("td", {}, nameCarriers(answer, wished, k, column)),
    make("td", { class: "right" }, makeToggle("keep", `Always keep ${name}`, false, () => acts.pin(column)), " ",
      makeToggle("never", `Never keep ${name}`, wishes.barred.includes(column), () => acts.bar(column))));
}

let drawing = 0; // the list that is being written; an earlier one stops

/** @type {(answer: Answer, wished: Wished, k: number, wishes: Wishes_, acts: Acts) => void} */
export function showDropped(answer, wished, k, wishes, acts) {
  const dropped = listDropped(wished, k, answer.names.length);
  const listed = dropped.slice(0, MOST_DROPPED);
  const own = ++drawing;
  find("dropped").replaceChildren();
  /** @param {number} from */
  const draw = (from) => { // some rows at a time: the page answers in between
    if (own !== drawing) return;
    const some = listed.slice(from, from + ROWS_AT_ONCE);
    find("dropped").append(...some.map((column) => makeDropped(answer, wished, k, wishes, acts, column)));
    if (from + ROWS_AT_ONCE < listed.length) setTimeout(draw, 0, from + ROWS_AT_ONCE);
  };
  draw(0);
  const more = dropped.length > MOST_DROPPED ? ` The ${formatCount(MOST_DROPPED)} least explained are listed; the saved table has all.` : "";
  find("dropped-about").textContent = dropped.length
    ? `${answer.signed ? "Weights are those of standardised columns." : "What each kept column explains alone."}${more}` : "Nothing is dropped.";
}

// What was done with the table, and what the figures rest on.
/** @param {Answer} answer */
export function listNotes(answer) {
  const { skipped, clipped, missing, k, rows } = answer;
  const chance = Math.min(1, (k * answer.chance) / Math.max(rows - 1, 1));
  const values = clipped.reduce((sum, one) => sum + one.clipped, 0);
  const said = [`By chance alone, the kept columns would explain about ${formatPercent(chance)} of an unrelated column.`,
    `On new rows (folds of rows held out in turn, columns selected again in each): ${formatHeldOut(answer.held.share[k - 1])}, with a standard deviation of ${formatPercent(answer.held.std[k - 1])}.`];
  if (answer.auto) said.push(writeAuto(answer));
  if (answer.shrink) said.push(`The search was shrunken (${answer.shrink} of a column's variance${answer.byTails ? ", more for columns of heavy tails" : ""}), which explains held-out rows best: rows are few.`);
  if (values) said.push(`${pluralise(values, "extreme value")} of ${pluralise(clipped.length, "column")} drawn in to 7.4 median absolute deviations.`);
  if (missing.length) said.push(`Missing values of ${pluralise(missing.length, "column")} filled with the column mean (of text: the share of each level).`);
  if (skipped.length) said.push(`${pluralise(skipped.length, "column")} skipped: ${skipped.slice(0, 6).map(({ name, why }) => `${name} (${why})`).join(", ")}${skipped.length > 6 ? ", …" : ""}.`);
  return said.map((text) => make("li", {}, text));
}

/** @param {Answer} answer */
function writeAuto({ k, auto }) {
  if (!auto) return "";
  const why = auto.next === null ? `each of ${formatCount(k)} columns says enough beyond itself on held-out rows`
    : `a further column would say little beyond itself: on held-out rows it explains as much of the others as ${Math.max(auto.next, 0).toFixed(2)} columns have, less than the required 0.75`;
  return `Why ${formatCount(k)}: ${why}. Half of the rows give ${formatCount(auto.low)} to ${formatCount(auto.high)}.`;
}

/** @type {(answer: Answer, wished: Wished, place: number, swaps: { group: number, change: number }[]) => HTMLElement[]} */
export function listSwaps(answer, wished, place, swaps) {
  return [
    make("p", {}, "In place of ", makeName(answer.names[wished.path[place]]), ":"),
    make("ul", {}, ...swaps.map(({ group, change }) => make("li", {}, makeName(answer.names[group]), " ", makeQuiet(formatChange(change))))),
  ];
}

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

export const saveCurve = () => saveFile("curve.svg", writeStandalone(findPicture(find("curve"))), "image/svg+xml");
