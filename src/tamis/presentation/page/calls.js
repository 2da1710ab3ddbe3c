// The calls for what is shown; names are written as a shell and as Python want them.
import { writeList } from "./copying.js";
import { state } from "./state.js";
import { quoteCell, quoteName, quoteWord } from "./text.js";
import { listWishes } from "./wishes.js";

/** @param {Wishes} wishes */
function writePython({ include, forbid, costs }) {
  const priced = Object.entries(costs).map(([name, price]) => `${quoteName(name)}: ${price}`);
  return (include.length ? `, include=${writeList(include)}` : "")
    + (forbid.length ? `, forbid=${writeList(forbid)}` : "")
    + (priced.length ? `, costs={${priced.join(", ")}}` : "");
}

/** @param {Wishes} wishes */
function writeFlags({ include, forbid, costs }) {
  /** @param {string[]} names */
  const writeNames = (names) => quoteWord(names.map(quoteCell).join(","));
  return (include.length ? ` --include ${writeNames(include)}` : "")
    + (forbid.length ? ` --forbid ${writeNames(forbid)}` : "")
    + Object.entries(costs).map(([name, price]) => ` --cost ${quoteWord(`${name}=${price}`)}`).join("");
}

// Put the number of columns and the wishes into a call of Python or of a terminal.
/** @type {(pattern: string, python: boolean) => string} */
export function writeCall(pattern, python) {
  const wished = listWishes();
  const more = state.model.base ? "" : python ? writePython(wished) : writeFlags(wished);
  return pattern.replace(/{{|}}|{k}|{more}/g, (hit) =>
    (hit === "{k}" ? String(state.k) : hit === "{more}" ? more : hit[0]));
}
