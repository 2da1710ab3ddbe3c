// The kept columns, and for each the dropped columns that it explains best.
import { groupWards, linkWards } from "./columns.js";
import { find, findAs, getMeaning, make, makeBar, makeButton, makeQuiet, pick, runLater } from "./elements.js";
import { getName, linkColumn, listKept, listKeptNames, state } from "./state.js";
import { formatCount, formatHeldOut, formatPercent } from "./text.js";
import { listWishes } from "./wishes.js";

const MAX_FOLDED = 20; // rows of a folded list
const MAX_COUNTED_AT_ONCE = 600; // columns; the wards of more are counted when the slider rests

/** @type {{ model: Model | null, items: HTMLElement[] }} */
const rows = { model: null, items: [] };
let givenOrder = null;
let unfolded = false;

/** @param {Model} model */
function makeRows(model) {
  const gains = model.retained.map((share, i) => share - (model.retained[i - 1] ?? 0));
  const largest = Math.max(...gains) || 1;
  return model.path.map((column, place) => {
    const stands = makeButton({ class: "stands", "aria-expanded": "false" }, "", (button) => toggleWards(column, button));
    const head = make("th", { role: "rowheader", scope: "row" }, linkColumn(getName(column)), " ",
      makeQuiet(getMeaning(getName(column))), " ", stands);
    const share = make("td", { role: "cell", class: "share" }, makeBar((100 * gains[place]) / largest),
      make("span", { class: "number" }, formatPercent(Math.max(gains[place], 0))));
    const held = model.held[place];
    const fresh = !state.starting.held.length ? [] : [held === undefined ? "–" : formatHeldOut(held)];
    return make("tr", { role: "row" }, make("td", { role: "cell", class: "place" }, String(place + 1)), head, share,
      ...[...fresh, formatPercent(model.retained[place])].map((text) => make("td", { role: "cell", class: "right" }, text)));
  });
}

/** @type {(column: number, button: HTMLElement) => void} */
function toggleWards(column, button) {
  const row = button.closest("tr");
  const next = row?.nextElementSibling;
  const open = next?.classList.contains("wards");
  button.setAttribute("aria-expanded", String(!open));
  if (open) next?.remove();
  else row?.after(make("tr", { role: "row", class: "wards" },
    make("td", { role: "cell", colspan: 5 }, ...linkWards(column))));
}

function countWards() {
  const { lists, known } = groupWards();
  find("stands-about").hidden = !known;
  listKept().forEach((column, place) => {
    const button = pick(rows.items[place], ".stands");
    const length = lists.get(column)?.length ?? 0;
    button.hidden = !known || !length;
    button.textContent = `stands for ${formatCount(length)}`;
    button.setAttribute("aria-expanded", "false");
  });
}

const countLater = runLater(countWards, 80);

// The order that Python speaks of is that of its own choice.
function showOrder() {
  const about = find("order-about");
  givenOrder ??= about.textContent;
  const pinned = !state.model.base && listWishes().include.length > 0;
  about.textContent = state.model.base ? givenOrder
    : pinned ? "Pinned columns first, then best first." : "Best first.";
}

// A long list is folded: what the first columns add is what a reader looks for.
function listRows() {
  const { k } = state;
  const shown = unfolded ? k : Math.min(k, MAX_FOLDED);
  find("kept").replaceChildren(...rows.items.slice(0, shown));
  find("kept-more").hidden = k <= MAX_FOLDED;
  pick(find("kept-more"), ".more-text").textContent = unfolded ? "" : `The first ${MAX_FOLDED} of ${formatCount(k)} are listed.`;
  find("kept-all").hidden = false;
  find("kept-all").textContent = unfolded ? `Show the first ${MAX_FOLDED}` : `Show all ${formatCount(k)}`;
  find("kept-all").setAttribute("aria-expanded", String(unfolded));
}

export function startKept() {
  find("kept-all").addEventListener("click", () => {
    unfolded = !unfolded;
    listRows();
  });
}

/** @type {View} */
export function showKept({ k, model }, before) {
  if (rows.model === model && before.k === k) return;
  if (rows.model !== model) rows.items = makeRows(model);
  rows.model = model;
  showOrder();
  listRows();
  findAs("names", HTMLTextAreaElement).value = listKeptNames().join("\n") + "\n";
  countLater(model.used.length > MAX_COUNTED_AT_ONCE); // not while the slider moves
}
