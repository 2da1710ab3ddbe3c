// Lines within a table that are no rows, the header once more and subtotals: sources/text_form.py.
import { Declined } from "./decline.js";
import { matchAll } from "./rules.js";
import { isBlank, isNumber, joinQuoted, splitCells } from "./text_lines.js";

const { FIRST_CELLS, LAYOUT_ROWS, MAX_TRIED_LINES, MIN_SUBTOTALS, SUBTOTAL_WORD } = RULES.tables;
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
