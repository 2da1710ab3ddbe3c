// What texts say, missing values, amounts or dates, by functions of the same names in columns/written.py
// and sources/amounts.py.

const {
  BEFORE_AMOUNT, CENTURIES, DATE_ORDERS, DATE_YEARS, FACTORS, FRACTIONS, GROUPED_AMOUNT, LAKHS, LEAST_MONTHS, LIMIT, MARK_SIGNS,
  MAX_OTHER_TEXTS, MISSING_WORDS, NO_CENTS, NO_UNITS, NO_VALUE_WORDS, PLAIN_AMOUNT, QUOTES, SPACES,
} = RULES.texts;

// A pattern that matches all of a text.
/** @type {(source: string, flags?: string) => RegExp} */
export const matchAll = (source, flags = "") => new RegExp(`^(?:${source})$`, `u${flags}`);

const NAMED_LIMIT = /^[<>]=? ?[\p{L}\p{Nl}\p{No}]{2,6}$/u; // below what can be measured: <LOD, < LLOQ

/** @param {string[]} texts */
export function findBlanks(texts) {
  /** @param {string} text */
  const isSign = (text) => text.trim() !== "" && !/[\p{L}\p{N}]/u.test(text);
  const signs = texts.filter(isSign);
  const plain = signs.every((text) => [...text.trim()].every((sign) => MARK_SIGNS.includes(sign)));
  const found = texts.filter((text) => {
    const bare = text.trim();
    const error = bare.startsWith("#") && "!?A".includes(bare[bare.length - 1]) && isKnownMark(text);
    return (plain && isSign(text)) || error || (NO_VALUE_WORDS.has(bare.toLowerCase()) && bare !== "Na");
  });
  return found.length < texts.length ? found.sort() : [];
}

/** @param {string} text */
export function isKnownMark(text) {
  const bare = text.trim();
  return MISSING_WORDS.has(bare.toLowerCase()) || NAMED_LIMIT.test(bare) || (bare !== "" && !/[\p{L}\p{N}]/u.test(bare));
}

/** @param {string} text */
export const looksLikeMark = (text) => text.trim().length > 1 && !/\p{Nd}/u.test(text);

const FACTOR = `(?:(?<=\\d)[kKMB](?![\\p{L}\\p{N}])|(?<=\\d)[${SPACES}]?[½¼¾])?`;
const UNIT_WORD = "(?:(?![½¼¾])[\\p{L}\\p{Nl}\\p{No}]){1,12}[23²³]?";
const AFTER = `(?:(?!${NO_UNITS}$)[$€£¥₹%‰°]?(?:${UNIT_WORD}(?:/${UNIT_WORD})?)?\\.?)`;
const AMOUNT = matchAll(`${LIMIT}(${BEFORE_AMOUNT})[${SPACES}]*([-+\\(]?)(${BEFORE_AMOUNT})[${SPACES}]*`
  + `([\\d.,][\\d${SPACES}.,${QUOTES}]*?(?:[eE][-+]?\\d{1,3})?)(${FACTOR})${NO_CENTS}\\)?[${SPACES}]*(${AFTER})\\)?`);
const PLAIN = matchAll(PLAIN_AMOUNT);
const GROUPED = matchAll(GROUPED_AMOUNT);
const IN_LAKHS = matchAll(LAKHS);

/** How amounts are written, as seen in some texts. */
export class Notation {
  decimals = new Set(); // marks that are certainly before decimals
  thousands = new Set();
  either = new Set(); // marks that were seen only before exactly three digits
  units = new Set();

  // Take in a text; false where it is no amount.
  /** @param {string} text */
  add(text) {
    const found = AMOUNT.exec(text);
    const digits = found ? found[4] : "";
    const grouped = GROUPED.exec(digits);
    const plain = PLAIN.exec(digits);
    if (grouped && grouped[4] === undefined && grouped[3] === "" && ".,".includes(grouped[2])) {
      (digits[0] === "0" ? this.decimals : this.either).add(grouped[2]);
    } else if (grouped) {
      if (".,".includes(grouped[2])) this.thousands.add(grouped[2]);
      if (grouped[4] !== undefined) this.decimals.add(grouped[4]);
    } else if (IN_LAKHS.test(digits)) this.thousands.add(",");
    else if (!plain) return false;
    else if (plain[1] !== undefined) this.decimals.add(plain[1]);
    if (found && digits.replaceAll(/^[0.,]+|[0.,]+$/g, "")) {
      this.units.add((found[1] + found[3] + found[6]).replace(/\.+$/, ""));
    }
    return true;
  }

  get decimal() {
    /** @param {string} mark */
    const other = (mark) => (mark === "." ? "," : ".");
    const certain = new Set([...this.decimals, ...[...this.thousands].map(other)]);
    if (!certain.size) (this.either.size ? [...this.either] : [","]).forEach((mark) => certain.add(other(mark)));
    return certain.size === 1 ? [...certain][0] : null;
  }
}

/** @param {string} text */
export const isLimit = (text) => /^[<>≤≥]/.test(text) && new Notation().add(text);

/** @type {(text: string, decimal: string) => number} */
export function parseAmount(text, decimal) {
  const found = AMOUNT.exec(text);
  if (!found) return NaN;
  const grouped = GROUPED.exec(found[4]);
  const plain = PLAIN.exec(found[4]);
  /** @param {string | undefined} mark */
  const fits = (mark) => mark === undefined || mark === decimal;
  if (grouped && grouped[2] !== decimal) {
    if (!fits(grouped[4])) return NaN;
  } else if (IN_LAKHS.test(found[4])) {
    if (decimal !== ".") return NaN;
  } else if (!plain || !fits(plain[1])) return NaN;
  const kept = Array.from(found[4]).filter((letter) => /[-+\deE]/.test(letter) || letter === decimal).join("");
  const more = found[5].trim();
  const value = Number(kept.replace(decimal, ".")) * (FACTORS[more] ?? 1) + (FRACTIONS[more] ?? 0);
  return found[2] === "-" || found[2] === "(" ? -value : value;
}

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

/** @param {string[]} texts */
export function areDates(texts) {
  const some = texts.filter((text) => !isKnownMark(text)).map((text) => text.trim()).filter((text) => !/^-\d{1,4}$/.test(text));
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

/** @param {Float64Array} values */
export function areDateNumbers(values) {
  if (values.length < 2) return false;
  const [days, months] = [(/** @type {number} */ v) => v - 100 * Math.floor(v / 100), (/** @type {number} */ v) => Math.floor(v / 100) - 100 * Math.floor(v / 10_000)];
  if (values.every((v) => isWithin(Math.floor(v / 10_000), CENTURIES) && isWithin(months(v), [1, 12]) && isWithin(days(v), [1, 31]))) return true;
  return values.length >= LEAST_MONTHS
    && values.every((v) => isWithin(Math.floor(v / 100), CENTURIES) && isWithin(days(v), [1, 12]));
}
