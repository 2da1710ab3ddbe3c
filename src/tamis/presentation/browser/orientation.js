// Whether the variables of a table are in its rows: sources/open.py.
import { matchAll } from "./rules.js";

const { ALIKE, FEWEST_COLUMNS, FEWEST_ROWS, LEAST_NUMBERED, MAX_TEXTS, NAME_LETTERS_LOOKED_AT, NAMES_LOOKED_AT } = RULES.tables;
const IDS = matchAll(RULES.tables.IDS);
const VARIABLES = matchAll(RULES.tables.VARIABLES, "i");
const OBSERVATIONS = matchAll(RULES.tables.OBSERVATIONS, "i");
const NUMBERED = matchAll(RULES.tables.NUMBERED);

/** @type {(names: string[], pattern: RegExp) => number} */
function shareOf(names, pattern) {
  const some = names.slice(0, NAMES_LOOKED_AT);
  return some.filter((name) => pattern.test(name.slice(0, NAME_LETTERS_LOOKED_AT))).length / Math.max(some.length, 1);
}

// Whether most names are one word or a few with a number: S1, S2, ...
/** @param {string[]} names */
function areNumbered(names) {
  /** @type {Map<string, number>} */
  const words = new Map();
  for (const name of names.slice(0, NAMES_LOOKED_AT)) {
    const word = NUMBERED.exec(name.slice(0, NAME_LETTERS_LOOKED_AT))?.[1];
    if (word !== undefined) words.set(word, (words.get(word) ?? 0) + 1);
  }
  const numbered = [...words.values()].filter((times) => times >= LEAST_NUMBERED).reduce((a, b) => a + b, 0);
  return numbered >= ALIKE * Math.min(names.length, NAMES_LOOKED_AT);
}

/** @param {Column[]} columns */
export function looksTransposed(columns) {
  const [first] = columns;
  if (columns.length <= FEWEST_COLUMNS || !(first.rowNames || first.kind === "text")) return false;
  /** @param {Column} column */
  const isNumber = ({ kind, rowNames }) => !rowNames && (kind === "numeric" || kind === "boolean");
  const texts = columns.findIndex(isNumber);
  if (texts < 0 || texts > MAX_TEXTS || columns.length - texts < FEWEST_COLUMNS) return false;
  const last = columns.map(isNumber).lastIndexOf(true) + 1;
  const others = columns.slice(texts, last);
  if (columns.length - last > MAX_TEXTS || !others.every(isNumber)) return false;
  const rows = listTexts(first);
  if (rows.length < FEWEST_ROWS || new Set(rows).size < rows.length) return false;
  const names = others.map(({ name }) => name);
  const observed = shareOf(names, OBSERVATIONS) >= ALIKE;
  if (last < columns.length && !observed && !areNumbered(names)) return false;
  if (shareOf(rows, IDS) >= ALIKE) return true;
  if (VARIABLES.test(first.name.trim())) return observed || areNumbered(names);
  return observed && shareOf(rows, OBSERVATIONS) < ALIKE;
}

/** @param {Column} column */
function listTexts({ texts, values }) {
  if (texts) {
    return Array.from(texts.codes.subarray(0, NAMES_LOOKED_AT)).filter((code) => code >= 0).map((code) => texts.levels[code]);
  }
  return Array.from(values ?? []).slice(0, NAMES_LOOKED_AT).filter((value) => value === value).map(String);
}
