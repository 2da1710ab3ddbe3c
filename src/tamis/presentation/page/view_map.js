// The maps of similarity: read by pointer and arrow keys, zoomed by + and −; "after" follows k.
const LABELLED = 24;
let similarity = null;

function valueAt(i, j) {
  similarity ??= unpack(data.map.values);
  if (i === j) return 100;
  const [low, high] = i < j ? [i, j] : [j, i];
  return similarity[(high * (high - 1)) / 2 + low];
}

// Which rows of the map a figure shows: all or the kept ones, then the part zoomed to.
function rowsOf(figure) {
  const kept = new Set(keptNow());
  const rows = data.map.columns.map((_, row) => row);
  const mine = figure.dataset.heat === "before" ? rows : rows.filter((row) => kept.has(data.map.columns[row]));
  const zoom = figure.zoom ?? 1;
  const size = Math.max(Math.ceil(mine.length / zoom), Math.min(mine.length, 4));
  const middle = figure.cursor ? Math.max(mine.indexOf(figure.cursor[1]), 0) : mine.length / 2;
  const from = Math.round(Math.min(Math.max(middle - size / 2, 0), mine.length - size));
  return { rows: zoom === 1 ? mine : mine.slice(from, from + size), kept, all: mine.length };
}

const STOPS = [[0x21, 0x66, 0xac], [0x43, 0x93, 0xc3], [0x92, 0xc5, 0xde], [0xd1, 0xe5, 0xf0], [0xf7, 0xf7, 0xf7],
  [0xfd, 0xdb, 0xc7], [0xf4, 0xa5, 0x82], [0xd6, 0x60, 0x4d], [0xb2, 0x18, 0x2b]];
function shade(value) {
  const at = ((value + 100) / 200) * (STOPS.length - 1);
  const low = Math.min(Math.floor(at), STOPS.length - 2);
  return STOPS[low].map((part, i) => Math.round(part + (at - low) * (STOPS[low + 1][i] - part)));
}

function drawMap(figure) {
  const { rows, kept, all } = rowsOf(figure);
  const size = rows.length;
  if (!size) return;
  const canvas = make("canvas", { width: size, height: size });
  const context = canvas.getContext("2d");
  const image = context.createImageData(size, size);
  rows.forEach((i, y) => rows.forEach((j, x) => {
    image.data.set([...shade(i === j ? 0 : valueAt(i, j)), 255], 4 * (y * size + x));
  }));
  context.putImageData(image, 0, 0);
  const picture = figure.querySelector("image");
  picture.setAttribute("href", canvas.toDataURL());
  const [gutter, side] = ["x", "width"].map((name) => Number(picture.getAttribute(name)));
  const each = side / size;
  const cut = (text) => (text.length > 17 ? `${text.slice(0, 8)}…${text.slice(-8)}` : text);
  figure.querySelector(".names").replaceChildren(...(size > LABELLED ? [] : rows.map((row, y) =>
    drawn("text", { x: gutter - 10, y: each * (y + 0.5) }, cut(nameOf(data.map.columns[row]))))));
  figure.querySelector(".ticks").setAttribute("d", rows.map((row, y) =>
    (kept.has(data.map.columns[row]) ? `M${gutter - 7} ${(each * (y + 0.5)).toFixed(1)}h5` : "")).join(""));
  figure.querySelector(".how-many").textContent = size < all ? `${size} of ${plural(all, "column")}`
    : figure.dataset.heat === "after" && all < state.k ? `${all} of the ${grouped(state.k)} kept columns` : plural(all, "column");
  figure.shown = { rows, gutter, each };
  markCell(figure);
}

function markCell(figure) {
  const { rows, gutter, each } = figure.shown;
  const cell = figure.querySelector(".cursor");
  const at = figure.cursor ? figure.cursor.map((row) => rows.indexOf(row)) : [-1, -1];
  cell.classList.toggle("on", Math.min(...at) >= 0);
  if (Math.min(...at) < 0) return;
  Object.entries({ x: gutter + each * at[0], y: each * at[1], width: each, height: each })
    .forEach(([key, value]) => cell.setAttribute(key, value));
  const [low, high] = [...figure.cursor].sort((a, b) => a - b);
  const text = (valueAt(low, high) / 100).toFixed(2).replace("-", "−");
  figure.querySelector(".readout").replaceChildren(
    named(nameOf(data.map.columns[low])), " and ", named(nameOf(data.map.columns[high])), `: ${text}`);
}

function zoomBy(figure, factor) {
  figure.zoom = Math.min(Math.max((figure.zoom ?? 1) * factor, 1), 64);
  drawMap(figure);
}

function readMap(figure) {
  const picture = figure.querySelector("svg");
  const image = figure.querySelector("image");
  const read = (event) => {
    const { rows } = figure.shown;
    const box = image.getBoundingClientRect();
    const cell = (offset, length) => rows[Math.min(Math.max(Math.floor((offset / length) * rows.length), 0), rows.length - 1)];
    figure.cursor = [cell(event.clientX - box.left, box.width), cell(event.clientY - box.top, box.height)];
    markCell(figure);
  };
  image.addEventListener("pointerdown", read);
  image.addEventListener("pointermove", read);
  image.addEventListener("dblclick", () => zoomBy(figure, 2));
  picture.setAttribute("tabindex", "0");
  picture.setAttribute("role", "application");
  picture.setAttribute("aria-roledescription", "map; arrow keys move, plus and minus zoom");
  figure.querySelector(".readout").setAttribute("aria-live", "polite");
  picture.addEventListener("keydown", (event) => {
    const { rows } = figure.shown;
    const step = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
    if (step) {
      const at = (figure.cursor ?? [rows[0], rows[0]]).map((row, i) =>
        rows[Math.min(Math.max(rows.indexOf(row) + (figure.cursor ? step[i] : 0), 0), rows.length - 1)]);
      figure.cursor = at;
      markCell(figure);
    } else if (event.key === "+" || event.key === "-") zoomBy(figure, event.key === "+" ? 2 : 0.5);
    else return;
    event.preventDefault();
  });
  figure.querySelector(".zooming").hidden = false;
  figure.querySelector(".zoom-in").addEventListener("click", () => zoomBy(figure, 2));
  figure.querySelector(".zoom-out").addEventListener("click", () => zoomBy(figure, 0.5));
}

let mapping = 0;
function showMaps() {
  document.querySelectorAll("figure[data-heat]").forEach(drawMap);
  const kept = new Set(keptNow());
  document.querySelectorAll(".clusters [data-column]").forEach((row) => {
    row.classList.toggle("kept", kept.has(Number(row.dataset.column)));
  });
}
if (data.map) {
  starters.push(() => {
    find("map-help").hidden = false;
    document.querySelectorAll("figure[data-heat]").forEach(readMap);
    showMaps();
  });
  views.push(({ k, model }, before) => {
    if (before.k === k && before.model === model) return;
    clearTimeout(mapping);
    mapping = setTimeout(showMaps, 40); // images are drawn when the slider rests
  });
}
