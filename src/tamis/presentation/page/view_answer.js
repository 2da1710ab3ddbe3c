// The verdict, the kept names, the figures and the slider.
import { copyNames } from "./copying.js";
import { find, findAs, make, makeQuiet, pick, pickAll, seek } from "./elements.js";
import { data } from "./model.js";
import { getName, isChoice, keepCardClear, linkColumn, listKeptNames, setState, state } from "./state.js";
import { formatCount, formatFigure, formatPercent, isWorse, pluralise, writeHeadline, writeShares } from "./text.js";

const { MAX_CEILING, WORSE } = RULES.pictures;
const MAX_CHIPS = 400;
const MAX_CHIP_ROWS = 3;
let unfolded = false;

/** @type {{ model: Model | null, items: HTMLElement[] }} */
const chips = { model: null, items: [] };
// The kept names, one item of the list each.
export const listChips = () => chips.items;

function writeVerdict() {
  const { k, model } = state;
  if (isChoice()) return data.sentence;
  const about = model.about ?? data.words.share;
  return writeHeadline({ k, number: formatCount(k), width: model.used.length, share: model.retained[k - 1], bound: model.bound[k - 1], held: model.held[k - 1], about });
}

function showChips() {
  const { k, model } = state;
  if (chips.model !== model) {
    chips.model = model;
    chips.items = model.path.map((column) => {
      const link = linkColumn(getName(column));
      link.classList.add("chip");
      if (data.included.includes(getName(column))) link.classList.add("locked");
      return make("li", {}, link);
    });
  }
  const list = find("chips");
  list.replaceChildren(...chips.items.slice(0, Math.min(k, MAX_CHIPS)));
  if (k > MAX_CHIPS) list.append(make("li", { class: "quiet" }, `and ${formatCount(k - MAX_CHIPS)} more, listed below`));
  foldChips();
}

// Full rows of names: those beyond the first few are shown on request.
export function foldChips() {
  const items = [...find("chips").children].filter((item) => item instanceof HTMLElement);
  items.forEach((item) => item.classList.remove("beyond"));
  const tops = [...new Set(items.map((item) => item.offsetTop))].sort((a, b) => a - b);
  const end = tops[MAX_CHIP_ROWS] ?? Infinity;
  const over = end < Infinity;
  if (over && !unfolded) items.filter((item) => item.offsetTop >= end).forEach((item) => item.classList.add("beyond"));
  const button = find("all-names");
  button.hidden = !over;
  button.textContent = unfolded ? "Show fewer" : `Show all ${formatCount(state.k)}`;
  button.setAttribute("aria-expanded", String(unfolded));
}

function showFigures() {
  const { k, model } = state;
  const [held, here] = [model.held[k - 1], formatPercent(model.retained[k - 1])];
  /** @type {Record<string, string>} */
  const figures = {
    "figure-k": formatCount(k),
    "figure-share": held === undefined ? here : formatFigure(held),
    "figure-bound": formatPercent(model.bound[k - 1]),
  };
  Object.entries(figures).forEach(([id, text]) => {
    find(id).textContent = text;
    find(id).classList.toggle("long", text.length > 7);
  });
  find("figure-rows").textContent = held === undefined ? "on these rows; new rows were not measured" : `on new rows${isWorse(held) ? `: ${WORSE}` : ""}`;
  find("figure-here").textContent = `${here} on these rows`;
  find("figure-here").hidden = held === undefined;
  pickAll(".measured", HTMLElement).forEach((part) => { part.hidden = !model.getNewRows(k); });
  pickAll(".unmeasured", HTMLElement).forEach((part) => { part.hidden = Boolean(model.getNewRows(k)); });
  find("kept-count").textContent = formatCount(k);
  find("figure-ceiling").hidden = model.bound[k - 1] > MAX_CEILING * model.retained[k - 1];
  find("ceiling-k").textContent = pluralise(k, "column");
}

function moveSlider() {
  const { k, model } = state;
  const slider = findAs("slider", HTMLInputElement);
  const [first, ...second] = writeShares(model.held[k - 1], model.retained[k - 1]);
  find("shown").replaceChildren(`${formatCount(k)}: ${first} `, ...second.map(makeQuiet));
  find("back").hidden = isChoice();
  slider.max = String(model.path.length);
  slider.value = String(k);
  slider.min = String(model.least ?? 1);
  findAs("less", HTMLButtonElement).disabled = k === (model.least ?? 1);
  findAs("more", HTMLButtonElement).disabled = k === model.path.length;
}

export function showAnswer() {
  find("verdict").textContent = writeVerdict();
  showChips();
  showFigures();
  moveSlider();
  const badge = seek("badge");
  if (badge) badge.hidden = !isChoice();
}

export function startAnswer() {
  const slider = findAs("slider", HTMLInputElement);
  new ResizeObserver(keepCardClear).observe(pick(document, ".sticky"));
  window.addEventListener("resize", foldChips);
  find("all-names").addEventListener("click", () => {
    unfolded = !unfolded;
    foldChips();
  });
  find("control").hidden = state.model.path.length < 2;
  find("copying").hidden = false;
  find("copy").addEventListener("click", () => { copyNames(listKeptNames(), find("copied")); });
  slider.addEventListener("input", () => setState({ k: Number(slider.value) }));
  find("less").addEventListener("click", () => setState({ k: state.k - 1 }));
  find("more").addEventListener("click", () => setState({ k: state.k + 1 }));
  find("back").addEventListener("click", () => {
    setState({ k: data.k, pins: [], barred: [], prices: {} });
    slider.focus();
  });
}
