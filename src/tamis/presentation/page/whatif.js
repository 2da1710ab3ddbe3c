// What if: columns are pinned, forbidden or priced, and the greedy loop runs again on the Gram matrix
// that the page holds. Without a wish the page shows what Python has found.
const live = data.live;
let gramOf = null; // decoded at the first wish
let latest = { key: "", model: null };

function liveMatrix() {
  const decode = () => Uint8Array.from(atob(live.triangle), (character) => character.charCodeAt(0));
  gramOf ??= kernel.squared(new Float64Array(decode().buffer), live.width);
  return gramOf;
}

// The place of a column in the matrix, or undefined; `live.columns` is null where all are in it.
let innerOf = null;
function placeOf(name) {
  innerOf ??= live.columns && new Map(live.columns.map((column, place) => [column, place]));
  const column = lookup(starting).of(name);
  return column === undefined || !innerOf ? column : innerOf.get(column);
}

const isWished = ({ pins, barred, prices } = state) =>
  pins.length + barred.length + Object.keys(prices).length > 0;

// All that is wished, by name: what was asked in the call comes first.
function allWishes({ pins, barred, prices } = state) {
  const { fixed } = live;
  const include = [...new Set([...fixed.include, ...pins])];
  const forbid = [...new Set([...fixed.forbid, ...barred])].filter((name) => !include.includes(name));
  return { include, forbid, costs: { ...fixed.costs, ...prices } };
}

// The model for the wishes of a state; `setState` asks for it. An address may wish for more than can be.
function modelFor(state) {
  const can = (name) => !whyNot(name);
  state.pins = state.pins.filter(can);
  state.barred = state.barred.filter((name) => can(name) && !state.pins.includes(name));
  state.prices = Object.fromEntries(Object.entries(state.prices).filter(([name]) => can(name)));
  if (!isWished(state)) return starting;
  const wished = allWishes(state);
  const key = JSON.stringify(wished);
  if (latest.key !== key) latest = { key, model: liveModel(wished) };
  return latest.model;
}

function liveModel({ include, forbid, costs }) {
  const places = (names) => names.map(placeOf).filter((place) => place !== undefined);
  const priced = Object.entries(costs).map(([name, price]) => [placeOf(name), price]);
  const asked = { include: places(include), forbid: places(forbid),
    costs: priced.filter(([place]) => place !== undefined) };
  const found = kernel.greedy(liveMatrix(), { k: Math.max(live.bound.length, include.length), ...asked });
  if (!found.path.length) return starting; // every column is forbidden
  const outer = (place) => (live.columns ? live.columns[place] : place);
  const path = found.path.map(outer);
  let last = { k: 0 };
  return {
    ...starting,
    base: false,
    path,
    retained: found.retained,
    bound: found.retained.map((share, step) => Math.max(live.bound[step] ?? 1, share)),
    held: [],
    least: Math.max(asked.include.length, 1),
    about: live.columns ? `of the variance of the ${grouped(live.width)} columns that this page can choose from` : null,
    chance: (k) => Math.min(1, k * starting.chance(1)),
    countsAt: undefined,
    exactAt: undefined,
    sharesAt(k) {
      if (last.k !== k) last = { k, shares: spread(found.sharesAt(k), k) };
      return last.shares;
    },
    sourcesAt(column, k) {
      const place = live.columns ? innerOf.get(column) : column;
      if (place === undefined) return null;
      const { pairs, carried } = found.sourcesAt(place, k);
      return { pairs: pairs.map(([source, weight]) => [outer(source), weight]), carried, step: k };
    },
  };
}

// Shares of all columns: those outside the matrix keep what Python has found.
function spread(shares, k) {
  if (!live.columns) return shares;
  const all = starting.sharesAt(k).slice();
  live.columns.forEach((column, place) => { all[column] = shares[place]; });
  return all;
}

// Wishes change one at a time; a column is pinned or forbidden, not both.
const without = (names, name) => names.filter((other) => other !== name);
function wish(kind, name, value) {
  if (kind === "price") {
    const usual = own(live.fixed.costs, name) ?? 1;
    const rest = Object.fromEntries(Object.entries(state.prices).filter(([other]) => other !== name));
    setState({ prices: (value ?? usual) === usual ? rest : { ...rest, [name]: value } });
  } else {
    const changed = (names, mine) => [...without(names, name), ...(kind === mine && value ? [name] : [])];
    setState({ pins: changed(state.pins, "pin"), barred: changed(state.barred, "bar") });
  }
}
const resetWishes = () => setState({ pins: [], barred: [], prices: {} });

function whyNot(name) {
  const { fixed } = live;
  if (lookup(starting).of(name) === undefined) return "It was not analysed, so it cannot be kept.";
  if (fixed.include.includes(name)) return "Kept in any case: the call says so.";
  if (fixed.forbid.includes(name)) return "Never kept: the call says so.";
  if (placeOf(name) === undefined) {
    return `This page can choose from ${grouped(live.width)} of ${grouped(starting.used.length)} columns, and this one is not among them. A call can keep or forbid any: ${live.spelled.include}, ${live.spelled.forbid}.`;
  }
  return "";
}

function toggle(kind, text, name, on) {
  const button = make("button", { type: "button", "aria-pressed": String(on) }, text);
  button.dataset.wish = kind;
  button.addEventListener("click", () => {
    wish(kind, name, !on);
    find("whatif").querySelector(`[data-wish=${kind}]`)?.focus();
  });
  return button;
}

function priceBox(name) {
  const box = make("input", { type: "number", min: "0", step: "any", inputmode: "decimal",
    value: String(own(state.prices, name) ?? own(live.fixed.costs, name) ?? 1) });
  box.addEventListener("change", () => {
    const price = Number(box.value);
    box.setCustomValidity(price > 0 && Number.isFinite(price) ? "" : "Give a price above 0.");
    if (box.reportValidity()) wish("price", name, price);
  });
  return make("label", {}, "Price", box);
}

let cardOf = "";
function showWishes() {
  const { column: name, pins, barred, prices } = state;
  const key = JSON.stringify([name, name && [pins.includes(name), barred.includes(name), own(prices, name)]]);
  if (name === null || key === cardOf) return;
  cardOf = key;
  const reason = whyNot(name);
  find("whatif").replaceChildren(...(reason ? [quiet(reason)] : [
    toggle("pin", pins.includes(name) ? "Pinned" : "Pin", name, pins.includes(name)), " ",
    toggle("bar", barred.includes(name) ? "Forbidden" : "Forbid", name, barred.includes(name)), " ",
    priceBox(name), " ",
    quiet("Keep it in any case, never keep it, or say what it costs."),
  ]));
}

// The bar under the slider: what is wished, what that costs, and the way back.
function wishChip(kind, text, name) {
  const remove = make("button", { type: "button", class: "cross", "aria-label": `Take back: ${text} ${name}` }, "×");
  remove.addEventListener("click", () => {
    wish(kind, name);
    (find("whatif-list").querySelector("button") ?? find("slider")).focus();
  });
  return make("li", { class: kind === "bar" ? "no" : "" }, `${text} `, linked(name), remove);
}

function comparison() {
  const { k, model } = state;
  const asked = starting.retained[k - 1];
  if (asked === undefined || model.about) return "";
  const change = model.retained[k - 1] - asked;
  return Math.abs(change) < 5e-5 ? `Explains as much as your choice with ${plural(k, "column")}.`
    : `${signed(change)} against your choice with ${plural(k, "column")}.`;
}

function totalPrice() {
  const { costs } = allWishes();
  if (!Object.keys(costs).length) return "";
  const total = keptNow().reduce((sum, column) => sum + (own(costs, nameOf(column)) ?? 1), 0);
  return ` The kept columns cost ${Number(total.toPrecision(6))}; each was added for its gain per price.`;
}

let barOfState = null;
function showBar() {
  const { pins, barred, prices, model } = state;
  const on = isWished();
  find("whatif-on").hidden = !on;
  document.documentElement.classList.toggle("live", on);
  if (!on) return;
  if (barOfState !== model) {
    barOfState = model;
    find("whatif-list").replaceChildren(
      ...pins.map((name) => wishChip("pin", "pinned", name)),
      ...barred.map((name) => wishChip("bar", "forbidden", name)),
      ...Object.entries(prices).map(([name, price]) => wishChip("price", `price ${price}:`, name)),
    );
  }
  const stuck = model.base ? "No column may be kept: take back a wish." : "";
  find("whatif-said").textContent = stuck || `${comparison()}${totalPrice()}`;
}

// Your choice, faint, behind the curve for the wishes.
function showAsked() {
  find("asked-key")?.remove();
  if (!state.model.base) {
    document.querySelector("#curve figcaption").append(
      make("span", { class: "key", id: "asked-key" }, make("i", { class: "line asked" }), "your choice, without these wishes"));
  }
  document.querySelectorAll("svg.curve").forEach((chart) => {
    let line = chart.querySelector("polyline.asked");
    if (state.model.base) line?.remove();
    else {
      if (!line) chart.querySelector("polyline.kept").before(line = drawn("polyline", { class: "asked" }));
      const { x, y } = curveScale(chart);
      line.setAttribute("points", starting.retained.map((share, i) => `${x(i + 1).toFixed(1)},${y(share).toFixed(1)}`).join(" "));
    }
  });
}

// A small cross on each kept name forbids it; a pinned one has a mark.
let chipsMarked = null;
function markChips() {
  if (chipsMarked === state.model) return;
  chipsMarked = state.model;
  chips.forEach((chip, place) => {
    const name = nameOf(state.model.path[place]);
    const pinned = state.pins.includes(name);
    chip.classList.toggle("pinned", pinned);
    if (whyNot(name)) return;
    const cross = make("button", { type: "button", class: "cross", title: pinned ? "Unpin" : "Forbid",
      "aria-label": `${pinned ? "Unpin" : "Forbid"} ${name}` }, "×");
    cross.addEventListener("click", () => {
      wish(pinned ? "pin" : "bar", name, !pinned);
      (find("whatif-list").querySelector("button") ?? find("slider")).focus();
    });
    chip.querySelector(".cross")?.remove();
    chip.append(cross);
  });
}

starters.push(() => {
  find("whatif-about").hidden = false;
  find("whatif-reset").addEventListener("click", () => { resetWishes(); find("slider").focus(); });
});
views.push((state, before) => {
  showWishes();
  showBar();
  markChips();
  if (before.model !== state.model) showAsked();
});
