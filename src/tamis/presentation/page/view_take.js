// To take away: tables, pictures, and the calls that give what the page shows.
function save(name, text, kind) {
  const address = URL.createObjectURL(text instanceof Blob ? text : new Blob([text], { type: kind }));
  const link = make("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
const stem = () => data.title.replace(/\.[a-z]+$/i, "").replace(/[^\w.-]+/g, "_") || "table";
const csvLine = (cells) => cells.map((cell) => csvCell(String(cell))).join(",");
const digits = (share) => String(Number(share.toFixed(4)));

function keptTable() {
  const { retained } = state.model;
  const lines = keptNow().map((column, place) => csvLine([place + 1, nameOf(column),
    digits(retained[place] - (retained[place - 1] ?? 0)), digits(retained[place])]));
  return ["rank,column,adds,explained", ...lines, ""].join("\n");
}

function reasonsTable() {
  const { model, k } = state;
  const lines = model.names.map((name, position) => {
    const { kind, column, share } = statusOf(position);
    if (column === undefined) return csvLine([name, "not analysed", "", "", "", own(starting.skipped, name) ?? ""]);
    if (kind === "kept") return csvLine([name, "kept", "1", "", "", ""]);
    const found = model.sourcesAt(column, k);
    const from = found ? largestFirst(found.pairs).map(([source, weight]) => `${weight} x ${asTerm(nameOf(source))}`).join("; ") : "";
    return csvLine([name, kind, digits(share), from, found ? digits(found.carried) : "",
      (isChoice() && own(starting.reasons, name)) || ""]);
  });
  return ["column,status,explained,mostly_by,by_these_alone,reason", ...lines, ""].join("\n");
}

// What is saved goes into papers and slides: it has the light colours, also from a dark page.
function inLight(work) {
  const dark = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule.media?.mediaText.includes("prefers-color-scheme: dark"));
  const texts = dark.map((rule) => rule.media.mediaText);
  dark.forEach((rule) => { rule.media.mediaText = "not all"; });
  try {
    return work();
  } finally {
    dark.forEach((rule, i) => { rule.media.mediaText = texts[i]; });
  }
}

// A drawing with the colours of the page, so that it can stand alone.
const STYLED = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-family",
  "font-weight", "text-anchor", "dominant-baseline", "display", "filter", "image-rendering"];
const standalone = (picture) => inLight(() => alone(picture));
function alone(picture) {
  const copy = picture.cloneNode(true);
  const [from, to] = [picture, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    to[i].setAttribute("style", STYLED.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";"));
  });
  const { width, height } = picture.viewBox.baseVal;
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  copy.removeAttribute("tabindex");
  const paper = getComputedStyle(document.body).backgroundColor;
  copy.prepend(drawn("rect", { width: "100%", height: "100%", fill: paper }));
  return new XMLSerializer().serializeToString(copy);
}

function savePng(picture, name) {
  const { width, height } = picture.viewBox.baseVal;
  const image = new Image();
  image.onload = () => {
    const scale = Math.min(3, 8000 / height);
    const canvas = make("canvas", { width: Math.round(scale * width), height: Math.round(scale * height) });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => save(name, blob));
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone(picture))}`;
}

function pictureOf(figure) {
  const shown = [...figure.querySelectorAll("svg")].find((picture) => picture.getBoundingClientRect().width);
  return shown ?? figure.querySelector("svg");
}

function pictureButtons(figure) {
  const title = figure.dataset.picture;
  const name = `${stem()}_${title.replaceAll(" ", "_")}`;
  const button = (suffix, action) => {
    const one = make("button", { type: "button", "aria-label": `Save ${title} as ${suffix}` }, suffix);
    one.addEventListener("click", () => action(pictureOf(figure)));
    return one;
  };
  return make("span", { class: "picture" }, `${title} `,
    button("SVG", (picture) => save(`${name}.svg`, standalone(picture), "image/svg+xml")), " ",
    button("PNG", (picture) => savePng(picture, `${name}.png`)));
}

// The calls for what is shown; names are written as a shell and as Python want them.
const shellWord = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\"'\"'")}'`);
const listed = (names) => names.map(csvCell).join(",");
function wishes(python) {
  if (state.model.base) return "";
  const { include, forbid, costs } = allWishes();
  const parts = [["include", include], ["forbid", forbid]].filter(([, names]) => names.length);
  const texts = parts.map(([option, names]) => (python
    ? `, ${option}=${formats.python(names)}` : ` --${option} ${shellWord(listed(names))}`));
  const priced = Object.entries(costs);
  if (priced.length && python) {
    texts.push(`, costs={${priced.map(([name, price]) => `${quoted(name)}: ${price}`).join(", ")}}`);
  } else if (priced.length) {
    texts.push(...priced.map(([name, price]) => ` --cost ${shellWord(`${name}=${price}`)}`));
  }
  return texts.join("");
}
function call(pattern, python) {
  const put = { k: String(state.k), more: wishes(python) };
  return pattern.replace(/{{|}}|{(k|more)}/g, (found, name) => (name ? put[name] : found[0]));
}

const asGiven = {};
starters.push(() => {
  find("files").hidden = false;
  ["command", "python"].forEach((id) => { asGiven[id] = find(id)?.textContent; });
  find("save-kept").addEventListener("click", () => save("kept.csv", keptTable(), "text/csv"));
  find("save-reasons").addEventListener("click", () => save("explanations.csv", reasonsTable(), "text/csv"));
  find("pictures").append(...[...document.querySelectorAll("figure[data-picture]")].map(pictureButtons));
});
views.push(() => {
  ["command", "python"].forEach((id) => {
    if (!find(id)) return;
    const pattern = (state.model.base ? data.patterns : live.patterns)[id];
    find(id).textContent = isChoice() || !pattern ? asGiven[id] : call(pattern, id === "python");
  });
  if (find("take-differs")) find("take-differs").hidden = state.model.base;
});
