// One search over every column of the table, analysed or not.
import { find, findAs, make, makeQuiet, pick } from "./elements.js";
import { linkColumn } from "./links.js";
import { state } from "./state.js";
import { describeStatus } from "./status.js";
import { formatCount, pluralise } from "./text.js";

const MAX_LISTED = 12;
const MAX_SEARCHED_AT_ONCE = 5000; // names; more are searched when the typing rests
/** @type {string[] | null} */
let lowered = null;

/** @param {string} wanted */
function matchNames(wanted) {
  const names = lowered ??= state.model.names.map((name) => name.toLowerCase());
  /** @type {number[]} */
  const first = [];
  /** @type {number[]} */
  const rest = [];
  names.forEach((name, place) => {
    const at = name.indexOf(wanted);
    if (at === 0) first.push(place);
    else if (at > 0) rest.push(place);
  });
  return [...first.sort((a, b) => names[a].length - names[b].length), ...rest];
}

function listMatches() {
  const wanted = findAs("filter", HTMLInputElement).value.trim().toLowerCase();
  const matches = wanted ? matchNames(wanted) : [];
  find("found").replaceChildren(...matches.slice(0, MAX_LISTED).map((position) => {
    const { kind, text } = describeStatus(position);
    return make("li", {}, linkColumn(state.model.names[position]), " ",
      make("i", { class: `spot ${kind}`, "aria-hidden": "true" }), makeQuiet(text));
  }));
  const total = pluralise(state.model.names.length, "column");
  find("found-count").textContent = !wanted ? ""
    : !matches.length ? `None of the ${total} has this in its name.`
      : matches.length > MAX_LISTED ? `${formatCount(matches.length)} of ${total}; the first ${MAX_LISTED} are listed.`
        : `${formatCount(matches.length)} of ${total}.`;
}

export function startSearch() {
  find("filter-box").hidden = false;
  let waiting = 0;
  const filter = find("filter");
  filter.addEventListener("input", () => {
    clearTimeout(waiting);
    if (state.model.names.length <= MAX_SEARCHED_AT_ONCE) listMatches();
    else waiting = setTimeout(listMatches, 60);
  });
  filter.addEventListener("keydown", (event) => {
    if (event.key === "Enter") find("found").querySelector("a")?.click();
  });
  pick(document, "nav a[href='#find']").addEventListener("click", () => setTimeout(() => filter.focus(), 50));
}

/** @type {View} */
export function showSearch({ k, model }, before) {
  const { value } = findAs("filter", HTMLInputElement);
  if (value && (before.k !== k || before.model !== model)) listMatches();
}
