// One search over every column of the table, analysed or not.
const FEW = 12;
let lowered = null;

function matches(wanted) {
  const { names } = state.model;
  lowered ??= names.map((name) => name.toLowerCase());
  const first = [];
  const rest = [];
  lowered.forEach((name, place) => {
    const at = name.indexOf(wanted);
    if (at === 0) first.push(place);
    else if (at > 0) rest.push(place);
  });
  return [...first.sort((a, b) => lowered[a].length - lowered[b].length), ...rest];
}

// What is said of a column in a word or two.
function statusOf(position) {
  const { model, k } = state;
  const column = lookup().column.get(position);
  if (column === undefined) return { kind: "out", text: `not analysed: ${own(starting.skipped, model.names[position]) ?? "skipped"}` };
  const rank = model.path.indexOf(column);
  if (rank >= 0 && rank < k) return { kind: "kept", text: `kept, number ${grouped(rank + 1)} of ${grouped(k)}`, column };
  const share = model.sharesAt(k)[column];
  const kind = drawerOf(share, model, k);
  const words = { safe: "safe to drop", partly: "partly lost", lost: "lost" };
  return { kind, text: `dropped, ${words[kind]}: ${tenths(share)} explained`, column, share };
}

function showFound() {
  const wanted = find("filter").value.trim().toLowerCase();
  const found = wanted ? matches(wanted) : [];
  find("found").replaceChildren(...found.slice(0, FEW).map((position) => {
    const { kind, text } = statusOf(position);
    return make("li", {}, linked(state.model.names[position]), " ",
      make("i", { class: `spot ${kind}`, "aria-hidden": "true" }), quiet(text));
  }));
  const total = plural(state.model.names.length, "column");
  find("found-count").textContent = !wanted ? ""
    : !found.length ? `None of the ${total} has this in its name.`
      : found.length > FEW ? `${grouped(found.length)} of ${total}; the first ${FEW} are listed.`
        : `${grouped(found.length)} of ${total}.`;
}

starters.push(() => {
  find("filter-box").hidden = false;
  let waiting = 0;
  find("filter").addEventListener("input", () => {
    clearTimeout(waiting);
    if (state.model.names.length <= 5000) showFound();
    else waiting = setTimeout(showFound, 60);
  });
  find("filter").addEventListener("keydown", (event) => {
    if (event.key === "Enter") find("found").querySelector("a")?.click();
  });
  document.querySelector("nav a[href='#find']").addEventListener("click", () => setTimeout(() => find("filter").focus(), 50));
});
views.push(({ k, model }, before) => {
  if (find("filter").value && (before.k !== k || before.model !== model)) showFound();
});
