// The kept columns, and for each the dropped columns that it explains best.
let keptOf = null;
let keptRows = [];

function keptRow(column, place) {
  const { model } = state;
  const gain = model.retained[place] - (model.retained[place - 1] ?? 0);
  const largest = Math.max(...model.retained.map((share, i) => share - (model.retained[i - 1] ?? 0))) || 1;
  const stands = make("button", { type: "button", class: "stands", "aria-expanded": "false" });
  stands.addEventListener("click", () => showWards(column, stands));
  const head = make("th", { role: "rowheader", scope: "row" }, linked(nameOf(column)), " ", stands);
  const share = make("td", { role: "cell", class: "share" }, barOf((100 * gain) / largest),
    make("span", { class: "number" }, percent(Math.max(gain, 0))));
  return make("tr", { role: "row" }, make("td", { role: "cell", class: "place" }, String(place + 1)),
    head, share, make("td", { role: "cell", class: "right" }, percent(model.retained[place])));
}

// For each kept column the dropped ones that name it first; undefined where sources are unknown.
let wards = { of: null };
function wardsNow() {
  const { k, model } = state;
  if (wards.of === model && wards.k === k) return wards;
  const lists = new Map(keptNow().map((column) => [column, []]));
  let known = false;
  for (let column = 0; column < model.used.length; column++) {
    if (lists.has(column)) continue;
    const found = model.sourcesAt(column, k);
    if (!found) continue;
    known = true;
    if (found.pairs.length && lists.has(found.pairs[0][0])) lists.get(found.pairs[0][0]).push(column);
  }
  const shares = model.sharesAt(k);
  lists.forEach((list) => list.sort((a, b) => shares[b] - shares[a]));
  wards = { of: model, k, lists, known };
  return wards;
}

function wardList(column, most = 60) {
  const list = wardsNow().lists.get(column) ?? [];
  const shares = state.model.sharesAt(state.k);
  const parts = list.slice(0, most).flatMap((other, i) =>
    [i ? ", " : "", linked(nameOf(other)), " ", quiet(tenths(shares[other]))]);
  if (list.length > most) parts.push(quiet(` and ${grouped(list.length - most)} more`));
  return parts;
}

function showWards(column, button) {
  const row = button.closest("tr");
  const open = row.nextElementSibling?.classList.contains("wards");
  button.setAttribute("aria-expanded", String(!open));
  if (open) row.nextElementSibling.remove();
  else row.after(make("tr", { role: "row", class: "wards" },
    make("td", { role: "cell", colspan: 4 }, ...wardList(column))));
}

function countWards() {
  const { lists, known } = wardsNow();
  find("stands-about").hidden = !known;
  keptNow().forEach((column, place) => {
    const button = keptRows[place].querySelector(".stands");
    const { length } = lists.get(column);
    button.hidden = !known || !length;
    button.textContent = `stands for ${grouped(length)}`;
    button.setAttribute("aria-expanded", "false");
  });
}

// The order that Python speaks of is that of its own choice.
let orderOf = null;
function showOrder() {
  const about = find("order-about");
  orderOf ??= about.textContent;
  const pinned = !state.model.base && allWishes().include.length > 0;
  about.textContent = state.model.base ? orderOf
    : pinned ? "Pinned columns first, then best first." : "Best first.";
}

let counting = 0;
slowViews.push(({ k, model }, before) => {
  if (keptOf === model && before.k === k) return;
  if (keptOf !== model) keptRows = model.path.map(keptRow);
  keptOf = model;
  showOrder();
  find("kept").replaceChildren(...keptRows.slice(0, k));
  find("names").value = keptNow().map((column) => nameOf(column)).join("\n") + "\n";
  clearTimeout(counting);
  if (model.used.length <= 600) countWards();
  else counting = setTimeout(countWards, 80); // not while the slider moves
});
