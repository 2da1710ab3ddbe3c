// Numbers that are written as text, amounts of money and others: sources/amounts.py.
import { matchAll } from "./rules.js";

const {
  BEFORE_AMOUNT, FACTORS, FRACTIONS, GROUPED_AMOUNT, LAKHS, LIMIT, NO_CENTS, NO_UNITS, PLAIN_AMOUNT, QUOTES, SPACES,
} = RULES.texts;
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
  /** @type {Set<string>} */
  decimals = new Set(); // marks that are certainly before decimals
  /** @type {Set<string>} */
  thousands = new Set();
  /** @type {Set<string>} */
  either = new Set(); // marks that were seen only before exactly three digits
  /** @type {Set<string>} */
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

  // The mark before the decimals; null where the texts contradict each other.
  get decimal() {
    /** @param {string} mark */
    const other = (mark) => (mark === "." ? "," : ".");
    const certain = new Set([...this.decimals, ...[...this.thousands].map(other)]);
    if (!certain.size) (this.either.size ? [...this.either] : [","]).forEach((mark) => certain.add(other(mark)));
    return certain.size === 1 ? [...certain][0] : null;
  }
}

// Whether a text says that a value is below or above a number.
/** @param {string} text */
export const isLimit = (text) => /^[<>≤≥]/.test(text) && new Notation().add(text);

// Read an amount; NaN where it is none with this decimal mark.
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
