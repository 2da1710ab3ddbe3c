// A text table as columns, read as sources/delimited.py does with Arrow.
import { Declined } from "./decline.js";
import {
  checkEnd, checkInner, checkLayout, findSeparator, hasDecimalComma, isMissing, joinQuoted, looksLikeValues, looksTransposed,
  splitCells,
} from "./layout.js";
import { isIsoMoment, matchAll } from "./written.js";

const { CUT_LINES, FALSE_CELLS, MIN_CODE_DIGITS, NULL_CELLS, PROBE_BYTES, ROW_NAMES_COLUMN, TAIL_BYTES, TRUE_CELLS } = RULES.tables;

const [QUOTE, LF, CR, SPACE, TAB] = [34, 10, 13, 32, 9];
const EXACT_POWERS = Array.from({ length: 23 }, (_, power) => 10 ** power);
const LARGEST_EXPONENT = 290; // beyond, a number may be infinite or lose digits
const decoder = new TextDecoder();

/** Walk through the cells of a table; `start` and `end` are those of the last one. */
class CellScanner {
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

  // The text of the cell; a short plain one is put together here, which is faster.
  text() {
    const { bytes, start, end } = this;
    let text = "";
    for (let i = start; i < end; i++) {
      if (bytes[i] > 127 || end - start > 64) {
        text = decoder.decode(bytes.subarray(start, end));
        break;
      }
      text += String.fromCharCode(bytes[i]);
    }
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

const MOST_BYTES = 200_000_000;
const ROWS_A_REPORT = 2048;
const GROUPED_INTEGER = matchAll(RULES.tables.GROUPED_INTEGER);
const SEPARATED = new Map([[".tsv", "\t"], [".tab", "\t"]]);
const NULLS = new Set(NULL_CELLS);
const BOOLEANS = new Map([...TRUE_CELLS.map((/** @type {string} */ cell) => [cell, 1]), ...FALSE_CELLS.map((/** @type {string} */ cell) => [cell, 0])]);

// Decline control characters, and a byte order mark or a next-line mark within the text: what Arrow
// and the language take for a blank differs there.
/** @type {(bytes: Uint8Array) => void} */
function checkLetters(bytes) {
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte >= 32 && byte < 127) continue;
    const control = byte < 32 ? byte !== 9 && byte !== 10 && byte !== 13 : byte === 127;
    const mark = i > 0 && byte === 0xef && bytes[i + 1] === 0xbb && bytes[i + 2] === 0xbf;
    if (control || mark || (byte === 0xc2 && bytes[i + 1] === 0x85)) throw new Declined("letters");
  }
}

/** @type {(bytes: Uint8Array) => void} */
function checkText(bytes) {
  if (bytes.length > MOST_BYTES) throw new Declined("large");
  checkLetters(bytes);
  const strict = new TextDecoder("utf-8", { fatal: true });
  try {
    for (let start = 0; start < bytes.length; start += PROBE_BYTES) {
      strict.decode(bytes.subarray(start, start + PROBE_BYTES), { stream: true });
    }
    strict.decode();
  } catch {
    throw new Declined("encoding");
  }
}

/** @type {(text: string) => string[]} */
const splitLines = (text) => text.replaceAll("\r\n", "\n").replaceAll("\r", "\n").split("\n");

// Find how the table is written; decline one that is not plain.
/** @type {(bytes: Uint8Array, suffix: string) => { separator: string, comma: boolean, from: number, codes: number[] }} */
function findForm(bytes, suffix) {
  const mark = SEPARATED.get(suffix) ?? null;
  const from = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const start = new TextDecoder().decode(bytes.subarray(from, PROBE_BYTES));
  const all = splitLines(start);
  const lines = bytes.length < PROBE_BYTES && all[all.length - 1] ? all : all.slice(0, -1);
  if (lines.length < 2 || !lines[0].trim()) throw new Declined("empty");
  checkLayout(lines, mark);
  const [header, ...below] = joinQuoted(lines, mark);
  const text = below.join("\n");
  const separator = mark ?? findSeparator(header, text);
  const tail = splitLines(new TextDecoder().decode(bytes.subarray(Math.max(0, bytes.length - TAIL_BYTES))).replace(/[\r\n]+$/, ""));
  checkEnd(bytes.length <= TAIL_BYTES ? tail : tail.slice(1), separator);
  checkInner(bytes, lines, separator);
  return { separator, comma: hasDecimalComma(text, separator), from, codes: findPaddedCodes(text.split("\n"), separator) };
}

// The columns whose cells are digits of one length, some with a zero before them: sources/amounts.py.
/** @type {(lines: string[], separator: string) => number[]} */
function findPaddedCodes(lines, separator) {
  const mark = separator === "|" ? "\\|" : separator;
  const padded = new RegExp(`(?:^|${mark})"?0\\d{2,}"?(?=${mark}|$)`);
  if (!lines.some((line) => padded.test(line))) return [];
  const rows = joinQuoted(lines.length > CUT_LINES ? lines.slice(0, -1) : lines, separator).map((row) => splitCells(row, separator));
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  return Array.from({ length: width }, (_, j) => j).filter((j) => {
    const bare = rows.map((row) => (row[j] ?? "").trim()).filter((text) => !isMissing(text));
    const [first] = bare;
    return bare.some((text) => text[0] === "0") && first.length >= MIN_CODE_DIGITS && bare.some((text) => text !== first)
      && bare.every((text) => text.length === first.length && /^\d+$/.test(text));
  });
}

// The names of the columns; the first may have none, where it holds those of the rows.
/** @type {(scanner: CellScanner) => { names: string[], unnamed: boolean }} */
function readNames(scanner) {
  const names = [];
  if (!scanner.hasRow()) throw new Declined("empty");
  do {
    scanner.next();
    names.push(scanner.text().trim());
  } while (!scanner.ended);
  const unnamed = !names[0] && names.some(Boolean);
  if (unnamed) names[0] = ROW_NAMES_COLUMN;
  if (names.some((name) => !name)) throw new Declined("faulty", "a column has no name");
  // eslint-disable-next-line no-control-regex
  if (names.some((name) => /[\x00-\x1f\x7f]/.test(name))) throw new Declined("letters");
  if (new Set(names).size < names.length) throw new Declined("faulty", "two columns have the same name");
  return { names, unnamed };
}

/** @typedef {{ decimal: boolean, grouped: boolean, bare: boolean }} CommaUse how commas are used in a column: sources/amounts.py */

/** @type {(use: CommaUse, text: string) => void} */
function addCommas(use, text) {
  if (!text.includes(",")) use.bare ||= /[1-9]/.test(text);
  else if (GROUPED_INTEGER.test(text)) use.grouped = true;
  else use.decimal = true;
}

/** @param {CommaUse[]} uses */
function checkCommas(uses) {
  const elsewhere = uses.some((use) => use.decimal);
  const open = uses.filter((use) => use.grouped && !use.decimal);
  if (open.some((use) => (use.bare && !elsewhere) || use.bare === elsewhere)) throw new Declined("thousands");
}

// Read all numbers; a column with any other text is marked in `texts`.
/** @type {(scanner: CellScanner, width: number, comma: boolean, report: Progress) => { columns: Float64Array[], texts: boolean[], rows: number }} */
function readNumbers(scanner, width, comma, report) {
  let most = 1; // of rows: one more than there are line ends
  for (const end of [LF, CR]) for (let at = scanner.bytes.indexOf(end); at >= 0; at = scanner.bytes.indexOf(end, at + 1)) most += 1;
  const columns = Array.from({ length: width }, () => new Float64Array(most));
  const texts = new Array(width).fill(false);
  const uses = comma ? columns.map(() => ({ decimal: false, grouped: false, bare: false })) : null;
  const decimal = comma ? 44 : 46;
  let rows = 0;
  for (; scanner.hasRow(); rows++) {
    let j = 0;
    do {
      scanner.next();
      if (j < width && !texts[j]) {
        const number = scanner.number(decimal);
        if (number === undefined && !NULLS.has(scanner.text())) texts[j] = true;
        else if (uses && number !== undefined) addCommas(uses[j], scanner.text().trim());
        columns[j][rows] = number ?? NaN;
      }
      j += 1;
    } while (!scanner.ended);
    if (j !== width) throw new Declined("faulty", `row ${rows + 1} has ${j} values, the header ${width}`);
    if (rows % ROWS_A_REPORT === 0) report("reading", scanner.at / scanner.bytes.length);
  }
  if (uses) checkCommas(uses.filter((_, j) => !texts[j]));
  return { columns: columns.map((values) => values.slice(0, rows)), texts, rows };
}

// Read the columns that hold texts, by the places of their different values.
/** @type {(scanner: CellScanner, wanted: number[], width: number, rows: number) => TextColumn[]} */
function readTexts(scanner, wanted, width, rows) {
  const found = wanted.map(() => ({ codes: new Int32Array(rows), places: /** @type {Map<string, number>} */ (new Map()) }));
  const at = Array.from({ length: width }, (_, j) => wanted.indexOf(j));
  for (let row = 0; scanner.hasRow(); row++) {
    for (let j = 0; j < width; j++) {
      scanner.next();
      if (at[j] < 0) continue;
      const { codes, places } = found[at[j]];
      const text = scanner.text();
      let code = NULLS.has(text) ? -1 : places.get(text);
      if (code === undefined) {
        code = places.size;
        places.set(text, code);
      }
      codes[row] = code;
    }
  }
  return found.map(({ codes, places }) => ({ codes, levels: [...places.keys()] }));
}

/** @type {(texts: TextColumn) => Pick<Column, "kind" | "values" | "texts">} */
function typeTexts(texts) {
  const { levels, codes } = texts;
  if (levels.every((level) => BOOLEANS.has(level))) {
    const values = Float64Array.from(codes, (code) => (code < 0 ? NaN : BOOLEANS.get(levels[code]) ?? NaN));
    return { kind: "boolean", values, texts };
  }
  return { kind: levels.every(isIsoMoment) ? "other" : "text", values: null, texts };
}

// Read a file of this name.
/** @type {(bytes: Uint8Array, fileName: string, report: Progress) => TextTable} */
export function readTable(bytes, fileName, report) {
  const suffix = (/\.[^.]*$/.exec(fileName)?.[0] ?? "").toLowerCase();
  if (![".csv", ".tsv", ".tab", ".txt"].includes(suffix)) throw new Declined("suffix");
  if (!bytes.length) throw new Declined("empty");
  checkText(bytes);
  const { separator, comma, from, codes } = findForm(bytes, suffix);
  const scanner = new CellScanner(bytes, separator, from);
  const { names, unnamed } = readNames(scanner);
  const below = scanner.at;
  const { columns: numbers, texts, rows } = readNumbers(scanner, names.length, comma, report);
  const wanted = names.map((_, j) => j).filter((j) => texts[j] || codes.includes(j));
  scanner.at = below;
  const strings = wanted.length ? readTexts(scanner, wanted, names.length, rows) : [];
  /** @type {Column[]} */
  const columns = names.map((name, j) => ({ name, kind: "numeric", values: numbers[j], texts: null }));
  wanted.forEach((j, place) => Object.assign(columns[j], typeTexts(strings[place])));
  if (looksLikeValues(columns)) throw new Declined("header");
  if (unnamed) columns[0].rowNames = true;
  if (looksTransposed(columns)) throw new Declined("orientation");
  return { columns, rows };
}
