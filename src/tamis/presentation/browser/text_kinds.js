// What a column of texts is, numbers among them or not: columns/texts.py says more of each function.
import { formatCount } from "../page/text.js";
import { namesIdentifier, namesSubject, namesTerritory } from "./name_words.js";
import { NumberTally } from "./tallies.js";
import { areDates, looksLikeMark, matchAll, parseAmount } from "./written.js";

/** @typedef {import("./tallies.js").TextTally} TextTally */

const {
  ALMOST_DISTINCT, CASED, FEW_CODES, FREE_TEXT_LETTERS, MANY_NUMBERS, MAX_DAY, MAX_PANEL_DISPERSION, MIN_ANSWERS, MIN_DISTINCT_ROWS,
  MIN_DISTINCT_SHARE, MIN_EVEN_SHARE, MIN_FILLED_SHARE, MIN_KEYS_OF_NAME, MIN_LEVEL_ROWS, MIN_LEVEL_SHARE, MIN_MEASURED, MIN_PANEL_VALUES,
  MIN_TEXTS, MAJORITY, MOST_TEXTS, ODD_TEXTS, READ_SHARE, ROWS_PER_VALUE, VALUES_PER_LIMIT, WORDY,
} = RULES.kinds;
const { KNOWN_UNITS, MAX_MARK_SHARE } = RULES.texts;
const FILES = new RegExp(RULES.texts.FILE_NAMES, "iu");
const PAIR = matchAll(RULES.texts.NUMBER_PAIR);
const COORDINATES = matchAll(RULES.texts.COORDINATES);
const SHOWN_UNITS = 5;

export const MAY_BE_KEY = "unsure: may be a key";

/** @type {(name: string, facts: TextFacts, rows: number) => [kind: string, why: string]} */
export function findTextKind(name, facts, rows) {
  const { texts, counts, filled: n, distinct } = facts;
  if (distinct === 1) return ["constant", ""];
  if (areDates(texts)) return ["date", "dates, times or durations, not supported yet"];
  if (distinct > MIN_ANSWERS && arePairs(texts)) {
    return ["other", `two numbers in a value, such as ${quote([...texts].sort()[0])}: split the column`];
  }
  const found = `${formatCount(distinct)} distinct values in ${formatCount(n)} rows`;
  const differ = counts.every((count) => count === 1) && distinct >= MIN_DISTINCT_SHARE * n && n >= MIN_DISTINCT_ROWS;
  const fewRows = distinct > Math.max(MIN_TEXTS, Math.floor(n / ROWS_PER_VALUE));
  if (differ || fewRows) {
    if (mean(texts, (text) => Number(FILES.test(text))) > MOST_TEXTS) return ["identifier", `file names or addresses, ${found}`];
    if (isProse(texts)) return ["free text", `free text, ${found}`];
    if (differ) return ["identifier", `another value in each of ${formatCount(n)} rows`];
    if (distinct > ALMOST_DISTINCT * n) return ["key", `another value in almost every row, ${formatCount(distinct)} of ${formatCount(n)}`];
  }
  if ((namesIdentifier(name) || namesSubject(name)) && distinct >= MIN_KEYS_OF_NAME) {
    return ["key", `identifier that repeats, ${formatCount(distinct)} values in ${formatCount(n)} rows`];
  }
  if (namesTerritory(name) && findUsualCount(facts)) return ["key", sayRepeats(distinct, findMost(counts))];
  const rare = facts.whole && distinct > 2 && counts.every((count) => count < Math.max(MIN_LEVEL_ROWS, MIN_LEVEL_SHARE * rows));
  return ["category", fewRows || rare ? `few rows for each value, ${found}` : ""];
}

/** @param {number[]} counts */
export const findMost = (counts) => counts.reduce((most, one) => Math.max(most, one), 0);

/** @type {(distinct: number, most: number) => string} */
export const sayRepeats = (distinct, most) => `key that repeats, ${formatCount(distinct)} values, up to ${formatCount(most)} rows each`;

/** @type {(texts: string[], measure: (text: string) => number) => number} */
const mean = (texts, measure) => texts.reduce((sum, text) => sum + measure(text), 0) / texts.length;
/** @param {string} text */
const countWords = (text) => text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;

/** @param {string[]} texts */
function arePairs(texts) {
  if (texts.filter((text) => COORDINATES.test(text)).length >= MOST_TEXTS * texts.length) return true;
  const found = texts.map((text) => PAIR.exec(text)).filter((match) => match !== null);
  if (found.length < MOST_TEXTS * texts.length) return false;
  return 2 * found.filter((match) => Number(match[1].replace(",", ".")) > MAX_DAY).length > found.length;
}

/** @typedef {{ texts: string[], counts: number[], whole: boolean, filled: number, distinct: number, padded: boolean }} TextFacts */

// The counts of a column, as if some of its texts were missing.
/** @type {(tally: TextTally, without: string[]) => TextFacts} */
export function dropTexts(tally, without) {
  const removed = new Set(without);
  const there = tally.texts.map((_, i) => i).filter((i) => !removed.has(tally.texts[i]));
  const lost = tally.counts.reduce((sum, count, i) => sum + (removed.has(tally.texts[i]) ? count : 0), 0);
  return {
    texts: there.map((i) => tally.texts[i]),
    counts: there.map((i) => tally.counts[i]),
    whole: tally.whole,
    filled: tally.filled - lost,
    distinct: Math.max(tally.distinct - (tally.texts.length - there.length), 0),
    padded: tally.padded,
  };
}

/** @param {string[]} texts */
function isProse(texts) {
  const words = mean(texts, countWords);
  return words >= WORDY || (words >= 2 && mean(texts, (text) => Array.from(text).length) >= FREE_TEXT_LETTERS);
}

/** @type {(facts: TextFacts) => number} */
export function findUsualCount({ texts, counts, whole, distinct }) {
  if (!whole || distinct < MIN_PANEL_VALUES) return 0;
  const times = new Map();
  [...counts].sort((a, b) => a - b).forEach((count) => times.set(count, (times.get(count) ?? 0) + 1));
  const most = Math.max(...times.values());
  const usual = [...times].find(([, often]) => often === most)?.[0] ?? 0;
  const share = most / counts.length;
  const codes = mean(texts, (text) => Number(/\p{Nd}/u.test(text))) > MOST_TEXTS;
  const alike = new Set(texts.map((text) => Array.from(text).length)).size === 1;
  const average = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  const steady = counts.reduce((sum, count) => sum + (count - average) ** 2, 0) / counts.length < MAX_PANEL_DISPERSION * average;
  const panel = steady || (usual === Math.max(...times.keys()) && share >= MAJORITY) || ((codes || alike) && share >= MIN_EVEN_SHARE);
  return panel && usual >= 2 ? usual : 0;
}

/** @type {(tally: TextFacts, rows: number) => string[]} */
export function listTextBadges(tally, rows) {
  const found = [];
  if (tally.padded) found.push("blanks around values");
  if (tally.whole) {
    const words = tally.texts.filter((text) => Array.from(text).length >= CASED);
    if (new Set(words.map((text) => text.toLowerCase())).size < words.length) found.push("values differ only in case");
  }
  if (rows && tally.filled < MIN_FILLED_SHARE * rows) found.push("mostly missing");
  return found;
}

/** @param {number} count */
export const countTimes = (count) => (count === 1 ? "once" : `${formatCount(count)} times`);
/** @param {string} text */
export const quote = (text) => (text.includes("'") && !text.includes('"') ? `"${text}"` : `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`);

/** @typedef {{ tally: NumberTally, marks: [string, number][], decimal: string, unit: string, limits: [string, number][] }} NumberTexts */

/** @type {(texts: TextTally, room: number) => NumberTexts | null} */
export function findNumberTexts(texts, room) {
  const { notation, amounts } = texts;
  if (!texts.mayBeNumbers || texts.coded || !(texts.numbers.filled + amounts)) return null;
  if (amounts && (notation.decimal === null || notation.units.size > 1)) return null;
  const known = [...notation.units].every((unit) => KNOWN_UNITS.has(unit.toLowerCase()));
  if (amounts && texts.numbers.filled && !known) return null;
  if (texts.limits.size && !areMeasured(texts)) return null;
  const tally = amounts ? readAmounts(texts, room) : texts.numbers;
  if (!accepts(texts, tally) || tally.distinct < 2) return null;
  return {
    tally,
    marks: [...texts.marks, ...texts.odd],
    decimal: amounts ? notation.decimal ?? "" : "",
    unit: amounts ? [...notation.units][0] ?? "" : "",
    limits: [...texts.limits].sort(([a], [b]) => (a < b ? -1 : 1)),
  };
}

/** @param {TextTally} texts */
function areMeasured({ distinct, limits, odd, marks }) {
  return distinct - limits.size - odd.size - marks.size >= Math.max(MIN_MEASURED, VALUES_PER_LIMIT * limits.size);
}

/** @param {TextTally} texts */
export function findDiffering({ numbers, amounts, distinct, filled, mayBeNumbers, notation }) {
  if (!mayBeNumbers || !amounts || distinct <= FEW_CODES || numbers.filled + amounts < READ_SHARE * filled) return "";
  const units = [...notation.units].map((unit) => unit.toLowerCase());
  if (new Set(units).size > 1 && !units.every((unit) => KNOWN_UNITS.has(unit))) return "";
  if (new Set(units).size > 1) {
    const named = [...notation.units].filter(Boolean).sort().map(quote);
    const shown = [...named.slice(0, SHOWN_UNITS), ...(named.length > SHOWN_UNITS ? ["..."] : []), ...(notation.units.has("") ? ["no unit"] : [])];
    return `numbers in different units (${shown.join(", ")}): convert them`;
  }
  return notation.decimal === null ? "numbers with a decimal point in some values and a decimal comma in others" : "";
}

/** @type {(texts: TextTally, tally: NumberTally) => boolean} */
function accepts({ odd, filled, notation }, tally) {
  if (!odd.size) return true;
  const share = [...odd.values()].reduce((sum, count) => sum + count, 0) / filled;
  const many = tally.distinct >= MANY_NUMBERS || !tally.integers;
  if (odd.size === 1) {
    const bare = ![...notation.units].some(Boolean); // GF beside "1st floor" is a floor
    const known = many || (bare && looksLikeMark([...odd.keys()][0]) && tally.distinct > 2);
    return share < MAX_MARK_SHARE && known;
  }
  if (odd.size === 2 && tally.distinct >= MANY_NUMBERS && share < MAX_MARK_SHARE) return true;
  return many && ODD_TEXTS.some((/** @type {number[]} */ [most, limit]) => odd.size <= most && share <= limit);
}

/** @type {(texts: TextTally, room: number) => NumberTally} */
function readAmounts({ texts, counts, notation }, room) {
  /** @type {number[]} */
  const values = [];
  texts.forEach((text, i) => {
    const value = parseAmount(text, notation.decimal ?? "");
    if (value === value) for (let times = 0; times < counts[i]; times++) values.push(value);
  });
  return new NumberTally(Float64Array.from(values).sort(), room);
}
