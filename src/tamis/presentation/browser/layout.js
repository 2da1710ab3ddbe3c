// Whether a text table is plain: names in its first line, rows below, nothing else. The rules are
// those of sources/text_layout.py; a table that Python reads otherwise is declined.
import { Declined } from "./decline.js";
import {
  countMark, countTotals, findSeparator, isBlank, isMissing, isNumber, isRow, joinQuoted, splitCells, unquote,
} from "./text_lines.js";

const { ALIKE, LEAST_ROWS, MOST_TITLES, LAYOUT_LETTERS, LAYOUT_ROWS, SEPARATORS } = RULES.tables;

/** @type {(lines: string[], mark: string) => number} */
function shareAlike(lines, mark) {
  /** @type {Map<number, number>} */
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
  /** @type {Map<number, number>} */
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
