// A table written as numbers: categories as columns of 0 and 1, extreme values drawn in, rows in
// blocks (statistics/encoding.py, scaled_source.py; run/candidates.py).
import { findLimits, sampleRows } from "./clipping.js";
import { Declined } from "./decline.js";
import { encodeLevels } from "./levels.js";
import { addNumbers, addTexts, dealRows, finishHashes, startSums } from "./row_hashes.js";

const { MIN_COUNT_COLUMNS, MIN_REPEAT_SHARE, MIN_SPARSE_SHARE, MIN_ZERO_SHARE, MISSING_LEVEL, OTHER_LEVEL } = RULES.kinds;
const { USUAL_MAX_MISSING } = RULES.search;

// Write the columns as numbers; those that are mostly missing are skipped, with the reason.
/** @type {(columns: ReadColumn[], rows: number, report: Progress) => EncodedTable} */
export function encodeTable(columns, rows, report) {
  checkCounts(columns);
  /** @type {Map<string, string>} */
  const skipped = new Map();
  const first = encodeColumns(columns, rows, report);
  const empty = first.filter(({ missing, why, levels }) => !why && missing > USUAL_MAX_MISSING * rows && !areTicks(levels));
  const drops = empty.length > 0 && columns.length - empty.length >= 2;
  if (drops) {
    const why = `more than ${100 * USUAL_MAX_MISSING}% missing, --max-missing 1 analyses them`;
    empty.forEach(({ column }) => skipped.set(column.name, why));
  }
  const left = drops ? columns.filter(({ name }) => !skipped.has(name)) : columns;
  const encoded = drops ? encodeColumns(left, rows, report) : first;
  encoded.forEach(({ column, why }) => { if (why) skipped.set(column.name, why); });
  const used = encoded.filter(({ why }) => !why);
  if (used.length < 2) throw new Declined("keys");
  return { used, skipped, blocks: findBlocks(left, used, rows), rows };
}

// Whether there is one text or nothing: a box that is ticked, or is not.
/** @param {string[] | null} levels */
const areTicks = (levels) => levels !== null && levels.length === 2 && levels[1] === MISSING_LEVEL && levels[0] !== OTHER_LEVEL;

/** @type {(columns: ReadColumn[], rows: number, report: Progress) => EncodedColumn[]} */
function encodeColumns(columns, rows, report) {
  const numbers = columns.filter(({ values }) => values);
  const sample = sampleRows(numbers, rows);
  return columns.map((column, j) => {
    if (j % 16 === 0) report("reading the columns", j / columns.length);
    if (column.texts) {
      const { indicators, names, why, absent } = encodeLevels(column.texts, rows);
      return { column, values: indicators, levels: names, why, missing: absent, limits: null, tail: 1, clipped: 0 };
    }
    const values = /** @type {Float64Array} */ (column.values);
    const { limits, tail } = findLimits(values, sample);
    let [missing, clipped] = [0, 0];
    const drawn = values.map((value) => {
      if (value !== value) missing += 1;
      if (!limits || !(value < limits[0] || value > limits[1])) return value;
      clipped += 1;
      return value < limits[0] ? limits[0] : limits[1];
    });
    return { column, values: [drawn], levels: null, why: "", missing, limits, tail, clipped };
  });
}

// The block of every row. Rows are equal as they were where any are texts, else as they are analysed.
/** @type {(columns: ReadColumn[], used: EncodedColumn[], rows: number) => Uint8Array} */
function findBlocks(columns, used, rows) {
  const sums = startSums(rows);
  const mixed = columns.some(({ texts }) => texts);
  if (mixed) {
    columns.forEach(({ name, values, texts }) => {
      if (texts) addTexts(sums, texts.codes, texts.levels, name);
      else addNumbers(sums, /** @type {Float64Array} */ (values), name);
    });
  } else used.forEach(({ column, values }) => addNumbers(sums, values[0], column.name));
  return dealRows(finishHashes(sums), used.flatMap(({ column: { name }, values, levels }) =>
    values.map((own, i) => ({ name: levels && i ? `${name}=${levels[i]}` : name, values: own }))));
}

// Decline a table of sparse counts, which are analysed as logarithms, and what describes its rows is not.
/** @param {ReadColumn[]} columns */
function checkCounts(columns) {
  const numbers = columns.filter(({ values }) => values);
  let [known, zeros, sparse, repeated] = [0, 0, 0, 0];
  for (const { values } of numbers) {
    let [own, none, most] = [0, 0, 0];
    for (const value of /** @type {Float64Array} */ (values)) {
      if (value !== value) continue;
      if (value < 0 || value !== Math.round(value)) {
        none = 0;
        break;
      }
      own += 1;
      if (value === 0) none += 1;
      if (value > most) most = value;
    }
    if (2 * none <= own) continue;
    sparse += 1;
    known += own;
    zeros += none;
    if (most > 1) repeated += 1;
  }
  const are = sparse >= Math.max(MIN_COUNT_COLUMNS, MIN_SPARSE_SHARE * numbers.length) && zeros >= MIN_ZERO_SHARE * known
    && repeated >= MIN_REPEAT_SHARE * sparse;
  if (are) throw new Declined("counts");
}
