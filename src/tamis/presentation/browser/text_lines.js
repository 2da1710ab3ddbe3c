// Single lines of a text table, judged as sources/text_layout.py do.
import { matchAll } from "./rules.js";

const { CELLS_LOOKED_AT, FIRST_CELLS, LONGEST_NUMBER, SEPARATORS } = RULES.tables;
const WRITTEN_NUMBER = /^[-+]?(\p{Nd}[\p{Nd}.,' ]*|[.,]\p{Nd}+)([eE][-+]?\p{Nd}+)?%?$/u;
const NO_VALUE = matchAll(RULES.tables.NO_VALUE, "i");
const TOTAL = matchAll(RULES.tables.TOTAL, "i");
const STATISTIC = matchAll(RULES.tables.STATISTIC, "i");
const NOTE = new RegExp(`^((${RULES.tables.NOTE_WORDS})(?![\\p{L}\\p{N}_])|[*\\u00a9])`, "iu");
const CLOSING = /[^"]*(?:""[^"]*)*"(?!")/gy;

/** @param {string} text */
export const unquote = (text) => text.replaceAll(/"[^"]*"/g, "");
/** @type {(text: string, mark: string) => number} */
export const countMark = (text, mark) => text.split(mark).length - 1;

// Whether a row has separators at most; all usual ones if it is not known.
/** @type {(row: string, separator?: string) => boolean} */
export function isBlank(row, separator) {
  if (!/^[ \t,;|"\r\n\ufeff]*$/.test(row) || countMark(row, '"') % 2) return false;
  return separator === undefined || !splitCells(row, separator).some((cell) => cell.trim());
}

// Lines joined to rows: a line end in quotes is no end. Where the separator is not known, all usual ones count.
/** @type {(lines: string[], separator: string | null) => string[]} */
export function joinQuoted(lines, separator) {
  const opening = new RegExp(`(?:^|[${separator ?? SEPARATORS}])"`, "g");
  /** @type {string[]} */
  const rows = [];
  let inside = false;
  for (const line of lines) {
    const began = inside;
    let place = 0;
    for (;;) {
      const mark = inside ? CLOSING : opening;
      mark.lastIndex = place;
      if (!mark.test(line)) break;
      place = mark.lastIndex;
      inside = !inside;
    }
    if (began) rows[rows.length - 1] += `\n${line}`;
    else rows.push(line);
  }
  return rows;
}

/** @param {string} cell */
export function isNumber(cell) {
  const bare = cell.trim();
  return bare.length <= LONGEST_NUMBER && WRITTEN_NUMBER.test(bare);
}

/** @param {string} cell */
export function isMissing(cell) {
  const bare = cell.trim();
  return bare.length <= LONGEST_NUMBER && NO_VALUE.test(bare);
}

// Whether most cells are numbers, as in a row of values.
/** @param {string[]} cells */
export function isRow(cells) {
  const filled = cells.filter((cell) => cell.trim());
  return filled.filter(isNumber).length > filled.length / 2;
}

// The cells of a row, as Python's csv module reads it.
/** @type {(row: string, separator: string) => string[]} */
export function splitCells(row, separator) {
  /** @type {string[]} */
  const cells = [];
  let cell = "";
  let quoted = false;
  let fresh = true; // nothing of the cell was read yet
  for (let i = 0; i < row.length; i++) {
    const letter = row[i];
    if (quoted) {
      if (letter !== '"') cell += letter;
      else if (row[i + 1] === '"') { cell += '"'; i++; } else quoted = false;
    } else if (letter === separator) {
      cells.push(cell);
      cell = "";
      fresh = true;
      continue;
    } else if (letter === '"' && fresh) quoted = true;
    else cell += letter;
    fresh = false;
  }
  return row ? [...cells, cell] : [];
}

// How many lines at the end are sums of the rows, or notes below the table.
/** @type {(lines: string[], separator: string, width: number) => number} */
export function countTotals(lines, separator, width) {
  let kinds = [TOTAL, STATISTIC];
  let [count, totals] = countLast(lines, separator, width, kinds);
  if (!lines.slice(lines.length - count).some((line) => isTotal(splitCells(line, separator), [TOTAL]))) {
    kinds = [TOTAL];
    [count, totals] = countLast(lines, separator, width, kinds);
  }
  const above = lines.slice(0, lines.length - count);
  if (totals && above.some((line) => isTotal(splitCells(line, separator), kinds))) return 0;
  return above.length ? count : 0;
}

// How many of the last lines are no rows, and how many of them are of these kinds.
/** @type {(lines: string[], separator: string, width: number, kinds: RegExp[]) => [number, number]} */
function countLast(lines, separator, width, kinds) {
  let [count, totals] = [0, 0];
  for (const line of [...lines].reverse()) {
    const cells = isBlank(line, separator) ? [] : splitCells(line, separator);
    const total = cells.length === width && isTotal(cells, kinds);
    if (cells.length && !total && !isNote(cells, width)) break;
    count += 1;
    totals += Number(total);
  }
  return [count, totals];
}

/** @type {(cells: string[], kinds: RegExp[]) => boolean} */
const isTotal = (cells, kinds) => cells.slice(0, FIRST_CELLS).map((cell) => cell.trim())
  .some((cell) => cell.length <= LONGEST_NUMBER && kinds.some((kind) => kind.test(cell)));

/** @type {(cells: string[], width: number) => boolean} */
function isNote(cells, width) {
  const filled = cells.map((cell) => cell.trim()).filter(Boolean);
  if (width < 3 || filled.length !== 1 || !cells[0].trim() || isNumber(filled[0])) return false;
  return NOTE.test(filled[0]) || (cells.length === 1 && filled[0].includes(" "));
}

// The mark that splits the rows as it splits the header, and leaves most numbers.
/** @type {(header: string, below: string) => string} */
export function findSeparator(header, below) {
  const bare = unquote(header);
  const rows = unquote(below).split("\n").slice(0, CELLS_LOOKED_AT);
  const marks = [...SEPARATORS].filter((mark) => bare.includes(mark));
  /** @param {string} mark */
  const fit = (mark) => {
    const count = countMark(bare, mark);
    const alike = rows.filter((row) => countMark(row, mark) === count);
    const numbers = alike.flatMap((row) => row.split(mark))
      .filter((cell) => /^\s*-?\p{Nd}*[.,]?\p{Nd}+([eE][-+]?\p{Nd}+)?\s*$/u.test(cell)).length;
    return [alike.length, numbers, mark === "," ? 1 : 0, count];
  };
  return marks.map((mark) => ({ mark, fits: fit(mark) }))
    .reduce((best, one) => (isAbove(one.fits, best.fits) ? one : best), { mark: ",", fits: [-1] }).mark;
}

/** @type {(a: number[], b: number[]) => boolean} */
function isAbove(a, b) {
  const place = a.findIndex((value, i) => value !== b[i]);
  return place >= 0 && (b[place] === undefined || a[place] > b[place]);
}

// Whether numbers between separators other than commas are written 1,5 and never 1.5.
/** @type {(text: string, separator: string) => boolean} */
export function hasDecimalComma(text, separator) {
  if (separator === ",") return false;
  const edge = separator === "|" ? "\\|" : separator;
  const sure = `(?:\\d*%s(?!\\d{3}"?(?:${edge}|$))\\d+|(?:0\\d*|\\d{4,}|)%s\\d{3})`;
  /** @type {(mark: string, number: string) => boolean} */
  const has = (mark, number) =>
    new RegExp(`(?:^|${edge})"?-?${number.replaceAll("%s", mark)}"?(?:${edge}|$)`, "m").test(text);
  if (!has(",", "\\d*%s\\d+") || has("\\.", sure)) return false;
  return has(",", sure) || !has("\\.", "\\d*%s\\d+");
}
