// What is known of one column: may I drop it, and why; its values, and what its sources predict.
import {
  describeSources, describeStatus, formatDistinct, formatRange, getKind, groupWards, linkWards, listOddities, listWards,
} from "./columns.js";
import { find, getMeaning, make, makeName, makeQuiet, makeShape } from "./elements.js";
import { data } from "./model.js";
import { getName, indexNames, isChoice, linkColumn, listKept, setState, state } from "./state.js";
import { formatChange, formatCount, formatHeldOut, formatPercent, formatTenths, pluralise, readOwn } from "./text.js";

const { LARGEST_LEVEL } = RULES.pictures; // a higher level stands for a missing value
const BINS = 16;

/** @typedef {{ low: number, high: number, mean: number, std: number, labels?: string[], numbers: number[] }} Sample */

// The place of a column among the sampled ones; -1 where it is none of them.
/** @param {number} column */
const findSampled = (column) => state.starting.sampled.findIndex(([sampled]) => sampled === column);

/** @type {(column: number) => Sample | null} */
function readSample(column) {
  const place = findSampled(column);
  if (place < 0) return null;
  const [, , low, high, mean, std, labels] = state.starting.sampled[place];
  const { rows } = data.sample;
  const levels = new Uint8Array(state.starting.blocks.values).subarray(place * rows, (place + 1) * rows);
  const numbers = Array.from(levels, (level) => (level > LARGEST_LEVEL ? NaN : low + ((high - low) * level) / LARGEST_LEVEL));
  return { low, high, mean, std, labels, numbers };
}

const CHART_HEIGHT = 150;
const LABEL_HEIGHT = 15; // of a bar with its name

/** @type {(label: string, children: SVGElement[], height?: number) => HTMLElement} */
function makeChart(label, children, height = CHART_HEIGHT) {
  const picture = makeShape("svg", { class: "small", viewBox: `0 0 220 ${height}`, role: "img", "aria-label": label });
  picture.append(...children);
  return make("figure", {}, picture, make("figcaption", {}, label));
}

/** @param {number} number */
const formatShort = (number) => String(Number(number.toPrecision(3))).replace("-", "−");
/** @param {string} label */
const cutLabel = (label) => (label.length > 25 ? `${label.slice(0, 24)}…` : label);

// Of labels a bar each, the most frequent first and what is left last; of numbers a histogram.
/** @param {Sample} sample */
function drawValues({ low, high, labels, numbers }) {
  const known = numbers.filter((number) => !Number.isNaN(number));
  const bars = labels ? drawLabels(labels, known) : drawHistogram(low, high, known);
  const height = labels ? 12 + LABEL_HEIGHT * labels.length : CHART_HEIGHT;
  return makeChart(`Values in ${pluralise(data.sample.rows, "sampled row")}`, bars, height);
}

/** @type {(labels: string[], numbers: number[]) => SVGElement[]} */
function drawLabels(labels, numbers) {
  const counts = labels.map(() => 0);
  numbers.forEach((number) => { counts[Math.round(number)] += 1; });
  const [each, most] = [LABEL_HEIGHT, Math.max(...counts, 1)];
  return counts.flatMap((size, i) => [
    makeShape("rect", { class: "label", x: 10, y: 8 + each * i, width: (200 * size) / most, height: each - 2 }),
    makeShape("text", { x: 14, y: 8 + each * (i + 0.5), dy: "0.2em" }, `${cutLabel(labels[i])}: ${size}`),
  ]);
}

/** @type {(low: number, high: number, numbers: number[]) => SVGElement[]} */
function drawHistogram(low, high, numbers) {
  const counts = Array.from({ length: BINS }, () => 0);
  const width = high - low || 1;
  numbers.forEach((number) => {
    counts[Math.min(Math.floor(((number - low) / width) * BINS), BINS - 1)] += 1;
  });
  const most = Math.max(...counts, 1);
  const bars = counts.map((size, i) => {
    const height = (110 * size) / most;
    return makeShape("rect", { x: 10 + (200 * i) / BINS, y: 125 - height, width: 200 / BINS - 1, height });
  });
  return [...bars, makeShape("text", { x: 10, y: 142 }, formatShort(low)),
    makeShape("text", { x: 210, y: 142, "text-anchor": "end" }, formatShort(high))];
}

// With `line` both axes are the same, and values on the line are predicted exactly.
/** @type {(label: string, xs: number[], ys: number[], line: boolean) => HTMLElement | null} */
function drawScatter(label, xs, ys, line) {
  const pairs = xs.map((x, i) => [x, ys[i]]).filter((pair) => pair.every(Number.isFinite));
  if (!pairs.length) return null;
  /** @param {number[]} values */
  const findEnds = (values) => [Math.min(...values), Math.max(...values)];
  const ends = [0, 1].map((axis) => findEnds(line ? pairs.flat() : pairs.map((pair) => pair[axis])));
  const [[x0, x1], [y0, y1]] = ends;
  /** @param {number} value */
  const x = (value) => 10 + (200 * (value - x0)) / (x1 - x0 || 1);
  /** @param {number} value */
  const y = (value) => 130 - (120 * (value - y0)) / (y1 - y0 || 1);
  /** @type {SVGElement[]} */
  const shapes = pairs.map(([a, b]) => makeShape("circle", { cx: x(a).toFixed(1), cy: y(b).toFixed(1), r: 2 }));
  if (line) shapes.unshift(makeShape("line", { class: "grid", x1: x(x0), y1: y(x0), x2: x(x1), y2: y(x1) }));
  return makeChart(label, [...shapes, makeShape("text", { x: 10, y: 146 }, line ? "predicted →" : "")]);
}

// Predicted from its sources, in standard deviations, against the value itself; weights of ranks or
// of shared information predict no value.
/** @type {(column: number, sample: Sample) => HTMLElement | null} */
function drawPrediction(column, sample) {
  const pairs = state.model.getSources(column, state.k)?.pairs ?? [];
  const parts = pairs.flatMap(([source, weight]) => {
    const facts = readSample(source);
    return facts ? [{ facts, weight }] : [];
  });
  if (!pairs.length || parts.length < pairs.length) return null;
  if (!data.words.signed || data.ranked) {
    if (sample.labels || parts[0].facts.labels) return null; // dots of categories lie on each other
    return drawScatter(`Against ${getName(pairs[0][0])}`, parts[0].facts.numbers, sample.numbers, false);
  }
  const guess = sample.numbers.map((_, row) => sample.mean + sample.std * parts.reduce((sum, { facts, weight }) =>
    sum + (weight * (facts.numbers[row] - facts.mean)) / (facts.std || 1), 0));
  const names = pairs.map(([source]) => getName(source)).join(", ");
  return drawScatter(`Actual against predicted from ${names}`, guess, sample.numbers, true);
}

// All drawings of a column, or why there are none.
/** @param {number} column */
function drawCharts(column) {
  if (!data.sample.rows) return [make("p", { class: "quiet" }, data.sample.why)];
  const sample = readSample(column);
  if (!sample) {
    return [make("p", { class: "quiet" }, `This page holds the rows of ${pluralise(state.starting.sampled.length, "column")}; this column is not among them.`)];
  }
  const prediction = listKept().includes(column) ? null : drawPrediction(column, sample);
  return [drawValues(sample), ...(prediction ? [prediction] : [])];
}

/** @typedef {[term: string, parts: (Node | string)[]]} Row */

/** @param {number} column @returns {Row[]} */
function describeDropped(column) {
  const { model, k } = state;
  const chance = model.getChance(k);
  const interpolated = (model.isExact?.(k) ?? true) ? "" : ", interpolated";
  const found = model.getNewRows(k);
  /** @type {Row[]} */
  const rows = found ? [["On new rows", [`${formatHeldOut(found.shares[column])} (lower limit ${formatTenths(found.low[column])})${interpolated}`]]] : [];
  const here = `${formatTenths(model.getShares(k)[column])} by ${pluralise(k, "kept column")}`
    + (chance === null ? "" : ` (chance: ${formatTenths(chance)})`);
  return [...rows, ["On these rows", [here + interpolated]], ["Explained by", describeSources(column)]];
}

/** @type {(name: string, column: number) => Row[]} */
function describeKept(name, column) {
  const { model } = state;
  const rank = model.path.indexOf(column);
  const gain = model.retained[rank] - (model.retained[rank - 1] ?? 0);
  /** @type {Row[]} */
  const rows = [["Adds", [`${formatPercent(gain)} ${data.words.share}, on these rows`]]];
  const { length } = listWards(column);
  if (groupWards().known) {
    rows.push([`Stands for ${formatCount(length)}`, length ? linkWards(column, 12) : ["no dropped column"]]);
  }
  if (!isChoice()) return rows;
  const swaps = readOwn(data.swaps, name) ?? [];
  if (swaps.length) {
    rows.push(["Substitutes", swaps.flatMap(([other, change], i) =>
      [i ? ", " : "", linkColumn(other), " ", makeQuiet(`(${formatChange(change)})`)])]);
  }
  if (data.frequency) {
    const often = Math.round(100 * (readOwn(data.frequency, name) ?? 0));
    rows.push(["Kept in", [data.included.includes(name) ? "all half-samples: included by you" : `${often}% of the half-samples`]]);
  }
  return rows;
}

/** @type {(name: string, position: number, column: number | undefined) => Row[]} */
function describeValues(name, position, column) {
  const { kinds, missing } = state.starting;
  const meaning = getMeaning(name);
  /** @type {Row[]} */
  const rows = meaning ? [["Meaning", [meaning]]] : [];
  const kind = getKind(position);
  const known = kind || (kinds ? kinds.words[kinds.each ? kinds.each[position] : 0] : "");
  if (known) rows.push(["Kind", [known]]);
  if (listOddities(position).length) rows.push(["Unusual values", [listOddities(position).join("; ")]]);
  const absent = readOwn(missing, name);
  if (absent || column !== undefined) {
    rows.push(["Missing", [absent ? `${formatTenths(absent)} of the rows` : "none"]]);
  }
  if (formatRange(position)) rows.push(["Range", [formatRange(position)]]);
  const distinct = column === undefined ? null : state.starting.sampled[findSampled(column)]?.[1] ?? null;
  if (distinct === null && formatDistinct(position)) rows.push(["Distinct", [formatDistinct(position)]]);
  if (distinct !== null) rows.push(["Distinct", [`${formatCount(distinct)} in ${pluralise(data.sample.seen, "row")}`]]);
  return rows;
}

/** @type {(name: string, position: number, status: Status) => Row[]} */
function describeColumn(name, position, { column, share, kind }) {
  const dropped = column !== undefined && share !== undefined ? describeDropped(column) : [];
  const kept = column !== undefined && kind === "kept" ? describeKept(name, column) : [];
  return [...dropped, ...kept, ...describeValues(name, position, column)];
}

function fillCard() {
  const name = state.column;
  const position = name === null ? undefined : indexNames().position.get(name);
  find("card").hidden = position === undefined;
  if (name === null || position === undefined) return;
  const status = describeStatus(position);
  find("card-title").replaceChildren(makeName(name));
  find("card-status").replaceChildren(make("i", { class: `spot ${status.kind}`, "aria-hidden": "true" }), status.text);
  find("card-facts").replaceChildren(...describeColumn(name, position, status).flatMap(([term, parts]) =>
    [make("dt", {}, term), make("dd", {}, ...parts)]));
  find("card-charts").replaceChildren(...(status.column === undefined ? [] : drawCharts(status.column)));
}

/** @type {View} */
export function showCard({ column }, before) {
  if (column !== null || before.column !== null) fillCard();
}

export function startCard() {
  find("card-close").addEventListener("click", () => {
    setState({ column: null });
    find("filter").focus();
  });
}
