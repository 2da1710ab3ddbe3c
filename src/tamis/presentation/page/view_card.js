// What is known of one column: may I drop it, and why.
const values = () => new Uint8Array(starting.blocks.values);
const TOP = 254;
let sampled = null;

function sampleOf(column) {
  sampled ??= new Map(starting.sampled.map((facts, place) => [facts[0], place]));
  const place = sampled.get(column);
  if (place === undefined) return null;
  const [, distinct, low, high, mean, std, labels] = starting.sampled[place];
  const { rows } = data.sample;
  const levels = values().subarray(place * rows, (place + 1) * rows);
  const numbers = Array.from(levels, (level) => (level > TOP ? NaN : low + ((high - low) * level) / TOP));
  return { distinct, low, high, mean, std, labels, numbers };
}

const listOf = (names) => names.flatMap((name, i) => [i ? ", " : "", linked(name)]);

function factRows(name, position, status) {
  const { model, k } = state;
  const rows = [];
  const { column } = status;
  if (column !== undefined && status.kind !== "kept") {
    rows.push(["Explained", [`${tenths(status.share)} by ${plural(k, "kept column")}`
      + (model.chance(k) === null ? "" : ` (chance: ${tenths(model.chance(k))})`)
      + ((model.exactAt?.(k) ?? true) ? "" : ", interpolated")]]);
    rows.push(["Mostly by", sourceParts(column, status.share)]);
  }
  if (status.kind === "kept") {
    const rank = model.path.indexOf(column);
    rows.push(["Adds", [`${percent(model.retained[rank] - (model.retained[rank - 1] ?? 0))} ${data.words.share}`]]);
    const list = wardsNow().lists.get(column) ?? [];
    if (wards.known) rows.push([`Stands for ${grouped(list.length)}`, list.length ? wardList(column, 12) : ["no dropped column"]]);
    const swaps = isChoice() && own(data.swaps, name);
    if (swaps?.length) {
      rows.push(["Substitutes", swaps.flatMap(([other, change], i) =>
        [i ? ", " : "", linked(other), " ", quiet(`(${signed(change)})`)])]);
    }
    const often = isChoice() && data.frequency;
    if (often) rows.push(["Kept in", [data.included.includes(name) ? "all half-samples: included by you" : `${Math.round(100 * (own(often, name) ?? 0))}% of the half-samples`]]);
  }
  const { kinds, missing } = starting;
  if (kinds) rows.push(["Kind", [kinds.words[kinds.each ? kinds.each[position] : 0]]]);
  const absent = own(missing, name);
  if (absent || column !== undefined) {
    rows.push(["Missing", [absent ? `${tenths(absent)} of the rows` : "none"]]);
  }
  const facts = column === undefined ? null : sampleOf(column);
  if (facts) rows.push(["Distinct", [`${grouped(facts.distinct)} in ${plural(data.sample.seen, "row")}`]]);
  return rows;
}

function chart(label, ...children) {
  const picture = drawn("svg", { class: "small", viewBox: "0 0 220 150", role: "img", "aria-label": label });
  picture.append(...children);
  return make("figure", {}, picture, make("figcaption", {}, label));
}
const short = (number) => String(Number(number.toPrecision(3))).replace("-", "−");

// Of labels a bar each, the most frequent first and what is left last; of numbers a histogram.
function labelBars({ labels, numbers }) {
  const counts = labels.map(() => 0);
  numbers.forEach((number) => { if (!Number.isNaN(number)) counts[Math.round(number)] += 1; });
  const [each, most] = [130 / Math.max(labels.length, 4), Math.max(...counts, 1)];
  const cut = (label) => (label.length > 25 ? `${label.slice(0, 24)}…` : label);
  const bars = counts.flatMap((size, i) => [
    drawn("rect", { class: "label", x: 10, y: 8 + each * i, width: (200 * size) / most, height: each - 2 }),
    drawn("text", { x: 14, y: 8 + each * (i + 0.5), dy: "0.2em" }, `${cut(labels[i])}: ${size}`),
  ]);
  return chart(`Values in ${plural(data.sample.rows, "sampled row")}`, ...bars);
}

function histogram(facts) {
  if (facts.labels) return labelBars(facts);
  const count = 16;
  const bins = new Array(count).fill(0);
  const width = facts.high - facts.low || 1;
  facts.numbers.forEach((number) => {
    if (Number.isNaN(number)) return;
    bins[Math.min(Math.floor(((number - facts.low) / width) * count), count - 1)] += 1;
  });
  const most = Math.max(...bins, 1);
  const bars = bins.map((size, i) => {
    const high = (110 * size) / most;
    return drawn("rect", { x: 10 + (200 * i) / count, y: 125 - high, width: 200 / count - 1, height: high });
  });
  return chart(`Values in ${plural(data.sample.rows, "sampled row")}`, ...bars,
    drawn("text", { x: 10, y: 142 }, short(facts.low)),
    drawn("text", { x: 210, y: 142, "text-anchor": "end" }, short(facts.high)));
}

function scatter(label, xs, ys, line) {
  const pairs = xs.map((x, i) => [x, ys[i]]).filter((pair) => pair.every(Number.isFinite));
  if (!pairs.length) return null;
  const range = (place) => pairs.map((pair) => pair[place]);
  const ends = [0, 1].map((place) => [Math.min(...range(place)), Math.max(...range(place))]);
  const [[x0, x1], [y0, y1]] = line
    ? [0, 1].map(() => [Math.min(ends[0][0], ends[1][0]), Math.max(ends[0][1], ends[1][1])]) : ends;
  const x = (value) => 10 + (200 * (value - x0)) / (x1 - x0 || 1);
  const y = (value) => 130 - (120 * (value - y0)) / (y1 - y0 || 1);
  const dots = pairs.map(([a, b]) => drawn("circle", { cx: x(a).toFixed(1), cy: y(b).toFixed(1), r: 2 }));
  if (line) dots.unshift(drawn("line", { class: "grid", x1: x(x0), y1: y(x0), x2: x(x1), y2: y(x1) }));
  return chart(label, ...dots, drawn("text", { x: 10, y: 146 }, "predicted →".slice(0, line ? 11 : 0)));
}

// Predicted from its sources, in standard deviations, against the value itself; weights of ranks or
// of shared information predict no value.
function predicted(column) {
  const found = state.model.sourcesAt(column, state.k);
  const own = sampleOf(column);
  if (!found?.pairs.length || !own) return null;
  const parts = found.pairs.map(([source, weight]) => [sampleOf(source), weight]);
  if (parts.some(([facts]) => !facts)) return null;
  if (!data.words.signed || data.ranked) {
    const [source] = parts[0];
    return scatter(`Against ${nameOf(found.pairs[0][0])}`, source.numbers, own.numbers, false);
  }
  const guess = own.numbers.map((_, row) => own.mean + own.std * parts.reduce((sum, [facts, weight]) =>
    sum + (weight * (facts.numbers[row] - facts.mean)) / (facts.std || 1), 0));
  const names = found.pairs.map(([source]) => nameOf(source)).join(", ");
  return scatter(`Actual against predicted from ${names}`, guess, own.numbers, true);
}

function cardCharts(column) {
  if (column === undefined) return [];
  if (!data.sample.rows) return [make("p", { class: "quiet" }, data.sample.why)];
  const facts = sampleOf(column);
  if (!facts) {
    return [make("p", { class: "quiet" }, `This page holds the rows of ${plural(starting.sampled.length, "column")}; this column is not among them.`)];
  }
  return [histogram(facts), state.model.path.slice(0, state.k).includes(column) ? null : predicted(column)].filter(Boolean);
}

function showCard() {
  const name = state.column;
  const position = name === null ? undefined : lookup().position.get(name);
  find("card").hidden = position === undefined;
  if (position === undefined) return;
  const status = statusOf(position);
  find("card-title").replaceChildren(named(name));
  find("card-status").replaceChildren(make("i", { class: `spot ${status.kind}`, "aria-hidden": "true" }), status.text);
  find("card-facts").replaceChildren(...factRows(name, position, status).flatMap(([term, parts]) =>
    [make("dt", {}, term), make("dd", {}, ...parts)]));
  find("card-charts").replaceChildren(...cardCharts(status.column));
}

function openCard() {
  clearOfBar();
  find("card").scrollIntoView({ block: "start" });
  find("card").focus({ preventScroll: true });
}
starters.push(() => find("card-close").addEventListener("click", () => {
  setState({ column: null });
  find("filter").focus();
}));
slowViews.push(({ column }, before) => {
  if (column !== null || before.column !== null) showCard();
});
