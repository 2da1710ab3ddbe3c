// The curve: lines of the model, a handle that can be dragged, a readout under the pointer.
let curveOf = null;

// The numbers under the axis were drawn for the model of Python; another may have a shorter path.
function curveScale(chart) {
  const [left, top, right, floor] = chart.dataset.box.split(" ").map(Number);
  const m = starting.path.length;
  return {
    top,
    floor,
    x: (k) => left + (right - left) * (m > 1 ? Math.min((k - 1) / (m - 1), 1) : 0.5),
    y: (share) => top + (floor - top) * (1 - Math.min(Math.max(share, 0), 1)),
    k: (x) => Math.min(Math.max(Math.round(1 + ((x - left) / (right - left)) * (m - 1)), 1), state.model.path.length),
  };
}

function drawLines(chart) {
  const { x, y } = curveScale(chart);
  const { model } = state;
  const points = (line) => line.slice(0, starting.path.length).map((share, i) => `${x(i + 1).toFixed(1)},${y(share).toFixed(1)}`);
  const put = (kind, line) => {
    const element = chart.querySelector(`polyline.${kind}`);
    if (element) element.setAttribute("points", points(line).join(" "));
  };
  put("kept", model.retained);
  put("ceiling", model.bound);
  put("held", model.held);
  chart.querySelector(".gap").setAttribute("points",
    [...points(model.bound), ...points(model.retained).reverse()].join(" "));
  chart.classList.toggle("other", !model.base);
}

function moveMarker(chart) {
  const { x, y } = curveScale(chart);
  const { k, model } = state;
  const marker = chart.querySelector(".marker");
  const at = x(k).toFixed(1);
  marker.querySelector("line").setAttribute("x1", at);
  marker.querySelector("line").setAttribute("x2", at);
  [["ceiling", model.bound], ["held", model.held], ["kept", model.retained]].forEach(([kind, line]) => {
    const dot = marker.querySelector(`.${kind}`);
    if (!dot) return;
    const share = line[k - 1];
    dot.classList.toggle("away", share === undefined);
    if (share === undefined) return;
    dot.setAttribute("cx", at);
    dot.setAttribute("cy", y(share).toFixed(1));
  });
}

function readCurve(k) {
  const { model } = state;
  const parts = [`${plural(k, "column")}: ${percent(model.retained[k - 1])} explained`,
    `ceiling ${percent(model.bound[k - 1])}`];
  if (model.held[k - 1] !== undefined) parts.push(`held-out ${heldShare(model.held[k - 1])}`);
  const chance = model.chance(k);
  if (data.words.signed && chance !== null) parts.push(`chance ${percent(chance)}`);
  parts.push(`this column adds ${percent(model.retained[k - 1] - (model.retained[k - 2] ?? 0))}`);
  find("curve-readout").replaceChildren(parts.join(" · "), " · ", named(nameOf(model.path[k - 1])));
}

function followPointer(chart) {
  const under = (event) => {
    const box = chart.getBoundingClientRect();
    return curveScale(chart).k(((event.clientX - box.left) * chart.viewBox.baseVal.width) / box.width);
  };
  chart.addEventListener("pointerdown", (event) => setState({ k: under(event) }));
  chart.addEventListener("pointermove", (event) => {
    const k = under(event);
    if (event.buttons) setState({ k });
    const line = chart.querySelector(".hover");
    line.setAttribute("x1", curveScale(chart).x(k));
    line.setAttribute("x2", curveScale(chart).x(k));
    line.classList.add("on");
    readCurve(k);
  });
  chart.addEventListener("pointerleave", () => {
    chart.querySelector(".hover").classList.remove("on");
    readCurve(state.k);
  });
}

views.push((state) => {
  document.querySelectorAll("svg.curve").forEach((chart) => {
    if (curveOf !== state.model && (curveOf || !state.model.base)) drawLines(chart);
    moveMarker(chart);
  });
  curveOf = state.model;
  readCurve(state.k);
  document.querySelectorAll(".tree [data-places]").forEach(markRow);
});
starters.push(() => document.querySelectorAll("svg.curve").forEach(followPointer));

// A row of the spectral tree knows the places on the path of its columns.
function markRow(row) {
  const places = row.dataset.places.split(" ").filter((place) => Number(place) <= state.k);
  row.classList.toggle("kept", places.length > 0);
  const { folded } = row.dataset;
  if (folded) {
    row.querySelector("text").textContent = places.length
      ? `… ${grouped(places.length)} of ${folded} kept` : `… ${folded} columns`;
  }
}
