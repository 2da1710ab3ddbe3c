// The cells of a text table, one after the other, as Arrow's reader separates them. Only bytes are
// read: most cells are numbers and never become a text.
import { Declined } from "./decline.js";

const [QUOTE, LF, CR, SPACE, TAB] = [34, 10, 13, 32, 9];
const EXACT_POWERS = Array.from({ length: 23 }, (_, power) => 10 ** power);
const LARGEST_EXPONENT = 290; // beyond, a number may be infinite or lose digits
const decoder = new TextDecoder();

/** Walk through the cells of a table; `start` and `end` are those of the last one. */
export class CellScanner {
  /** @param {Uint8Array} bytes @param {string} separator @param {number} from */
  constructor(bytes, separator, from) {
    this.bytes = bytes;
    this.separator = separator.charCodeAt(0);
    this.at = from;
    this.start = this.end = from;
    this.doubled = false; // quotes stand twice in the cell
    this.ended = false; // the cell was the last of its row
  }

  // Whether there is another row; lines without anything are none.
  hasRow() {
    const { bytes } = this;
    while (this.at < bytes.length && (bytes[this.at] === LF || bytes[this.at] === CR)) this.at += 1;
    return this.at < bytes.length;
  }

  // Go to the next cell of the row.
  next() {
    const { bytes, separator } = this;
    this.doubled = false;
    let at = this.at;
    if (bytes[at] === QUOTE) at = this.skipQuoted();
    else {
      this.start = at;
      let byte = bytes[at];
      while (at < bytes.length && byte !== separator && byte !== LF && byte !== CR) {
        byte = bytes[++at];
      }
      this.end = at;
    }
    this.ended = at >= bytes.length || bytes[at] !== separator;
    this.at = this.ended && bytes[at] === CR && bytes[at + 1] === LF ? at + 2 : at + 1;
  }

  skipQuoted() {
    const { bytes } = this;
    let at = this.at + 1;
    this.start = at;
    for (;;) {
      while (at < bytes.length && bytes[at] !== QUOTE) at += 1;
      if (at >= bytes.length) throw new Declined("faulty", "a quote does not end");
      if (bytes[at + 1] !== QUOTE) break;
      this.doubled = true;
      at += 2;
    }
    this.end = at;
    const byte = bytes[at + 1];
    const closes = byte === undefined || byte === this.separator || byte === LF || byte === CR;
    if (!closes) throw new Declined("quotes");
    return at + 1;
  }

  // The text of the cell.
  text() {
    const { bytes, start, end } = this;
    let text = "";
    for (let i = start; i < end; i++) {
      if (bytes[i] > 127 || end - start > 64) return this.decode();
      text += String.fromCharCode(bytes[i]);
    }
    return this.doubled ? text.replaceAll('""', '"') : text;
  }

  decode() {
    const text = decoder.decode(this.bytes.subarray(this.start, this.end));
    return this.doubled ? text.replaceAll('""', '"') : text;
  }

  // The number in the cell; undefined where it is none.
  /** @param {number} decimal the byte before decimals */
  number(decimal) {
    const { bytes } = this;
    let { start: at, end } = this;
    while (at < end && (bytes[at] === SPACE || bytes[at] === TAB)) at += 1;
    while (end > at && (bytes[end - 1] === SPACE || bytes[end - 1] === TAB)) end -= 1;
    const negative = bytes[at] === 45;
    const first = negative ? at + 1 : at;
    let [digits, fraction, mantissa, seen] = [0, 0, 0, false];
    for (at = first; at < end; at++) {
      const digit = bytes[at] - 48;
      if (digit >= 0 && digit <= 9) {
        mantissa = 10 * mantissa + digit;
        if (mantissa) digits += 1;
        if (seen) fraction += 1;
      } else if (bytes[at] === decimal && !seen) seen = true;
      else break;
    }
    if (at - first - Number(seen) < 1) return this.word(first, end);
    if (at === end && digits <= 15 && fraction <= 22) {
      const value = fraction ? mantissa / EXACT_POWERS[fraction] : mantissa;
      return negative ? -value : value;
    }
    return this.slowNumber(first, end, negative, decimal);
  }

  // A number with an exponent or many digits, by the language itself.
  /** @type {(start: number, end: number, negative: boolean, decimal: number) => number | undefined} */
  slowNumber(start, end, negative, decimal) {
    const written = decoder.decode(this.bytes.subarray(start, end));
    const text = decimal === 44 ? written.replace(",", ".") : written;
    const form = /^(\d+\.?\d*|\.\d+)(?:[eE]([-+]?\d+))?$/.exec(text);
    if (!form || (decimal === 44 && written.includes("."))) return undefined;
    if (Math.abs(Number(form[2] ?? 0)) > LARGEST_EXPONENT) throw new Declined("infinite");
    return negative ? -Number(text) : Number(text);
  }

  /** @type {(start: number, end: number) => number | undefined} */
  word(start, end) {
    if (end - start < 3 || end - start > 8) return undefined;
    const text = decoder.decode(this.bytes.subarray(start, end)).toLowerCase();
    if (text === "inf" || text === "infinity") throw new Declined("infinite");
    return text === "nan" ? NaN : undefined;
  }
}
