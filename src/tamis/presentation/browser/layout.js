// Whether a text table is plain: names in its first line, rows below, nothing else. The rules are
// those of sources/text_layout.py, text_form.py, delimited.py and open.py; a table that Python reads
// otherwise is declined.
import { Declined } from "./decline.js";
import { matchAll } from "./written.js";

const {
  ALIKE, CELLS_LOOKED_AT, EVEN_GAP, EVEN_GAP_OF_ALL, FEWEST_COLUMNS, FEWEST_ROWS, FIRST_CELLS,
  HEADER_YEARS: [FIRST_YEAR, LAST_YEAR], IN_ORDER, LAYOUT_LETTERS, LAYOUT_ROWS, LEAST_NUMBERED, LEAST_ROWS, LONGEST_NUMBER,
  MAX_TEXTS, MAX_TRIED_LINES, MIN_ORDERED_NUMBERS, MIN_SUBTOTALS, MOST_TITLES, NAMES_LOOKED_AT, NAME_LETTERS_LOOKED_AT,
  N_HEADER_ROWS, SEPARATORS, SUBTOTAL_WORD,
} = RULES.tables;

const WRITTEN_NUMBER = /^[-+]?(\p{Nd}[\p{Nd}.,' ]*|[.,]\p{Nd}+)([eE][-+]?\p{Nd}+)?%?$/u;
const NO_VALUE = matchAll(RULES.tables.NO_VALUE, "i");
const TOTAL = matchAll(RULES.tables.TOTAL, "i");
const STATISTIC = matchAll(RULES.tables.STATISTIC, "i");
const NOTE = new RegExp(`^((${RULES.tables.NOTE_WORDS})(?![\\p{L}\\p{N}_])|[*\\u00a9])`, "iu");
const CLOSING = /[^"]*(?:""[^"]*)*"(?!")/gy;

/** @param {string} text */
const unquote = (text) => text.replaceAll(/"[^"]*"/g, "");
/** @type {(text: string, mark: string) => number} */
const countMark = (text, mark) => text.split(mark).length - 1;

/** @type {(row: string, separator?: string) => boolean} */
function isBlank(row, separator) {
  if (!/^[ \t,;|"\r\n\ufeff]*$/.test(row) || countMark(row, '"') % 2) return false;
  return separator === undefined || !splitCells(row, separator).some((cell) => cell.trim());
}

/** @type {(lines: string[], separator: string | null) => string[]} */
export function joinQuoted(lines, separator) {
  const opening = new RegExp(`(?:^|[${separator ?? SEPARATORS}])"`, "g");
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
function isNumber(cell) {
  const bare = cell.trim();
  return bare.length <= LONGEST_NUMBER && WRITTEN_NUMBER.test(bare);
}

/** @param {string} cell */
export function isMissing(cell) {
  const bare = cell.trim();
  return bare.length <= LONGEST_NUMBER && NO_VALUE.test(bare);
}

/** @param {string[]} cells */
function isRow(cells) {
  const filled = cells.filter((cell) => cell.trim());
  return filled.filter(isNumber).length > filled.length / 2;
}

// The cells of a row, as Python's csv module reads it.
/** @type {(row: string, separator: string) => string[]} */
export function splitCells(row, separator) {
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

/** @type {(lines: string[], separator: string, width: number) => number} */
function countTotals(lines, separator, width) {
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

/** @type {(lines: string[], mark: string) => number} */
function shareAlike(lines, mark) {
  const counts = new Map();
  for (const line of lines) {
    const count = countMark(line, mark);
    if (count) counts.set(count, (counts.get(count) ?? 0) + 1);
  }
  return counts.size ? Math.max(...counts.values()) / lines.length : 0;
}

/** @param {string[]} lines @returns {string | null} */
function findLayoutSeparator(lines) {
  const sample = lines.slice(0, LAYOUT_ROWS).map(unquote);
  const usual = findSeparator(lines[0], lines.slice(1).join("\n"));
  const marks = [usual, ...[...SEPARATORS].filter((mark) => mark !== usual)];
  const shares = marks.map((mark) => shareAlike(sample, mark));
  const best = shares.indexOf(Math.max(...shares));
  return shares[best] > 1 - ALIKE ? marks[best] : null;
}

/** @type {(lines: string[], separator: string) => boolean} */
function hasTitles(lines, separator) {
  const filled = lines.slice(0, LAYOUT_ROWS)
    .map((line) => splitCells(line, separator).filter((cell) => cell.trim()).length);
  const below = filled.slice(1).filter(Boolean);
  const usual = Math.max(0, ...below.filter((count, i) => below.indexOf(count) !== i));
  if (usual < 3 || filled[0] > usual / 2) return false;
  const first = filled.slice(0, MOST_TITLES).findIndex((count) => count > usual / 2);
  return first > 0 && !isRow(splitCells(lines[first], separator));
}

/** @type {(rows: string[][], place: number) => boolean} */
function isSecond(rows, place) {
  const below = rows.slice(place + 1);
  if (below.length < 2 || isRow(rows[place])) return false;
  const numeric = rows[0].map((_, j) => j).filter((j) => {
    const filled = below.filter((row) => j < row.length && !isMissing(row[j])).map((row) => row[j]);
    return filled.length > 1 && filled.filter(isNumber).length >= ALIKE * filled.length;
  });
  const cells = numeric.filter((j) => j < rows[place].length).map((j) => rows[place][j]);
  const texts = cells.filter((cell) => !isMissing(cell) && !isNumber(cell)).length;
  const numbers = cells.filter((cell) => isNumber(cell) && !isMissing(cell)).length;
  return texts >= Math.max(2, numeric.length / 2) && numbers <= (1 - ALIKE) * numeric.length;
}

/** @param {string[]} first */
function hasRepeatedNumbers(first) {
  const cells = first.map((cell) => cell.trim()).filter(Boolean);
  const numbers = cells.filter(isNumber);
  return numbers.length > cells.length / 2 && new Set(numbers).size < numbers.length;
}

/** @param {string[]} lines */
function takeSome(lines) {
  let count = 0;
  let room = 0;
  for (const line of lines.slice(0, LAYOUT_ROWS)) {
    count += 1;
    room += line.length;
    if (room > LAYOUT_LETTERS && count >= LEAST_ROWS) break;
  }
  return lines.slice(0, count);
}

// Decline a table that is not plain; `mark` is the separator that the file's suffix names.
/** @type {(lines: string[], mark: string | null) => void} */
export function checkLayout(lines, mark) {
  if (lines.length <= 2) return;
  const top = lines.slice(0, MOST_TITLES + 1).findIndex((line) => !isBlank(line));
  if (top !== 0 || /^([#%!]|\/\/)/.test(lines[0].replace(/^[\ufeff ]+/, ""))) throw new Declined("layout", "at the top");
  const separator = mark ?? findLayoutSeparator(takeSome(joinQuoted(lines, null)).filter((row) => !isBlank(row)));
  if (separator === null) throw new Declined("layout", "no separator");
  const joined = joinQuoted(lines, separator);
  const body = takeSome(joined);
  if (hasTitles(body, separator)) throw new Declined("layout", "a title");
  const rows = body.map((row) => splitCells(row, separator)).filter((cells) => cells.some((cell) => cell.trim()));
  if (hasRepeatedNumbers(rows[0])) throw new Declined("header");
  const odd = joined.findIndex((row) => row.replace(/^[\ufeff \r\n]+|[\ufeff \r\n]+$/g, "") && isBlank(row, separator));
  if (odd >= 0) throw new Declined("layout", `row ${odd + 1} is blank`);
  if (isSecond(rows, 1)) throw new Declined("layout", "line 2");
  const blank = rows[0].findIndex((name, j) => j && !name.trim() && !rows.slice(1).some((row) => row[j]?.trim()));
  if (blank > 0) throw new Declined("layout", `column ${blank + 1} is blank`);
}

// Decline a table with totals or notes below it; `lines` are the last ones.
/** @type {(lines: string[], separator: string) => void} */
export function checkEnd(lines, separator) {
  const widths = lines.slice(0, LAYOUT_ROWS).filter((line) => !isBlank(line, separator))
    .map((line) => splitCells(line, separator).length);
  const counts = new Map();
  widths.forEach((width) => counts.set(width, (counts.get(width) ?? 0) + 1));
  const most = Math.max(0, ...counts.values());
  const usual = [...counts].filter(([, count]) => count === most).map(([width]) => width);
  const said = lines.length > 2 && usual.some((width) => {
    const count = countTotals(lines, separator, width);
    return lines.slice(lines.length - count).some((line) => !isBlank(line, separator));
  });
  if (said) throw new Declined("layout", "totals or notes below the table");
}

const LF = 10;
const SUBTOTAL = matchAll(`(.{1,60}[^\\p{L}\\p{N}_])?${SUBTOTAL_WORD}([^\\p{L}\\p{N}_].{1,60})?`, "i");
const decoder = new TextDecoder();

// The lines that have some bytes.
/** @type {(bytes: Uint8Array, part: Uint8Array) => Generator<string>} */
function* listLinesWith(bytes, part) {
  const last = bytes.length - part.length;
  for (let at = bytes.indexOf(part[0]); at >= 0 && at <= last; at = bytes.indexOf(part[0], at + 1)) {
    if (!part.every((byte, i) => bytes[at + i] === byte)) continue;
    const start = bytes.lastIndexOf(LF, at) + 1;
    const found = bytes.indexOf(LF, at);
    const end = found < 0 ? bytes.length : found;
    yield decoder.decode(bytes.subarray(start, end)).replace(/\r+$/, "");
    at = end;
  }
}

/** @param {string[]} cells */
const isSubtotal = (cells) => cells.slice(0, FIRST_CELLS).some((cell) => SUBTOTAL.test(cell.trim()));
/** @param {string[]} cells */
const listBlanks = (cells) => cells.map((_, j) => j).filter((j) => !cells[j].trim());

/** @type {(bytes: Uint8Array, separator: string, rows: string[]) => boolean} */
function hasSubtotals(bytes, separator, rows) {
  /** @type {string[][]} */
  const found = [];
  let tried = 0;
  for (const line of listLinesWith(bytes, new TextEncoder().encode("otal"))) {
    if (tried++ > MAX_TRIED_LINES) return false;
    const cells = splitCells(line, separator);
    if (isSubtotal(cells)) found.push(cells);
  }
  if (found.length < MIN_SUBTOTALS || !found.every((cells) => cells.some(isNumber))) return false;
  const others = rows.map((row) => splitCells(row, separator)).filter((cells) => !isSubtotal(cells));
  const often = new Set(others.flatMap(listBlanks));
  return listBlanks(found[0]).some((j) => !often.has(j) && found.every((cells) => j < cells.length && !cells[j].trim()));
}

// Decline a table with such lines; `lines` are its first ones.
/** @type {(bytes: Uint8Array, lines: string[], separator: string) => void} */
export function checkInner(bytes, lines, separator) {
  let seen = 0;
  for (const line of listLinesWith(bytes, new TextEncoder().encode(lines[0]))) {
    if (line.replace(/^\ufeff/, "") === lines[0] && ++seen > 1) throw new Declined("layout", "the header again");
  }
  const rows = joinQuoted(lines, separator).slice(1, 1 + LAYOUT_ROWS).filter((row) => !isBlank(row, separator));
  if (hasSubtotals(bytes, separator, rows)) throw new Declined("layout", "subtotals");
}

const NUMBER = /^\s*[-+]?(\d[\d_]*\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$/;

/** @type {(value: number, column: Float64Array) => boolean} */
function fits(value, column) {
  let [low, high] = [Infinity, -Infinity];
  for (const one of column) {
    if (one < low) low = one;
    if (one > high) high = one;
  }
  return low <= high && low - (high - low) <= value && value <= high + (high - low);
}

/** @param {number[]} steps */
const areSpaced = (steps) => steps.length > 1 && steps[0] !== 0
  && steps.every((step) => Math.abs(step - steps[0]) <= EVEN_GAP + EVEN_GAP_OF_ALL * Math.abs(steps[0]));

/** @param {Column[]} columns */
export function looksLikeValues(columns) {
  const numeric = columns.filter(({ kind, values }) => kind === "numeric" && values?.some((value) => value === value));
  if (!numeric.length || !numeric.every(({ name }) => NUMBER.test(name))) return false;
  const first = numeric.map(({ name }) => Number(name.replaceAll("_", "")));
  const steps = first.slice(1).map((value, i) => value - first[i]);
  if (areSpaced(steps)) return false;
  const below = numeric.map(({ values }) => /** @type {Float64Array} */ (values).subarray(0, N_HEADER_ROWS));
  if (first.filter((value, i) => fits(value, below[i])).length / first.length < ALIKE) return false;
  const sign = Math.sign(steps[0]);
  const ordered = first.length > 1 && steps.every((step) => Math.sign(step) === sign);
  const years = first.every((value) => value === Math.round(value) && value >= FIRST_YEAR && value <= LAST_YEAR);
  if (!ordered || (first.length < MIN_ORDERED_NUMBERS && !years)) return true;
  let count = 0;
  for (let row = 0; row < below[0].length; row++) {
    count += Number(below.every((column, j) => j === 0 || (column[row] - below[j - 1][row]) * sign >= 0));
  }
  return count / below[0].length >= IN_ORDER;
}

const IDS = matchAll(RULES.tables.IDS);
const VARIABLES = matchAll(RULES.tables.VARIABLES, "i");
const OBSERVATIONS = matchAll(RULES.tables.OBSERVATIONS, "i");
const NUMBERED = matchAll(RULES.tables.NUMBERED);

/** @type {(names: string[], pattern: RegExp) => number} */
function shareOf(names, pattern) {
  const some = names.slice(0, NAMES_LOOKED_AT);
  return some.filter((name) => pattern.test(name.slice(0, NAME_LETTERS_LOOKED_AT))).length / Math.max(some.length, 1);
}

// Whether most names are one word or a few with a number: S1, S2, ...
/** @param {string[]} names */
function areNumbered(names) {
  const words = new Map();
  for (const name of names.slice(0, NAMES_LOOKED_AT)) {
    const word = NUMBERED.exec(name.slice(0, NAME_LETTERS_LOOKED_AT))?.[1];
    if (word !== undefined) words.set(word, (words.get(word) ?? 0) + 1);
  }
  const numbered = [...words.values()].filter((times) => times >= LEAST_NUMBERED).reduce((a, b) => a + b, 0);
  return numbered >= ALIKE * Math.min(names.length, NAMES_LOOKED_AT);
}

/** @param {Column[]} columns */
export function looksTransposed(columns) {
  const [first] = columns;
  if (columns.length <= FEWEST_COLUMNS || !(first.rowNames || first.kind === "text")) return false;
  /** @param {Column} column */
  const holdsNumbers = ({ kind, rowNames }) => !rowNames && (kind === "numeric" || kind === "boolean");
  const texts = columns.findIndex(holdsNumbers);
  if (texts < 0 || texts > MAX_TEXTS || columns.length - texts < FEWEST_COLUMNS) return false;
  const last = columns.map(holdsNumbers).lastIndexOf(true) + 1;
  const others = columns.slice(texts, last);
  if (columns.length - last > MAX_TEXTS || !others.every(holdsNumbers)) return false;
  const rows = listTexts(first);
  if (rows.length < FEWEST_ROWS || new Set(rows).size < rows.length) return false;
  const names = others.map(({ name }) => name);
  const observed = shareOf(names, OBSERVATIONS) >= ALIKE;
  if (last < columns.length && !observed && !areNumbered(names)) return false;
  if (shareOf(rows, IDS) >= ALIKE) return true;
  if (VARIABLES.test(first.name.trim())) return observed || areNumbered(names);
  return observed && shareOf(rows, OBSERVATIONS) < ALIKE;
}

/** @param {Column} column */
function listTexts({ texts, values }) {
  if (texts) {
    return Array.from(texts.codes.subarray(0, NAMES_LOOKED_AT)).filter((code) => code >= 0).map((code) => texts.levels[code]);
  }
  return Array.from(values ?? []).slice(0, NAMES_LOOKED_AT).filter((value) => value === value).map(String);
}
