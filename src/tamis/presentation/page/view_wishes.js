// Where wishes are made and shown: beside the facts of a column, in the bar under the slider, on the
// kept names and behind the curve.
import { placePoints } from "./curve.js";
import { find, findAs, make, makeButton, makeQuiet, makeShape, pick, pickAll, pickAs, seek } from "./elements.js";
import { explainRefusal } from "./live_model.js";
import { getName, linkColumn, listKeptNames, state } from "./state.js";
import { formatChange, pluralise, readOwn } from "./text.js";
import { foldChips, listChips } from "./view_answer.js";
import { countOnAxis } from "./view_curve.js";
import { getUsualPrice, isWished, listWishes, resetWishes, setPrice, setWish } from "./wishes.js";

/** @typedef {"pin" | "bar"} Wish */

// What the parts show, so that they are drawn again only when that changes.
let cardKey = "";
/** @type {Model | null} */
let barModel = null;
/** @type {Model | null} */
let chipsModel = null;

/** @type {(kind: Wish, text: string, name: string, on: boolean) => HTMLElement} */
const makeToggle = (kind, text, name, on) => makeButton({ "aria-pressed": String(on), "data-wish": kind }, text, () => {
  setWish(kind, name, !on);
  pick(find("whatif"), `[data-wish=${kind}]`).focus();
});

/** @param {string} name */
function makePriceBox(name) {
  const box = make("input", { type: "number", min: "0", step: "any", inputmode: "decimal",
    value: readOwn(state.prices, name) ?? getUsualPrice(name) });
  box.addEventListener("change", () => {
    const price = Number(box.value);
    box.setCustomValidity(price > 0 && Number.isFinite(price) ? "" : "Give a price above 0.");
    if (box.reportValidity()) setPrice(name, price);
  });
  return make("label", {}, "Price", box);
}

function showCardWishes() {
  const { column: name, pins, barred, prices } = state;
  if (name === null) return;
  const [pinned, forbidden] = [pins.includes(name), barred.includes(name)];
  const key = JSON.stringify([name, pinned, forbidden, readOwn(prices, name)]);
  if (key === cardKey) return;
  cardKey = key;
  const reason = explainRefusal(name);
  find("whatif").replaceChildren(...(reason ? [makeQuiet(reason)] : [
    makeToggle("pin", pinned ? "Pinned" : "Pin", name, pinned), " ",
    makeToggle("bar", forbidden ? "Forbidden" : "Forbid", name, forbidden), " ",
    makePriceBox(name), " ",
    makeQuiet("Keep it in any case, never keep it, or say what it costs."),
  ]));
}

// After a wish was taken back: the next one, or the slider.
function focusNext() {
  (find("whatif-list").querySelector("button") ?? find("slider")).focus();
}

// A wish in the bar: what it is, of which column, and how it is taken back.
/** @type {(text: string, name: string, takeBack: () => void) => HTMLElement} */
function makeWish(text, name, takeBack) {
  const remove = makeButton({ class: "cross", "aria-label": `Take back: ${text} ${name}` }, "×", () => {
    takeBack();
    focusNext();
  });
  return make("li", { class: text === "forbidden" ? "no" : "" }, `${text} `, linkColumn(name), remove);
}

function compareWithChoice() {
  const { k, model, starting } = state;
  const asked = starting.retained[k - 1];
  if (asked === undefined || model.about) return "";
  const change = model.retained[k - 1] - asked;
  return Math.abs(change) < 5e-5 ? `Explains as much of these rows as your choice with ${pluralise(k, "column")}.`
    : `${formatChange(change)} on these rows, against your choice with ${pluralise(k, "column")}.`;
}

function describePrice() {
  const { costs } = listWishes();
  if (!Object.keys(costs).length) return "";
  const total = listKeptNames().reduce((sum, name) => sum + (readOwn(costs, name) ?? 1), 0);
  return ` The kept columns cost ${Number(total.toPrecision(6))}; each was added for its gain per price.`;
}

// The bar under the slider: what is wished, what that costs, and the way back.
function showBar() {
  const { pins, barred, prices, model } = state;
  const on = isWished();
  find("whatif-on").hidden = !on;
  document.documentElement.classList.toggle("live", on);
  if (!on) return;
  if (barModel !== model) {
    barModel = model;
    find("whatif-list").replaceChildren(
      ...pins.map((name) => makeWish("pinned", name, () => setWish("pin", name, false))),
      ...barred.map((name) => makeWish("forbidden", name, () => setWish("bar", name, false))),
      ...Object.entries(prices).map(([name, price]) => makeWish(`price ${price}:`, name, () => setPrice(name))),
    );
  }
  const stuck = model.base ? "No column may be kept: take back a wish." : "";
  find("whatif-said").textContent = stuck || `${compareWithChoice()}${describePrice()}`;
}

// Your choice, faint, behind the curve for the wishes.
function showAsked() {
  seek("asked-key")?.remove();
  if (!state.model.base) {
    pick(document, "#curve figcaption").append(
      make("span", { class: "key", id: "asked-key" }, make("i", { class: "line asked" }), "your choice, without these wishes"));
  }
  pickAll("svg.curve", SVGSVGElement).forEach((chart) => {
    chart.querySelector("polyline.asked")?.remove();
    if (state.model.base) return;
    const points = placePoints(chart, countOnAxis(), state.starting.retained).join(" ");
    pickAs(chart, "polyline.kept", SVGElement).before(makeShape("polyline", { class: "asked", points }));
  });
}

// A small cross on each kept name forbids it; a pinned one has a mark.
function markChips() {
  if (chipsModel === state.model) return;
  chipsModel = state.model;
  listChips().forEach((chip, place) => {
    const name = getName(state.model.path[place]);
    const pinned = state.pins.includes(name);
    chip.classList.toggle("pinned", pinned);
    if (explainRefusal(name)) return;
    const action = pinned ? "Unpin" : "Forbid";
    const cross = makeButton({ class: "cross", title: action, "aria-label": `${action} ${name}` }, "×", () => {
      setWish(pinned ? "pin" : "bar", name, !pinned);
      focusNext();
    });
    chip.querySelector(".cross")?.remove();
    chip.append(cross);
  });
  foldChips();
}

/** @type {View} */
export function showWishes({ model }, before) {
  showCardWishes();
  showBar();
  markChips();
  if (before.model !== model) showAsked();
}

export function startWishes() {
  find("whatif-about").hidden = false;
  find("whatif-reset").addEventListener("click", () => {
    resetWishes();
    findAs("slider", HTMLInputElement).focus();
  });
}
