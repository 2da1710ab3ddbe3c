// Numbers, names and elements as the page writes them; the same rules as in Python.
function percent(share) {
  const points = Math.abs(share) >= 5e-4 ? 100 * share : 0;
  if (points >= 100 - 1e-7) return "100%";
  if (points >= 99.995) return "over 99.99%";
  return points.toFixed(points >= 99.95 ? 2 : 1) + "%";
}
// A share on held-out rows; below 0 it is no share of anything.
const WORSE = "worse than predicting the mean";
const isWorse = (share) => share <= -5e-4;
const heldShare = (share) => (isWorse(share) ? WORSE : percent(share));
const onHeldOut = (share) => (isWorse(share) ? `on held-out rows ${WORSE}` : `${percent(share)} on held-out rows`);
// A bound that nothing exceeds; nothing where it says nothing.
function atMost(share) {
  const text = percent(share);
  if (text === "100%") return "";
  return text.startsWith("over ") ? "all of it" : `more than ${text}`;
}
const tenths = (share) => (share >= 1 - 1e-9 ? "100%" : `${Math.min(100 * share, 99.9).toFixed(1)}%`);
const signed = (change) => {
  const text = `${change < 0 ? "−" : "+"}${(100 * Math.abs(change)).toFixed(Math.abs(change) >= 5e-4 ? 1 : 2)}%`;
  return Number(text.slice(1, -1)) ? text : "0%";
};
// A name that is a number stands in quotes beside a weight, or it reads as a factor.
const isNumber = (name) => /^\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*$/.test(name);
const asTerm = (name) => (isNumber(name) ? `"${name}"` : name);
const largestFirst = (pairs) => {
  const size = ([, weight]) => Math.round(100 * Math.abs(weight));
  return [...pairs].sort((a, b) => size(b) - size(a));
};
const grouped = (number) => number.toLocaleString("en");
const plural = (number, word) => `${grouped(number)} ${word}${number === 1 ? "" : "s"}`;
const fill = (pattern, values) => pattern.replace(/{(\w*)}/g, (_, name) => values[name]);
// What an object holds under the name of a column, which may be "constructor" or "__proto__".
const own = (object, name) => (object && Object.hasOwn(object, name) ? object[name] : undefined);
const named = (text) => make("bdi", {}, text.trim() ? text : "(no name)");
const quiet = (text) => make("span", { class: "quiet" }, text);

function make(tag, options, ...children) {
  const { style, ...attributes } = options;
  const element = document.createElement(tag);
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
  if (style) Object.assign(element.style, style);
  element.append(...children);
  return element;
}
function drawn(tag, attributes, text) {
  const element = document.createElementNS(document.querySelector("svg").namespaceURI, tag);
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
  if (text !== undefined) element.textContent = text;
  return element;
}
function barOf(width) {
  return make("span", { class: "bar", "aria-hidden": "true" },
    make("i", { style: { width: `${Math.min(Math.max(width, 0), 100)}%` } }));
}
// A link to what is known of a column.
function linked(text) {
  const link = make("a", { class: "to-column", href: `#col=${encodeURIComponent(text)}` }, named(text));
  link.addEventListener("click", (event) => {
    event.preventDefault();
    setState({ column: text });
    openCard();
  });
  return link;
}
