// What the name of a column says it holds: columns/name_words.py says more of each function.
import { matchAll } from "./written.js";

const {
  ALONE_A_COUNT, AREA_WORDS, CODE_WORDS, COUNTER_ENDS, COUNTER_WORDS, GLUED_AREA, GLUED_CODE, GLUED_IDENTIFIER, GRADE_WORDS, IDENTIFIER_WORDS,
  ITEM, OWNERS, PLACE_WORDS, PLURAL, QUANTITY_WORDS, SUBJECT_WORDS, TERRITORY_WORDS, TIME_WORDS, UNIT_WORDS,
} = RULES.names;
const IDENTIFIER = matchAll(GLUED_IDENTIFIER);
const OWNER = matchAll(OWNERS);
const GLUED = matchAll(GLUED_CODE);
const MANY = matchAll(PLURAL);
const QUESTION = matchAll(ITEM);
const AREA = matchAll(GLUED_AREA);
const COUNTER = matchAll(`[\\p{L}_]{2,}(${COUNTER_ENDS.join("|")})`);

/** @param {string} name */
export const listWords = (name) => name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, " ").toLowerCase()
  .split(/[^\p{L}\p{N}]+/u).filter(Boolean);

/** @param {string} name */
export function namesIdentifier(name) {
  const words = listWords(name);
  const [before, last] = words.slice(-2);
  if (words.length > 1 && COUNTER_WORDS.has(last) && OWNER.test(before)) return true;
  return words.some((word, i) => ((i === 0 || i === words.length - 1) && IDENTIFIER_WORDS.has(word)) || IDENTIFIER.test(word));
}

/** @param {string} name */
export function namesCounter(name) {
  const words = listWords(name);
  const alone = words.length === 1 && (words[0] === "index" || words[0] === "order");
  const last = words[words.length - 1] ?? "";
  if (words.length === 1 && ALONE_A_COUNT.has(last)) return false;
  return alone || COUNTER_WORDS.has(last) || COUNTER.test(last);
}

/** @param {string} name */
export const namesPlace = (name) => namesCounter(name) || PLACE_WORDS.has(listWords(name).pop() ?? "");

/** @param {string} name */
export function namesSubject(name) {
  const words = listWords(name);
  return words.length === 1 && SUBJECT_WORDS.has(words[0]);
}

/** @param {string} name */
export function namesCodes(name) {
  const last = listWords(name).pop() ?? "";
  return CODE_WORDS.has(last) || namesManyCodes(name);
}

/** @param {string} name */
export function namesManyCodes(name) {
  const words = listWords(name);
  const alone = words.length === 1 && [UNIT_WORDS, SUBJECT_WORDS, CODE_WORDS].some((some) => some.has(words[0]));
  return alone || GLUED.test(words[words.length - 1] ?? "");
}
/** @param {string} name */
export const namesTerritory = (name) => listWords(name).some((word) => TERRITORY_WORDS.has(word));
/** @param {string} name */
export const namesQuantity = (name) => listWords(name).some((word) => QUANTITY_WORDS.has(word) || TIME_WORDS.has(word));
/** @param {string} name */
export const namesPlural = (name) => MANY.test(listWords(name).pop() ?? "");
/** @param {string} name */
export const namesGrades = (name) =>
  QUESTION.test(name.trim().toLowerCase()) || listWords(name).some((word) => GRADE_WORDS.has(word));

/** @param {string} name */
export function namesArea(name) {
  const words = listWords(name);
  const postal = words.some((word, i) => (word === "post" || word === "postal") && words[i + 1] === "code");
  return postal || words.some((word) => AREA_WORDS.has(word) || AREA.test(word));
}
