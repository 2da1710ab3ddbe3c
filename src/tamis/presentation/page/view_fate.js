// The strip of all columns: a dot each, or an image where they are many; a histogram beside it.
const SHADES = { safe: [0x7e, 0x86, 0x8c], partly: [0xc0, 0x84, 0x2b], lost: [0xc9, 0x4a, 0x42] };
const ALPHAS = [0, 90, 150, 205, 255];
const PIXELS = [300, 80];
let places = null;
let cursor = null; // the column that the pointer or the keyboard is at

function across() {
  if (places) return places;
  const count = state.model.used.length;
  const [low, high] = data.axis ?? [0, Math.max(count - 1, 1)];
  places = Float64Array.from(state.model.used, (position, j) =>
    ((data.axis ? Number(state.model.names[position]) : j) - low) / (high - low || 1));
  return places;
}

function fateScale(chart) {
  const [left, top, right, floor] = chart.dataset.box.split(" ").map(Number);
  return {
    left, top, right, floor,
    x: (place) => left + 4 + (right - left - 8) * place,
    y: (share) => floor - (floor - top) * share,
  };
}

function fateImage(shares, kept) {
  const [wide, high] = PIXELS;
  const canvas = make("canvas", { width: wide, height: high });
  const context = canvas.getContext("2d");
  const counts = new Uint16Array(wide * high);
  const at = across();
  for (let j = 0; j < shares.length; j++) {
    if (kept.has(j)) continue;
    const row = high - 1 - Math.min(Math.floor(shares[j] * high), high - 1);
    counts[row * wide + Math.min(Math.floor(at[j] * wide), wide - 1)] += 1;
  }
  const image = context.createImageData(wide, high);
  for (let row = 0; row < high; row++) {
    const shade = SHADES[drawerOf((high - row - 0.5) / high, state.model, state.k)];
    for (let i = row * wide; i < (row + 1) * wide; i++) {
      image.data.set([...shade, ALPHAS[Math.min(counts[i], 4)]], 4 * i);
    }
  }
  context.putImageData(image, 0, 0);
  return canvas.toDataURL();
}

function drawFate(chart, shares, kept, kinds) {
  const { x, y, top } = fateScale(chart);
  const image = chart.querySelector("image");
  if (image) image.setAttribute("href", fateImage(shares, kept));
  else {
    [...chart.querySelector(".dots").children].forEach((dot, j) => {
      dot.setAttribute("cy", y(shares[j]).toFixed(1));
      dot.setAttribute("class", kinds[j]);
    });
  }
  chart.querySelector(".ticks").setAttribute("d",
    [...kept].map((j) => `M${x(across()[j]).toFixed(1)} ${top - 9}v7`).join(""));
  const bars = chart.querySelector(".counts");
  const counts = new Array(bars.children.length).fill(0);
  for (let j = 0; j < shares.length; j++) {
    if (!kept.has(j)) counts[Math.min(Math.floor(shares[j] * counts.length + 1e-9), counts.length - 1)] += 1;
  }
  const most = Math.max(...counts, 1);
  [...bars.children].forEach((bar, i) => {
    bar.setAttribute("width", (Number(bars.dataset.wide) * counts[i]) / most);
    bar.setAttribute("class", drawerOf((i + 0.5) / counts.length, state.model, state.k));
  });
}

function nearest(chart, event) {
  const box = chart.getBoundingClientRect();
  const scale = chart.viewBox.baseVal.width / box.width;
  const [px, py] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  const { x, y, right } = fateScale(chart);
  if (px > right + 6) return null;
  const shares = state.model.sharesAt(state.k);
  let best = null;
  let least = Infinity;
  across().forEach((place, j) => {
    const far = (x(place) - px) ** 2 + 0.4 * (y(shares[j]) - py) ** 2;
    if (far < least) [best, least] = [j, far];
  });
  return best;
}

function point(chart, column) {
  cursor = column;
  const { x, y } = fateScale(chart);
  const share = state.model.sharesAt(state.k)[column];
  let ring = chart.querySelector(".ring");
  if (!ring) chart.append(ring = drawn("circle", { class: "ring", r: 7 }));
  ring.setAttribute("cx", x(across()[column]));
  ring.setAttribute("cy", y(share));
  const rank = state.model.path.indexOf(column);
  const text = rank >= 0 && rank < state.k ? `: kept, number ${rank + 1}` : `: ${tenths(share)} explained`;
  find("fate-readout").replaceChildren(named(nameOf(column)), text);
}

function openAt(column) {
  if (column === null) return;
  setState({ column: nameOf(column) });
  openCard();
}

function readFate(chart) {
  chart.setAttribute("tabindex", "0");
  chart.setAttribute("role", "application");
  chart.setAttribute("aria-roledescription", "chart; arrow keys move from column to column, Enter opens one");
  chart.setAttribute("aria-describedby", "fate-readout");
  chart.addEventListener("pointermove", (event) => {
    const column = nearest(chart, event);
    if (column !== null) point(chart, column);
  });
  chart.addEventListener("click", (event) => openAt(nearest(chart, event)));
  chart.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, PageDown: 25, PageUp: -25 }[event.key];
    if (step) {
      const last = state.model.used.length - 1;
      point(chart, Math.min(Math.max((cursor ?? -1) + step, 0), last));
    } else if (event.key === "Enter") openAt(cursor);
    else return;
    event.preventDefault();
  });
}

let waiting = 0;
let inUse = null; // the drawing for this width of the window: to ask is to lay out the page
function showFate() {
  const { k, model } = state;
  const shares = model.sharesAt(k);
  const kept = new Set(keptNow());
  const kinds = shares.length > 800 ? []
    : Array.from(shares, (share, j) => (kept.has(j) ? "kept" : drawerOf(share, model, k)));
  inUse ??= [...document.querySelectorAll("svg.fate")].filter((chart) => chart.getBoundingClientRect().width);
  inUse.forEach((chart) => drawFate(chart, shares, kept, kinds));
}
views.push(({ k, model }, before) => {
  if (before.k === k && before.model === model) return;
  clearTimeout(waiting);
  if (model.used.length <= 5000) showFate();
  else waiting = setTimeout(showFate, 60);
});
starters.push(() => {
  document.querySelectorAll("svg.fate").forEach(readFate);
  find("fate-readout").setAttribute("aria-live", "polite");
  window.addEventListener("resize", () => { inUse = null; clearTimeout(waiting); waiting = setTimeout(showFate, 150); });
});
