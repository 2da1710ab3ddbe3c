// The verdict, the kept names, the figures and the slider.
let chipsOf = null;
let chips = [];

function verdict() {
  const { k, model } = state;
  if (isChoice()) return data.sentence;
  const held = model.held[k - 1];
  const most = atMost(model.bound[k - 1]);
  const sets = k === 1 ? "single column" : `${grouped(k)} columns`;
  return `Keep ${grouped(k)} of ${grouped(model.used.length)} columns: `
    + `${k === 1 ? "it explains" : "they explain"} ${percent(model.retained[k - 1])} ${model.about ?? data.words.share}`
    + (held === undefined ? "" : `, ${onHeldOut(held)}`)
    + (percent(model.retained[k - 1]) === "100%" || !most ? "." : `; no ${sets} could explain ${most}.`);
}

function showAnswer(state) {
  const { k, model } = state;
  const choice = isChoice();
  find("verdict").textContent = verdict();
  if (chipsOf !== model) {
    chipsOf = model;
    chips = model.path.map((column) => {
      const link = linked(nameOf(column));
      link.classList.add("chip");
      return make("li", {}, link);
    });
  }
  const list = find("chips");
  list.replaceChildren(...chips.slice(0, Math.min(k, 400)));
  if (k > 400) list.append(make("li", { class: "quiet" }, `and ${grouped(k - 400)} more, listed below`));
  const figures = {
    "figure-k": grouped(k),
    "figure-retained": percent(model.retained[k - 1]),
    "figure-bound": percent(model.bound[k - 1]),
  };
  if (find("figure-held")) {
    const share = model.held[k - 1];
    figures["figure-held"] = share === undefined ? "–" : isWorse(share) ? "below 0" : percent(share);
    find("held-worse").hidden = !(share !== undefined && isWorse(share));
  }
  Object.entries(figures).forEach(([id, text]) => {
    find(id).textContent = text;
    find(id).classList.toggle("long", text.length > 7);
  });
  find("kept-count").textContent = grouped(k);
  find("ceiling-k").textContent = plural(k, "column");
  find("shown").textContent = `${grouped(k)}: ${percent(model.retained[k - 1])}`;
  find("back").hidden = choice;
  find("slider").max = model.path.length;
  find("slider").value = k;
  find("slider").min = model.least ?? 1;
  find("less").disabled = k === (model.least ?? 1);
  find("more").disabled = k === model.path.length;
  if (find("badge")) find("badge").hidden = !choice;
}

const quoted = (name) => JSON.stringify(name);
const csvCell = (value) => (/[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
const formats = {
  python: (names) => `[${names.map(quoted).join(", ")}]`,
  lines: (names) => names.join("\n"),
  csv: (names) => names.map(csvCell).join(","),
  frame: (names) => `df[[${names.map(quoted).join(", ")}]]`,
};

// Copy text; where the clipboard is closed to pages, by selecting it.
async function copyText(text, status) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const box = make("textarea", { "aria-label": "Text to copy" }, text);
    document.body.append(box);
    box.select();
    document.execCommand("copy");
    box.remove();
  }
  status.textContent = "Copied.";
  setTimeout(() => { status.textContent = ""; }, 2500);
}
const copyNames = (names, status) => copyText(formats[find("copy-as").value](names), status);

// What is scrolled to must not lie under the bar.
function clearOfBar() {
  const { offsetHeight } = document.querySelector(".sticky");
  document.documentElement.style.scrollPaddingTop = `${offsetHeight + 12}px`;
}

starters.push(() => {
  new ResizeObserver(clearOfBar).observe(document.querySelector(".sticky"));
  find("control").hidden = state.model.path.length < 2;
  find("copying").hidden = false;
  find("copy").addEventListener("click", () => {
    copyNames(keptNow().map((column) => nameOf(column)), find("copied"));
  });
  find("slider").addEventListener("input", (event) => setState({ k: Number(event.target.value) }));
  find("less").addEventListener("click", () => setState({ k: state.k - 1 }));
  find("more").addEventListener("click", () => setState({ k: state.k + 1 }));
  find("back").addEventListener("click", () => {
    setState({ k: data.k, pins: [], barred: [], prices: {} });
    find("slider").focus();
  });
});
views.push(showAnswer);
