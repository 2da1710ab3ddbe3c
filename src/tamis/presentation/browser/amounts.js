// Numbers that are written as text, amounts of money and others: sources/amounts.py.

const CURRENCY_CODES = [
  "AED|AFN|ALL|AMD|ANG|AOA|ARS|AUD|AWG|AZN|BAM|BBD|BDT|BGN|BHD|BIF|BMD|BND|BOB|BRL|BSD|BTN|BWP|BYN",
  "BZD|CAD|CDF|CHF|CLP|CNY|COP|CRC|CUP|CVE|CZK|DJF|DKK|DOP|DZD|EGP|ERN|ETB|EUR|FJD|FKP|GBP|GEL|GHS",
  "GIP|GMD|GNF|GTQ|GYD|HKD|HNL|HRK|HTG|HUF|IDR|ILS|INR|IQD|IRR|ISK|JMD|JOD|JPY|KES|KGS|KHR|KMF|KPW",
  "KRW|KWD|KYD|KZT|LAK|LBP|LKR|LRD|LSL|LYD|MAD|MDL|MGA|MKD|MMK|MNT|MOP|MRU|MUR|MVR|MWK|MXN|MYR|MZN",
  "NAD|NGN|NIO|NOK|NPR|NZD|OMR|PAB|PEN|PGK|PHP|PKR|PLN|PYG|QAR|RON|RSD|RUB|RWF|SAR|SBD|SCR|SDG|SEK",
  "SGD|SHP|SLE|SOS|SRD|SSP|STN|SVC|SYP|SZL|THB|TJS|TMT|TND|TOP|TRY|TTD|TWD|TZS|UAH|UGX|USD|UYU|UZS",
  "VES|VND|VUV|WST|XAF|XCD|XOF|XPF|YER|ZAR|ZMW|ZWL",
].join("|");
const SPACES = "\\s\u00a0\u202f";
const BEFORE = `(?:(?:${CURRENCY_CODES})(?=[${SPACES}\\d+\\(\\-])|[A-Z]{0,2}\\$|[€£¥₹])?`;
const LIMIT = `(?:(?:[<>]=?|[≤≥])[${SPACES}]*)?`; // <0.5: below what can be measured
/** @type {Record<string, number>} */
const FACTORS = { "": 1, k: 1e3, K: 1e3, M: 1e6, B: 1e9 }; // right behind the digits: 1.2K
/** @type {Record<string, number>} */
const FRACTIONS = { "½": 0.5, "¼": 0.25, "¾": 0.75 };
const FACTOR = `(?:(?<=\\d)[kKMB](?![\\p{L}\\p{N}])|(?<=\\d)[${SPACES}]?[½¼¾])?`;
const NO_CENTS = "(?:[.,][\\-\u2013\u2014]{1,2})?"; // 1'250.-
const QUOTES = "'\u2019";
const UNIT_WORD = "(?:(?![½¼¾])[\\p{L}\\p{Nl}\\p{No}]){1,12}[23²³]?";
const AFTER = "(?:(?!(?:AM|PM|am|pm|st|nd|rd|th|er|e|E)$)"
  + `[$€£¥₹%‰°]?(?:${UNIT_WORD}(?:/${UNIT_WORD})?)?\\.?)`;
const AMOUNT = new RegExp(
  `^${LIMIT}(${BEFORE})[${SPACES}]*([-+\\(]?)(${BEFORE})[${SPACES}]*`
  + `([\\d.,][\\d${SPACES}.,${QUOTES}]*?(?:[eE][-+]?\\d{1,3})?)(${FACTOR})${NO_CENTS}\\)?`
  + `[${SPACES}]*(${AFTER})\\)?$`, "u");
const PLAIN_AMOUNT = /^(?:\d+\.?|\d*([.,])\d+)(?:[eE][-+]?\d{1,3})?$/;
const GROUPED_AMOUNT = new RegExp(`^(\\d{1,3})([${SPACES}.,${QUOTES}])\\d{3}((?:\\2\\d{3})*)(?:(?!\\2)([.,])\\d+)?$`);
const LAKHS = /^\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?$/;

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
    const grouped = GROUPED_AMOUNT.exec(digits);
    const plain = PLAIN_AMOUNT.exec(digits);
    if (grouped && grouped[4] === undefined && grouped[3] === "" && ".,".includes(grouped[2])) {
      (digits[0] === "0" ? this.decimals : this.either).add(grouped[2]);
    } else if (grouped) {
      if (".,".includes(grouped[2])) this.thousands.add(grouped[2]);
      if (grouped[4] !== undefined) this.decimals.add(grouped[4]);
    } else if (LAKHS.test(digits)) this.thousands.add(",");
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
  const grouped = GROUPED_AMOUNT.exec(found[4]);
  const plain = PLAIN_AMOUNT.exec(found[4]);
  /** @param {string | undefined} mark */
  const fits = (mark) => mark === undefined || mark === decimal;
  if (grouped && grouped[2] !== decimal) {
    if (!fits(grouped[4])) return NaN;
  } else if (LAKHS.test(found[4])) {
    if (decimal !== ".") return NaN;
  } else if (!plain || !fits(plain[1])) return NaN;
  const kept = Array.from(found[4]).filter((letter) => /[-+\deE]/.test(letter) || letter === decimal).join("");
  const more = found[5].trim();
  const value = Number(kept.replace(decimal, ".")) * (FACTORS[more] ?? 1) + (FRACTIONS[more] ?? 0);
  return found[2] === "-" || found[2] === "(" ? -value : value;
}
