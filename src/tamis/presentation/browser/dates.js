// Dates and times that are written as text or as numbers: columns/written.py.
import { isKnownMark } from "./marks.js";
import { matchAll } from "./rules.js";

const { CENTURIES, DATE_ORDERS, DATE_YEARS, LEAST_MONTHS, MAX_OTHER_TEXTS } = RULES.texts;
const PARTS = matchAll(RULES.texts.DATE_PARTS);
const NAMED_MONTH = matchAll(RULES.texts.NAMED_MONTH, "i");
const PERIOD = matchAll(RULES.texts.PERIOD);
const CLOCK = matchAll(RULES.texts.CLOCK);
const ISO = matchAll(RULES.texts.ISO_MOMENT);
const ISO_CLOCK = matchAll(RULES.texts.ISO_CLOCK);

// Whether Arrow takes a text for a date or a time, which are not analysed.
/** @param {string} text */
export function isIsoMoment(text) {
  const found = ISO.exec(text);
  if (!found) return ISO_CLOCK.test(text);
  const [year, month, day] = found.slice(1, 4).map(Number);
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}

// Whether texts are dates, times or durations, but for a few and marks for no value.
/** @param {string[]} texts */
export function areDates(texts) {
  const some = texts.filter((text) => !isKnownMark(text)).map((text) => text.trim());
  if (!some.length || some.every((text) => text.startsWith("1:"))) return false;
  /** @type {string[]} */
  let orders = DATE_ORDERS;
  let others = 0;
  for (const text of some) {
    if (CLOCK.test(text) || NAMED_MONTH.test(text) || isPeriod(text)) continue;
    const found = PARTS.exec(text);
    const seen = found ? DATE_ORDERS.filter((/** @type {string} */ order) => isDate(order, [found[1], found[3], found[4]])) : [];
    if (found && seen.length && Math.max(found[1].length, found[4].length) === 4) continue;
    if (!seen.length) others += 1;
    else orders = orders.filter((order) => seen.includes(order));
    if (others > MAX_OTHER_TEXTS * some.length || !orders.length) return false;
  }
  return true;
}

/** @type {(value: number, range: number[]) => boolean} */
const isWithin = (value, [low, high]) => value >= low && value <= high;

/** @param {string} text */
function isPeriod(text) {
  const year = Number(PERIOD.exec(text)?.slice(1).find(Boolean) ?? 0);
  return isWithin(year, DATE_YEARS);
}

/** @type {(order: string, parts: string[]) => boolean} */
function isDate(order, parts) {
  const [year, month, day] = ["y", "m", "d"].map((letter) => parts[order.indexOf(letter)]);
  const fits = isWithin(Number(month), [1, 12]) && isWithin(Number(day), [1, 31]);
  const isYear = year.length === 4 && isWithin(Number(year), DATE_YEARS);
  return fits && (isYear || (year.length === 2 && day.length === 2 && month.length === 2));
}

// Whether all different integers are dates, written 20240131 or 202401.
/** @param {Float64Array} values */
export function areDateNumbers(values) {
  if (values.length < 2) return false;
  const [days, months] = [(/** @type {number} */ v) => v - 100 * Math.floor(v / 100), (/** @type {number} */ v) => Math.floor(v / 100) - 100 * Math.floor(v / 10_000)];
  if (values.every((v) => isWithin(Math.floor(v / 10_000), CENTURIES) && isWithin(months(v), [1, 12]) && isWithin(days(v), [1, 31]))) return true;
  return values.length >= LEAST_MONTHS
    && values.every((v) => isWithin(Math.floor(v / 100), CENTURIES) && isWithin(days(v), [1, 12]));
}
