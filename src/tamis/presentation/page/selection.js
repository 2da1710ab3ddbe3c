(() => {
  const most = data.path.length;
  const largest = Math.max(...data.gain) || 1;
  const state = { kept: data.k, sort: "share", falling: false, all: false };

  const places = unpack(data.places);
  const shares = data.shares.map((text) => {
    let sum = 0;
    return unpack(text).map((step) => (sum += step));
  });

  function percent(share) {
    const points = Math.abs(share) >= 5e-4 ? 100 * share : 0;
    if (points >= 100 - 1e-7) return "100%";
    if (points >= 99.995) return "over 99.99%";
    return points.toFixed(points >= 99.95 ? 2 : 1) + "%";
  }
  const perMille = (share) => (share >= 1000 ? "100%" : (share / 10).toFixed(1) + "%");
  const grouped = (number) => number.toLocaleString("en");
  const plural = (number, word) => `${grouped(number)} ${word}${number === 1 ? "" : "s"}`;

  const fill = (pattern, values) => pattern.replace(/{(\w*)}/g, (_, name) => values[name]);

  function make(tag, options, ...children) {
    const { style, ...attributes } = options;
    const element = document.createElement(tag);
    Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
    if (style) Object.assign(element.style, style);
    element.append(...children);
    return element;
  }
  const named = (text) => make("bdi", {}, text.trim() ? text : "(no name)");
  const heading = (text) => make("th", { role: "rowheader", scope: "row" }, named(text));
  const cell = (kind, ...children) => make("td", { role: "cell", class: kind }, ...children);
  const quiet = (text) => make("span", { class: "quiet" }, text);
  function measured(width, text) {
    const fill = make("i", { style: { width: `${width}%` } });
    const bar = make("span", { class: "bar", "aria-hidden": "true" }, fill);
    return cell("share", bar, make("span", { class: "number" }, text));
  }

  function keptRow(name, index) {
    const width = Math.min(Math.max((100 * data.gain[index]) / largest, 0), 100);
    return make("tr", { role: "row" }, cell("place", String(index + 1)), heading(name),
      measured(width, percent(data.gain[index])), cell("right", percent(data.retained[index])));
  }

  // The last entry that starts at or before the number of kept columns.
  function sources(index) {
    const numbers = unpack(data.from[index]);
    let found = { pairs: [], carried: 0 };
    for (let at = 0, start = 0; at < numbers.length; ) {
      start += numbers[at];
      if (start > state.kept) break;
      const end = at + 3 + 2 * numbers[at + 2];
      const pairs = [];
      for (let pair = at + 3; pair < end; pair += 2) pairs.push([numbers[pair], numbers[pair + 1]]);
      found = { pairs, carried: numbers[at + 1] };
      at = end;
    }
    return found;
  }

  function droppedRow(index) {
    const share = shares[index][state.kept - 1];
    const { pairs, carried } = sources(index);
    const from = cell("from");
    const reason = state.kept === data.k && data.reasons[data.names[index]];
    if (reason) from.append(make("span", { class: "reason" }, reason), " ");
    pairs.forEach(([position, weight], place) => {
      const size = { "": (Math.abs(weight) / 100).toFixed(2) };
      from.append(fill(data.words.before[Number(place > 0)][Number(weight < 0)], size),
        make("b", {}, named(data.path[position])), fill(data.words.after, size));
    });
    if (!pairs.length) from.append(quiet(data.words.nothing));
    else if (data.words.alone.length && carried < share) {
      from.append(" ", quiet(fill(data.words.alone[pairs.length - 1], { "": perMille(carried) })));
    }
    return make("tr", { role: "row" }, heading(data.names[index]),
      measured(share / 10, perMille(share)), from);
  }

  const compare = new Intl.Collator("en", { numeric: true }).compare;
  function sorted(rows) {
    const at = state.kept - 1;
    const order = state.sort === "name"
      ? (a, b) => compare(data.names[a], data.names[b])
      : (a, b) => shares[a][at] - shares[b][at];
    return rows.sort((a, b) => (state.falling ? order(b, a) : order(a, b)) || a - b);
  }

  function showFigures() {
    const kept = state.kept;
    const asked = kept === data.k;
    const figures = { "figure-k": grouped(kept), "figure-retained": percent(data.retained[kept - 1]),
      "figure-bound": percent(data.bound[kept - 1]) };
    if (data.held.length) {
      figures["figure-held"] = kept > data.held.length ? "not known" : percent(data.held[kept - 1]);
    }
    Object.entries(figures).forEach(([id, text]) => {
      find(id).textContent = text;
      find(id).classList.toggle("long", text.length > 7);
    });
    find("ceiling-k").textContent = plural(kept, "column");
    find("kept-count").textContent = grouped(kept);
    find("shown").textContent = `${grouped(kept)}: ${percent(data.retained[kept - 1])}`;
    find("back").hidden = asked;
    find("elsewhere").hidden = asked;
    find("elsewhere-k").textContent = plural(kept, "column");
    find("slider").value = kept;
    find("less").disabled = kept === 1;
    find("more").disabled = kept === most;
    if (find("badge")) find("badge").hidden = !asked;
  }

  function moveMarkers() {
    document.querySelectorAll("svg.curve").forEach((chart) => {
      ["ceiling", "held", "kept"].forEach((kind) => {
        const dot = chart.querySelector(`.marker .${kind}`);
        if (!dot) return;
        const at = points(chart, kind)[state.kept - 1];
        dot.classList.toggle("away", !at);
        if (!at) return;
        const [x, y] = at;
        dot.setAttribute("cx", x);
        dot.setAttribute("cy", y);
        const line = chart.querySelector(".marker line");
        line.setAttribute("x1", x);
        line.setAttribute("x2", x);
      });
    });
  }
  const points = (chart, kind) => chart.querySelector(`polyline.${kind}`).getAttribute("points")
    .split(" ").map((pair) => pair.split(",").map(Number));

  function markTree() {
    document.querySelectorAll(".tree [data-places]").forEach((row) => {
      const places = row.dataset.places.split(" ").filter((place) => Number(place) <= state.kept);
      row.classList.toggle("kept", places.length > 0);
      const { folded } = row.dataset;
      if (folded) {
        row.querySelector("text").textContent = places.length
          ? `… ${grouped(places.length)} of ${folded} kept` : `… ${folded} columns`;
      }
    });
  }

  function showKept() {
    const names = data.path.slice(0, state.kept);
    find("kept").replaceChildren(...names.map(keptRow));
    find("names").value = names.join("\n") + "\n";
  }

  function showDropped() {
    const dropped = [...data.names.keys()].filter((i) => !places[i] || places[i] > state.kept);
    const all = data.used - state.kept;
    const count = (kind) => grouped(data.counts[kind][state.kept - 1]);
    find("dropped-count").textContent = grouped(all);
    find("dropped-about").textContent = all
      ? fill(data.words.counts, { all: grouped(all), well: count("well"), badly: count("badly") })
      : "No column is dropped.";
    const wanted = find("filter").value.trim().toLowerCase();
    const found = sorted(dropped.filter((i) => data.names[i].toLowerCase().includes(wanted)));
    const shown = state.all ? found : found.slice(0, data.rows);
    find("dropped").replaceChildren(...shown.map(droppedRow));
    showRest(shown.length, found.length, wanted);
  }

  function showRest(shown, found, wanted) {
    const worst = state.sort === "share" && !state.falling && !wanted;
    find("more-rows").hidden = shown === found && !(wanted && !found);
    find("show-all").hidden = shown === found;
    find("more-text").textContent = data.hidden ? partOf(shown, found) : wanted && !found
      ? "No dropped column matches."
      : `The ${worst ? `${shown} least explained` : `first ${shown}`} of ${grouped(found)} are listed.`;
  }

  function partOf(shown, found) {
    const all = `the ${grouped(data.used - state.kept)} dropped columns`;
    return found
      ? `Shown: ${grouped(shown)} of the ${grouped(found)} listed columns, of ${all}.`
      : `No listed column matches; the list shows some of ${all}.`;
  }

  function keep(kept) {
    state.kept = Math.min(Math.max(kept, 1), most);
    if (data.names.length > 500) state.all = false; // drawing every row would make the slider lag
    showFigures();
    moveMarkers();
    markTree();
    showKept();
    showDropped();
  }

  function dragChart(chart) {
    const follow = (event) => {
      const box = chart.getBoundingClientRect();
      const x = ((event.clientX - box.left) * chart.viewBox.baseVal.width) / box.width;
      const far = points(chart, "kept").map(([at]) => Math.abs(at - x));
      keep(far.indexOf(Math.min(...far)) + 1);
    };
    chart.addEventListener("pointerdown", follow);
    chart.addEventListener("pointermove", (event) => event.buttons && follow(event));
  }

  function readHeat(figure) {
    const { columns, values } = data.heat[figure.dataset.heat];
    const numbers = unpack(values);
    const image = figure.querySelector("image");
    const read = (event) => {
      const box = image.getBoundingClientRect();
      const cellAt = (offset, size) =>
        Math.min(Math.max(Math.floor((offset / size) * columns.length), 0), columns.length - 1);
      const pair = [cellAt(event.clientX - box.left, box.width), cellAt(event.clientY - box.top, box.height)];
      const [low, high] = pair.sort((a, b) => a - b);
      const value = low === high ? 100 : numbers[(high * (high - 1)) / 2 + low];
      const text = (value / 100).toFixed(2).replace("-", "−");
      figure.querySelector(".readout").replaceChildren(
        named(columns[low]), " and ", named(columns[high]), `: ${text}`);
    };
    image.addEventListener("pointerdown", read);
    image.addEventListener("pointermove", read);
  }

  function sortBy(header) {
    const kind = header.dataset.sort;
    state.falling = state.sort === kind && !state.falling;
    state.sort = kind;
    document.querySelectorAll("th[data-sort]").forEach((other) => other.removeAttribute("aria-sort"));
    header.setAttribute("aria-sort", state.falling ? "descending" : "ascending");
    showDropped();
  }

  find("control").hidden = most < 2;
  find("filter-box").hidden = data.names.length <= 20;
  find("slider").addEventListener("input", (event) => keep(Number(event.target.value)));
  find("less").addEventListener("click", () => keep(state.kept - 1));
  find("more").addEventListener("click", () => keep(state.kept + 1));
  find("back").addEventListener("click", () => { keep(data.k); find("slider").focus(); });
  find("filter").addEventListener("input", showDropped);
  find("show-all").addEventListener("click", () => { state.all = true; showDropped(); });
  document.querySelectorAll("th[data-sort]").forEach((header) => {
    header.querySelector("button").disabled = false;
    header.querySelector("button").addEventListener("click", () => sortBy(header));
  });
  document.querySelectorAll("svg.curve").forEach(dragChart);
  document.querySelectorAll("figure[data-heat]").forEach(readHeat);
  keep(data.k);
})();
