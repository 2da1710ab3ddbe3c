// The columns that are analysed, as they are read: marks and sentinels missing, keys set aside
// (run/prepare.py, sources/marked.py).
import { parseAmount } from "./amounts.js";
import { Declined } from "./decline.js";
import { matchAll } from "./rules.js";

const PLAIN_NUMBER = matchAll(RULES.texts.PLAIN_NUMBER);
const { LARGEST_SUMMABLE } = RULES.tolerances;

/** @type {(texts: TextColumn, judged: Judgement) => Float64Array} */
function readNumbers({ codes, levels }, { marks, decimal }) {
  const removed = new Set(marks);
  const bare = levels.map((level) => level.trim());
  const there = bare.filter((text) => text && !removed.has(text));
  const plain = decimal === "." && there.every((text) => PLAIN_NUMBER.test(text));
  const values = bare.map((text) => {
    if (!text || removed.has(text)) return NaN;
    return plain ? Number(text) : parseAmount(text, decimal);
  });
  return Float64Array.from(codes, (code) => (code < 0 ? NaN : values[code]));
}

/** @type {(values: Float64Array, absent: number[]) => Float64Array} */
function dropAbsent(values, absent) {
  if (!absent.length) return values;
  const removed = new Set(absent);
  return values.map((value) => (removed.has(value) ? NaN : value));
}

// Texts without those that stand for no value; where there are any, blanks do as well.
/** @type {(texts: TextColumn, marks: string[]) => TextColumn} */
function dropMarks(texts, marks) {
  if (!marks.length) return texts;
  const removed = new Set(["", ...marks]);
  /** @type {string[]} */
  const levels = [];
  const places = texts.levels.map((level) => (removed.has(level.trim()) ? -1 : levels.push(level) - 1));
  return { levels, codes: texts.codes.map((code) => (code < 0 ? -1 : places[code])) };
}

/** @param {Float64Array} values */
function checkSize(values) {
  for (let row = 0; row < values.length; row++) {
    if (Math.abs(values[row]) > LARGEST_SUMMABLE) throw new Declined("infinite");
  }
}

// Give the columns that are analysed; what is skipped is in the judgements already.
/** @type {(table: TextTable, judged: Judgement[]) => ReadColumn[]} */
export function readColumns({ columns }, judged) {
  /** @type {ReadColumn[]} */
  const read = [];
  columns.forEach((column, place) => {
    const one = judged[place];
    if (one.action === "skipped" || column.kind === "other" || column.rowNames) return;
    if (column.kind === "text" && !one.decimal) {
      read.push({ name: column.name, place, values: null, texts: dropMarks(/** @type {TextColumn} */ (column.texts), one.marks) });
      return;
    }
    const numbers = column.kind === "text" && column.texts ? readNumbers(column.texts, one) : column.values;
    const values = dropAbsent(/** @type {Float64Array} */ (numbers), one.absent);
    checkSize(values);
    read.push({ name: column.name, place, values, texts: null });
  });
  if (read.length < 2) throw new Declined("keys");
  return read;
}
