// Dates and times that are written as text or as numbers: columns/written.py.
import { isKnownMark } from "./marks.js";

const MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec";
const TIME = "(?:[ T]+\\d{1,2}:\\d{2}.*)?";
const PARTS = new RegExp(`^(\\d{1,4})([-./])(\\d{1,2})\\2(\\d{1,4})${TIME}$`);
const NAMED_MONTH = new RegExp(
  `^(?:\\d{1,2}[-. ]+)?(?:${MONTHS})[a-z]*\\.?[-. ]+(?:\\d{1,2},? +)?\\d{2,4}${TIME}$`
  + `|^\\d{4}[-. ]+(?:${MONTHS})[a-z]*(?:[-. ]+\\d{1,2})?${TIME}$`, "i");
const PERIOD = /^(?:(\d{4})[-./](?:0?[1-9]|1[0-2])|(?:0?[1-9]|1[0-2])[-./](\d{4})|(\d{4})[- ]?(?:[Qq][1-4]|W[0-5]\d)|[Qq][1-4][-/ ]?(\d{4}))$/;
const CLOCK = /^(?:\d{1,3}:[0-5]\d(?::[0-5]\d)?(?:[.,]\d+)?|(?:[01]?\d|2[0-4])\.[0-5]\d\.[0-5]\d)(?: ?[AaPp][Mm])?$/;
const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[ T]([01]\d|2[0-3])(?::?([0-5]\d)(?::?([0-5]\d)(?:\.\d{1,9})?)?)?(?:Z|[-+]\d{2}(?::?\d{2})?)?)?$/;
const ISO_CLOCK = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;
const MAX_OTHER_TEXTS = 0.05; // share of the different texts that need be no dates
const LEAST_MONTHS = 13; // up to twelve numbers in a row may all end in a month

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
  let orders = ["ymd", "dmy", "mdy"];
  let others = 0;
  for (const text of some) {
    if (CLOCK.test(text) || NAMED_MONTH.test(text) || isPeriod(text)) continue;
    const found = PARTS.exec(text);
    const seen = found ? ["ymd", "dmy", "mdy"].filter((order) => isDate(order, [found[1], found[3], found[4]])) : [];
    if (found && seen.length && Math.max(found[1].length, found[4].length) === 4) continue;
    if (!seen.length) others += 1;
    else orders = orders.filter((order) => seen.includes(order));
    if (others > MAX_OTHER_TEXTS * some.length || !orders.length) return false;
  }
  return true;
}

/** @param {string} text */
function isPeriod(text) {
  const year = Number(PERIOD.exec(text)?.slice(1).find(Boolean) ?? 0);
  return year >= 1500 && year <= 2500;
}

/** @type {(order: string, parts: string[]) => boolean} */
function isDate(order, parts) {
  const [year, month, day] = ["y", "m", "d"].map((letter) => parts[order.indexOf(letter)]);
  const fits = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31;
  const isYear = year.length === 4 && Number(year) >= 1500 && Number(year) <= 2500;
  return fits && (isYear || (year.length === 2 && day.length === 2 && month.length === 2));
}

// Whether all different integers are dates, written 20240131 or 202401.
/** @param {Float64Array} values */
export function areDateNumbers(values) {
  if (values.length < 2) return false;
  /** @type {(value: number, low: number, high: number) => boolean} */
  const within = (value, low, high) => value >= low && value <= high;
  const [days, months] = [(/** @type {number} */ v) => v - 100 * Math.floor(v / 100), (/** @type {number} */ v) => Math.floor(v / 100) - 100 * Math.floor(v / 10_000)];
  if (values.every((v) => within(Math.floor(v / 10_000), 1900, 2100) && within(months(v), 1, 12) && within(days(v), 1, 31))) return true;
  return values.length >= LEAST_MONTHS
    && values.every((v) => within(Math.floor(v / 100), 1900, 2100) && within(days(v), 1, 12));
}
