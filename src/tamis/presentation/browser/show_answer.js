// What the page shows: the columns of the table, and the answer for the number that the slider shows.
import { drawLines, moveMarker, scaleCurve } from "../page/curve.js";
import { find, findAs, make, makeBar, makeButton, makeName, makeQuiet, makeShape, pickAll, setAttributes } from "../page/elements.js";
import { findSources } from "../page/greedy.js";
import {
  findDrawer, formatChange, formatCount, formatFigure, formatHeldOut, formatPercent, pluralise, quoteCell, quoteNumber, sortByWeight,
  writeHeadline, writeShares,
} from "../page/text.js";

const { BAR, CLIP_DEVIATIONS } = RULES.search;
const MOST_JUDGED = 500; // columns that are listed
const HEADS = ["column", "kind", "missing", "distinct", "smallest", "largest", "unusual values", "how it is analysed"];

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

/** @param {Shown} shown */
function showCurve({ answer, wished, k }) {
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
const { DRAWER_WORDS } = RULES.pictures;
const LEAST_SHOWN = 0.005; // a smaller share is written as 0%

// What is found, in one sentence; the same as Python's.
/** @param {Shown} shown */
function describeAnswer({ answer, wished, k }) {
  const { auto } = answer;
  const own = wished === answer && k === answer.k;
  const number = own && auto ? `${formatCount(k)} (${formatCount(auto.low)}-${formatCount(auto.high)})` : formatCount(k);
  const held = wished === answer ? answer.held.share[k - 1] : undefined;
  const short = own && !auto && held !== undefined && held < RULES.search.USUAL_RETAIN - RULES.tolerances.NEGLIGIBLE;
  const bound = short ? 1 : answer.bound[k - 1] ?? 1;
  const said = writeHeadline({ k, number, width: answer.names.length, share: wished.retained[k - 1], bound, held, asIs: own ? answer.asIs : null, about: "of the variance" });
  return short ? `${said} ${writeShortfall(k, held)}` : said;
}

// Why less is explained than by default: `Outcome.shortfall` in Python.
/** @type {(k: number, share: number) => string} */
const writeShortfall = (k, share) =>
  `No number of columns explains ${100 * RULES.search.USUAL_RETAIN}% on new rows; ${formatCount(k)} explain${k === 1 ? "s" : ""} most, ${(100 * share).toFixed(1)}%.`;

// The few kept columns that carry a dropped one, as text.
/** @type {(shown: Shown, column: number) => string} */
function nameCarriers({ answer, wished, k }, column) {
  const { pairs } = findSources(wished.path.slice(0, k), wished.links, column, wished.shares[k - 1][column], answer.signed);
  return sortByWeight(pairs).filter(([, weight]) => answer.signed || weight >= LEAST_SHOWN).map(([kept, weight]) =>
    `${answer.signed ? `${weight.toFixed(2)} ×` : `${Math.round(100 * weight)}% by`} ${quoteNumber(answer.names[kept])}`).join(", ");
}

/** @param {Shown} shown */
export const listKept = ({ answer, wished, k }) => wished.path.slice(0, k).map((column) => answer.names[column]);

// What is known of single columns on new rows: for no other wishes, and for no more columns than were tried.
/** @param {Shown} shown */
const getNewRows = ({ answer, wished, k }) => (wished === answer ? answer.newRows[k - 1] : undefined);

/** @param {Shown} shown */
function listDropped(shown) {
  const { answer, wished, k } = shown;
  const kept = new Set(wished.path.slice(0, k));
  const shares = getNewRows(shown)?.shares ?? wished.shares[k - 1];
  return answer.names.map((_, j) => j).filter((j) => !kept.has(j)).sort((a, b) => shares[a] - shares[b]);
}

// What becomes of a dropped column: known where new rows were tried.
/** @type {(shown: Shown, column: number) => Kind} */
function findStatus(shown, column) {
  const found = getNewRows(shown);
  return found ? findDrawer(found.shares[column], found.low[column], findChance(shown.answer, shown.k)) : "dropped";
}

// What so many columns explain of an unrelated one by chance.
/** @type {(answer: Answer, k: number) => number} */
const findChance = ({ freedom, rows }, k) => Math.min(1, freedom[k - 1] / Math.max(rows - 1, 1));

// A row about a column: what is known of it, and what may be wished for it.
/** @type {(shown: Shown, acts: Acts, column: number, facts: [kind: string, ...parts: (Node | string)[]][], ...more: Node[]) => HTMLElement} */
function makeRow({ answer, pins, barred }, acts, column, facts, ...more) {
  const name = answer.names[column];
  /** @type {(label: string, wishes: number[], act: (column: number) => void) => HTMLElement} */
  const makeToggle = (label, wishes, act) => makeButton({ class: "toggle", title: `${label === "keep" ? "Always" : "Never"} keep ${name}`,
    "aria-pressed": String(wishes.includes(column)) }, label, () => act(column));
  return make("tr", {}, make("th", { scope: "row" }, makeName(name)),
    ...facts.map(([kind, ...parts]) => make("td", { class: kind }, ...parts)),
    make("td", { class: "right" }, makeToggle("keep", pins, acts.pin), " ", makeToggle("never", barred, acts.bar), " ", ...more));
}

/** @type {(shown: Shown, acts: Acts) => void} */
function showKept(shown, acts) {
  const { answer, wished, k } = shown;
  find("kept").replaceChildren(...wished.path.slice(0, k).map((column, place) => {
    const [bound, held] = [answer.bound[place], wished === answer ? answer.held.share[place] : undefined];
    const swap = makeButton({ class: "toggle", title: `What could replace ${answer.names[column]}` }, "replace by…", () => acts.swap(place));
    const row = makeRow(shown, acts, column, [["right", held === undefined ? "" : formatFigure(held)],
      ["right", formatPercent(wished.retained[place])], ["right", bound === undefined ? "" : formatPercent(bound)]], swap);
    row.prepend(make("td", {}, String(place + 1)));
    return row;
  }));
}

let drawing = 0; // the list that is being written; an earlier one stops

/** @type {(shown: Shown, acts: Acts) => void} */
function showDropped(shown, acts) {
  const [fresh, shares] = [getNewRows(shown), shown.wished.shares[shown.k - 1]];
  const dropped = listDropped(shown);
  const listed = dropped.slice(0, MOST_DROPPED);
  const own = ++drawing;
  find("dropped").replaceChildren();
  /** @param {number} from */
  const draw = (from) => { // some rows at a time: the page answers in between
    if (own !== drawing) return;
    find("dropped").append(...listed.slice(from, from + ROWS_AT_ONCE).map((column) => makeRow(shown, acts, column, [
      ["", fresh ? DRAWER_WORDS[findStatus(shown, column)] : ""],
      ["share", ...(fresh ? [makeBar(100 * fresh.shares[column]), " ", formatFigure(fresh.shares[column])] : [])],
      [fresh ? "right quiet" : "share", ...(fresh ? [] : [makeBar(100 * shares[column]), " "]), formatPercent(shares[column])],
      ["", nameCarriers(shown, column)],
    ])));
    if (from + ROWS_AT_ONCE < listed.length) setTimeout(draw, 0, from + ROWS_AT_ONCE);
  };
  draw(0);
  const more = dropped.length > MOST_DROPPED ? ` The ${formatCount(MOST_DROPPED)} least explained are listed; the saved table has all.` : "";
  find("dropped-about").textContent = dropped.length
    ? `${shown.answer.signed ? "Weights are those of standardised columns." : "What each kept column explains alone."}${more}` : "Nothing is dropped.";
}

/** @type {(shown: Shown, acts: Acts) => void} */
export function showAnswer(shown, acts) {
  const { answer, wished, k, pins, barred } = shown;
  setAttributes(find("slider"), { max: wished.path.length });
  findAs("slider", HTMLInputElement).value = String(k);
  const [first, ...second] = writeShares(wished === answer ? answer.held.share[k - 1] : undefined, wished.retained[k - 1]);
  find("shown").replaceChildren(`${formatCount(k)}: ${first} `, ...second.map(makeQuiet));
  find("verdict").textContent = describeAnswer(shown);
  find("wishes").textContent = wished === answer ? "" : `With ${pins.length} columns always kept and ${barred.length} never: shares on these rows; new rows were not tried.`;
  showCurve(shown);
  showKept(shown, acts);
  showDropped(shown, acts);
  find("swaps").replaceChildren();
}

const NAMED = 4;
/** @param {string[]} names */
const listNames = (names) => names.slice(0, NAMED).join(", ") + (names.length > NAMED ? ` and ${formatCount(names.length - NAMED)} more` : "");

// What was done with the table, and what the figures rest on.
/** @param {Answer} answer */
export function listNotes(answer) {
  const { skipped, clipped, missing, k } = answer;
  const values = clipped.reduce((sum, one) => sum + one.clipped, 0);
  const said = k === answer.names.length ? [] : [`On new rows (folds of rows held out in turn, columns selected again in each): ${formatHeldOut(answer.held.share[k - 1])} (${formatHeldOut(answer.held.low[k - 1])} to ${formatPercent(answer.held.high[k - 1])}).`];
  if (answer.auto) said.push(writeAuto(answer));
  if (answer.shrink) said.push(`Ridge penalty ${answer.shrink}${answer.byTails ? ", larger for columns of heavy tails" : ""}, chosen on held-out rows.`);
  if (values) said.push(`Values beyond about ${CLIP_DEVIATIONS} robust standard deviations limited: ${formatCount(values)} in ${pluralise(clipped.length, "column")}.`);
  if (answer.pooled.length) said.push(`Rare levels pooled into one: ${listNames(answer.pooled)}.`);
  if (answer.signed && answer.marked.length) said.push(`Weights are for ${listNames(answer.marked)}.`);
  if (missing.length) said.push(`Missing values of ${pluralise(missing.length, "column")} filled with the column mean (of text: the share of each level).`);
  if (skipped.length) said.push(`${pluralise(skipped.length, "column")} skipped: ${skipped.slice(0, 6).map(({ name, why }) => `${name} (${why})`).join(", ")}${skipped.length > 6 ? ", …" : ""}.`);
  return said.map((text) => make("li", {}, text));
}

/** @param {Answer} answer */
function writeAuto({ k, auto }) {
  if (!auto) return "";
  const [enough, further] = k === 1 ? ["1 column is", "a second"] : [`${formatCount(k)} columns are`, "a further"];
  const why = auto.next === null ? `${formatCount(k)} columns: up to here each explains enough of the others on held-out rows`
    : `${enough} enough: ${further} one would explain only ${Math.max(auto.next, 0).toFixed(2)} of a column's worth of the others on held-out rows (${BAR} is required)`;
  return `${why}. Half of the rows give ${formatCount(auto.low)} to ${formatCount(auto.high)}.`;
}

/** @type {(shown: Shown, place: number, swaps: { group: number, change: number }[]) => void} */
export function showSwaps({ answer, wished }, place, swaps) {
  const items = swaps.map(({ group, change }) => make("li", {}, makeName(answer.names[group]), " ", makeQuiet(formatChange(change))));
  find("swaps").replaceChildren(make("p", {}, "In place of ", makeName(answer.names[wished.path[place]]), ":"), make("ul", {}, ...items));
  find("swaps").focus();
}

// A cell that a spreadsheet would take for a formula begins with a quote.
/** @param {string} text */
const guard = (text) => quoteCell(/^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text);

/** @param {Shown} shown */
export function writeReasons(shown) {
  const { answer, wished, k } = shown;
  const [fresh, shares] = [getNewRows(shown), wished.shares[k - 1]];
  const kept = listKept(shown).map((name, place) => [name, "kept", String(place + 1), ...(fresh ? ["1", "1"] : ["", ""]), "1", ""]);
  const dropped = listDropped(shown).map((column) => {
    const kind = findStatus(shown, column);
    const status = kind === "dropped" ? "" : kind === "partly" ? DRAWER_WORDS.partly : kind;
    return [answer.names[column], status, "", ...[fresh?.shares, fresh?.low].map((some) => (some ? String(some[column]) : "")), String(shares[column]), nameCarriers(shown, column)];
  });
  const skipped = answer.skipped.map(({ name, why }) => [name, "skipped", "", "", "", "", why]);
  return [["column", "status", "place", "new_rows", "new_rows_low", "share", "reason"], ...kept, ...dropped, ...skipped]
    .map((row) => row.map(guard).join(",")).join("\n") + "\n";
}
