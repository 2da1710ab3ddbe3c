// The dropped columns in three drawers: safe to drop, partly lost, lost.
const KINDS = ["safe", "partly", "lost"];
const sorting = { by: "share", falling: false, most: {} };

function drawersNow() {
  const { k, model } = state;
  const shares = model.sharesAt(k);
  const kept = new Set(keptNow());
  const drawers = { safe: [], partly: [], lost: [] };
  for (let column = 0; column < shares.length; column++) {
    if (!kept.has(column)) drawers[drawerOf(shares[column], model, k)].push(column);
  }
  return drawers;
}

function sortedColumns(columns) {
  const shares = state.model.sharesAt(state.k);
  const way = sorting.falling ? -1 : 1;
  const names = new Intl.Collator("en", { numeric: true });
  return sorting.by === "share"
    ? columns.sort((a, b) => way * (shares[a] - shares[b]) || a - b)
    : columns.sort((a, b) => way * names.compare(nameOf(a), nameOf(b)));
}

// What explains a column: the few kept columns with their weights.
function sourceParts(column, share) {
  const { model, k } = state;
  const found = model.sourcesAt(column, k);
  if (!found) return [quiet(`listed for ${plural(data.k, "column")} only`)];
  const { pairs, carried } = found;
  const parts = [];
  const reason = isChoice() && own(starting.reasons, nameOf(column));
  if (reason) parts.push(make("span", { class: "reason" }, reason), " ");
  largestFirst(pairs).forEach(([source, weight], place) => {
    const size = { "": Math.abs(weight).toFixed(2) };
    const mark = isNumber(nameOf(source)) ? '"' : "";
    parts.push(fill(data.words.before[Number(place > 0)][Number(weight < 0)], size) + mark,
      make("b", {}, named(nameOf(source))), mark + fill(data.words.after, size));
  });
  if (!pairs.length) parts.push(quiet(data.words.nothing));
  else if (data.words.alone.length && carried < share - 1e-9) {
    parts.push(" ", quiet(fill(data.words.alone[pairs.length - 1], { "": tenths(carried) })));
  }
  if (found.step !== k && pairs.length) parts.push(" ", quiet(`(when ${grouped(found.step)} are kept)`));
  return parts;
}

function droppedRow(column) {
  const share = state.model.sharesAt(state.k)[column];
  const measured = make("td", { role: "cell", class: "share" }, barOf(100 * share),
    make("span", { class: "number" }, tenths(share)));
  return make("tr", { role: "row" },
    make("th", { role: "rowheader", scope: "row" }, linked(nameOf(column))), measured,
    make("td", { role: "cell", class: "from" }, ...sourceParts(column, share)));
}

function fillDrawer(kind, columns) {
  const drawer = find(`drawer-${kind}`);
  if (!drawer.open) return;
  const most = sorting.most[kind] ?? data.rows;
  const ordered = sortedColumns(columns).slice(0, most);
  find(`rows-${kind}`).replaceChildren(...ordered.map(droppedRow));
  const more = drawer.querySelector(".more");
  more.hidden = columns.length <= most;
  const worst = sorting.by === "share" && !sorting.falling;
  more.querySelector(".more-text").textContent =
    `The ${worst ? `${grouped(ordered.length)} least explained` : `first ${grouped(ordered.length)}`} of ${grouped(columns.length)} are listed.`;
  const button = more.querySelector(".show-all");
  button.hidden = false;
  button.textContent = columns.length - most <= 500 ? "Show all" : "Show 500 more";
}

// The counts follow the slider at once.
function showCounts() {
  const { k, model } = state;
  const drawers = drawersNow();
  const all = model.used.length - k;
  const exact = model.exactAt?.(k) ?? true;
  const counts = exact || !model.countsAt ? null : model.countsAt(k);
  find("dropped-count").textContent = grouped(all);
  find("interpolated").hidden = exact;
  KINDS.forEach((kind) => {
    const count = counts ? counts[kind] : drawers[kind].length;
    find(`count-${kind}`).textContent = grouped(count);
    find(`part-${kind}`).style.width = `${(100 * count) / Math.max(all, 1)}%`;
  });
}

function showDrawers() {
  const drawers = drawersNow();
  KINDS.forEach((kind) => fillDrawer(kind, drawers[kind]));
}

function sortBy(kind) {
  sorting.falling = sorting.by === kind && !sorting.falling;
  sorting.by = kind;
  document.querySelectorAll("th[data-sort]").forEach((header) => {
    if (header.dataset.sort !== kind) header.removeAttribute("aria-sort");
    else header.setAttribute("aria-sort", sorting.falling ? "descending" : "ascending");
  });
  showDrawers();
}

starters.push(() => {
  document.querySelectorAll("th[data-sort] button").forEach((button) => {
    button.disabled = false;
    button.addEventListener("click", () => sortBy(button.parentElement.dataset.sort));
  });
  KINDS.forEach((kind) => {
    const drawer = find(`drawer-${kind}`);
    drawer.addEventListener("toggle", showDrawers);
    drawer.querySelector(".tools").hidden = false;
    drawer.querySelector(".copy-drawer").addEventListener("click", () => {
      const columns = sortedColumns(drawersNow()[kind]);
      copyNames(columns.map((column) => nameOf(column)), drawer.querySelector("[role=status]"));
    });
    drawer.querySelector(".show-all").addEventListener("click", () => {
      sorting.most[kind] = (sorting.most[kind] ?? data.rows) + 500;
      showDrawers();
    });
  });
});
views.push(showCounts);
slowViews.push(({ k, model }, before) => {
  if (before.k !== k || before.model !== model || !showDrawers.done) {
    if (showDrawers.done) sorting.most = {}; // drawing every row would make the slider lag
    showDrawers.done = true;
    showDrawers();
  }
});
