// The analysed columns as they are read, then as numbers: categories as columns of 0 and 1, extreme
// values drawn in, rows in blocks (run/front.py, sources/marked.py, statistics/encoding.py,
// clipping.py, scaled_source.py; run/candidates.py).
import { formatCount } from "../page/text.js";
import { Declined } from "./decline.js";
import { measureSpread } from "./fills.js";
import { addNumbers, addTexts, dealRows, finishHashes, sortHashes, startSums } from "./hashes.js";
import { findMedian } from "./numbers.js";
import { matchAll, parseAmount } from "./written.js";

const {
  MAX_CODES, MAX_LEVELS, MAX_UNIT_RATIO, MIN_COUNT_COLUMNS, MIN_DOUBT_COLUMNS, MIN_DOUBT_ZEROS, MIN_LARGE_SHARE,
  MIN_LEVEL_ROWS, MIN_LEVEL_SHARE, MIN_REPEATED, MIN_REPEAT_SHARE, MIN_SPARSE_SHARE, MIN_ZERO_SHARE, MISSING_LEVEL, OTHER_LEVEL,
} = RULES.kinds;
const {
  CLIP_DEVIATIONS, HEAVY_TAIL, LEAST_SAMPLE_ROWS, MAX_HELD_CELLS, MAX_SAMPLE_VALUES, MOST_SAMPLE_ROWS, NORMAL_KURTOSIS, STD_PER_MAD,
  USUAL_MAX_MISSING,
} = RULES.search;
const { LARGEST_SUMMABLE } = RULES.tolerances;

const PLAIN_NUMBER = matchAll(RULES.texts.PLAIN_NUMBER);

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

// Texts without those that stand for no value, as blanks do.
/** @type {(texts: TextColumn, marks: string[]) => TextColumn} */
function dropMarks(texts, marks) {
  const removed = new Set(["", ...marks]);
  if (!texts.levels.some((level) => removed.has(level.trim()))) return texts;
  /** @type {string[]} */
  const levels = [];
  const places = texts.levels.map((level) => (removed.has(level.trim()) ? -1 : levels.push(level) - 1));
  return { levels, codes: texts.codes.map((code) => (code < 0 ? -1 : places[code])) };
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
    const numbers = /** @type {Float64Array} */ (column.kind === "text" && column.texts ? readNumbers(column.texts, one) : column.values);
    const absent = new Set(one.absent);
    const values = absent.size ? numbers.map((value) => (absent.has(value) ? NaN : value)) : numbers;
    if (values.some((value) => Math.abs(value) > LARGEST_SUMMABLE)) throw new Declined("infinite");
    read.push({ name: column.name, place, values, texts: null });
  });
  if (read.length < 2) throw new Declined("keys");
  return read;
}

/** @type {(counts: Map<string, number>, absent: number, rows: number) => { common: string[], pooled: boolean, missing: boolean }} */
function poolLevels(counts, absent, rows) {
  const least = Math.max(MIN_LEVEL_ROWS, MIN_LEVEL_SHARE * rows);
  if (counts.size <= 2 && !absent) return { common: [...counts.keys()].sort(), pooled: false, missing: false };
  const common = [...counts].filter(([, count]) => count >= least).map(([level]) => level).sort();
  const missing = absent >= least;
  const kept = new Set(common);
  let rest = missing ? 0 : absent;
  counts.forEach((count, level) => { if (!kept.has(level)) rest += count; });
  if (rest > 0 && rest < least && common.length + Number(missing) > 2) {
    const rarest = common.reduce((low, level) => ((counts.get(level) ?? 0) < (counts.get(low) ?? 0) ? level : low));
    common.splice(common.indexOf(rarest), 1);
  }
  return { common, pooled: rest > 0, missing };
}

// The columns of 0 and 1 that stand for a column of texts, or why there are none.
/** @type {(texts: TextColumn, rows: number) => { indicators: Float64Array[], names: string[], why: string, absent: number, rare: number, distinct: number }} */
function encodeLevels({ codes, levels }, rows) {
  const times = new Float64Array(levels.length);
  let absent = 0;
  for (const code of codes) if (code < 0) absent += 1; else times[code] += 1;
  const counts = new Map(levels.map((level, code) => [level, times[code]]));
  // Of a box that is ticked or not, what is missing is the other answer; else it is missing.
  const { common, pooled, missing } = poolLevels(counts, counts.size === 1 ? absent : 0, rows);
  const names = [...common, ...(pooled ? [OTHER_LEVEL] : []), ...(missing ? [MISSING_LEVEL] : [])];
  const nothing = { indicators: [], names: [], absent, rare: 0, distinct: counts.size };
  if (names.length < 2 && counts.size < 2) return { ...nothing, why: "constant" };
  if (names.length < 2 || (!common.length && 2 * counts.size > rows - absent)) {
    const more = counts.size > MAX_LEVELS ? "more than " : "";
    const shown = formatCount(Math.min(counts.size, MAX_LEVELS));
    return { ...nothing, why: `few rows for each value, ${more}${shown} distinct values in ${formatCount(rows - absent)} rows` };
  }
  const width = names.length === 2 ? 1 : names.length;
  const places = new Map(common.map((level, place) => [level, place]));
  const other = pooled ? common.length : names.length - 1;
  const place = levels.map((level) => places.get(level) ?? other);
  const indicators = Array.from({ length: width }, () => new Float64Array(rows));
  codes.forEach((code, row) => {
    if (code < 0 && !missing) indicators.forEach((one) => { one[row] = NaN; });
    else if (code < 0 ? names.length - 1 < width : place[code] < width) {
      indicators[code < 0 ? names.length - 1 : place[code]][row] = 1;
    }
  });
  return { indicators, names, why: "", absent, rare: pooled ? counts.size - common.length : 0, distinct: counts.size };
}

/** @param {number} width */
const countSampled = (width) =>
  Math.min(Math.max(Math.floor(MAX_SAMPLE_VALUES / Math.max(width, 1)), LEAST_SAMPLE_ROWS), MOST_SAMPLE_ROWS);

// The rows that are sampled: those with the smallest hashes; null for all.
/** @type {(columns: ReadColumn[], rows: number) => Uint32Array | null} */
function sampleRows(columns, rows) {
  const most = countSampled(columns.length);
  if (rows <= most) return null;
  const sums = startSums(rows);
  columns.forEach(({ values, name }) => { if (values) addNumbers(sums, values, name); });
  return sortHashes(finishHashes(sums)).slice(0, most);
}

/** @type {(values: Float64Array, sample: Uint32Array | null) => { limits: [number, number] | null, tail: number }} */
function findLimits(values, sample) {
  const rows = sample ? Float64Array.from(sample, (row) => values[row]) : values;
  const known = rows.filter((value) => value === value).sort();
  if (!known.length) return { limits: null, tail: 1 };
  const middle = findMedian(known);
  const apart = known.map((value) => Math.abs(value - middle)).sort();
  let deviation = STD_PER_MAD * findMedian(apart);
  if (deviation === 0 && apart[apart.length - 1] > 0) {
    deviation = STD_PER_MAD * findMedian(apart.subarray(apart.findIndex((one) => one > 0)));
  }
  const low = middle - CLIP_DEVIATIONS * deviation;
  const high = middle + CLIP_DEVIATIONS * deviation;
  const drawn = known.map((value) => Math.min(Math.max(value, low), high));
  const [first, last] = [known[0], known[known.length - 1]];
  const binary = known.every((value) => value === first || value === last);
  const limited = !binary && measureSpread(values).variance > HEAVY_TAIL * measureSpread(drawn).variance;
  return { limits: limited ? [low, high] : null, tail: measureTail(limited ? drawn : known) };
}

/** @param {Float64Array} values */
function measureTail(values) {
  const { mean, variance } = measureSpread(values);
  if (!(variance > 0)) return 1;
  let fourth = 0;
  for (const value of values) fourth += ((value - mean) ** 2 / variance) ** 2;
  return Math.max(fourth / values.length / NORMAL_KURTOSIS, 1);
}

// Write the columns as numbers; those that are mostly missing are skipped, with the reason.
/** @type {(columns: ReadColumn[], rows: number, report: Progress) => EncodedTable} */
export function encodeTable(columns, rows, report) {
  checkCounts(columns);
  const skipped = new Map();
  const first = encodeColumns(columns, rows, report);
  const empty = first.filter(({ missing, why, levels }) => !why && missing > USUAL_MAX_MISSING * rows
    && !(levels?.length === 2 && levels[1] === MISSING_LEVEL && levels[0] !== OTHER_LEVEL)); // a box that is ticked or not
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
  return { used, skipped, blocks: findBlocks(left, used, rows), rows, read: left };
}

// The table, or some rows of a large one of numbers, that is also judged with extreme values as they are.
/** @type {(table: EncodedTable, report: Progress) => EncodedTable | null} */
export function sampleTable(table, report) {
  const { read, used, rows } = table;
  if (rows * read.length <= MAX_HELD_CELLS) return table;
  const most = Math.floor(MAX_HELD_CELLS / read.length);
  if (most < LEAST_SAMPLE_ROWS || used.length < read.length || used.some(({ levels }) => levels)) return null;
  const sums = startSums(rows);
  read.forEach(({ values, name }) => { if (values) addNumbers(sums, values, name); });
  const some = sortHashes(finishHashes(sums)).slice(0, Math.min(most, countSampled(read.length)));
  const columns = read.map((column) => ({ ...column, values: column.values && Float64Array.from(some, (row) => /** @type {Float64Array} */ (column.values)[row]) }));
  const encoded = encodeColumns(columns, some.length, report);
  return { used: encoded, skipped: new Map(), blocks: findBlocks(columns, encoded, some.length), rows: some.length, read: columns };
}

// The table with extreme values as they are; the rows of a large one are put into blocks anew.
/** @type {(table: EncodedTable) => EncodedTable} */
export function leaveExtremes(table) {
  const used = table.used.map((one) => (one.levels ? one : { ...one, values: [/** @type {Float64Array} */ (one.column.values)], limits: null, tail: 1, clipped: 0 }));
  const small = table.rows * table.read.length <= MAX_HELD_CELLS;
  return { ...table, used, blocks: small ? table.blocks : findBlocks(table.read, used, table.rows) };
}

/** @type {(columns: ReadColumn[], rows: number, report: Progress) => EncodedColumn[]} */
function encodeColumns(columns, rows, report) {
  const numbers = columns.filter(({ values }) => values);
  const sample = sampleRows(numbers, rows);
  return columns.map((column, j) => {
    if (j % 16 === 0) report("reading the columns", j / columns.length);
    if (column.texts) {
      const { indicators, names, why, absent, rare, distinct } = encodeLevels(column.texts, rows);
      const pooled = rare > 1 ? `${formatCount(rare)} of ${formatCount(distinct)}` : "";
      return { column, values: indicators, levels: names, pooled, why, missing: absent, limits: null, tail: 1, clipped: 0 };
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
    return { column, values: [drawn], levels: null, pooled: "", why: "", missing, limits, tail, clipped };
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

// Decline a table of counts, or of what may be made of them: the command tries two scales. What describes their rows is not analysed.
/** @param {ReadColumn[]} columns */
function checkCounts(columns) {
  const found = columns.flatMap(({ values }) => (values ? [countZeros(values)] : []));
  const count = found.filter((one) => !one.below && !one.fractions && 2 * one.zeros > one.known);
  const are = count.length >= Math.max(MIN_COUNT_COLUMNS, MIN_SPARSE_SHARE * found.length) && lookLikeCounts(count, count.length);
  if (are || leaveDoubt(found, columns.length)) throw new Declined("counts");
}

/** @typedef {{ known: number, zeros: number, fractions: number, largest: number, below: boolean }} Zeros */

/** @type {(values: Float64Array) => Zeros} */
function countZeros(values) {
  const found = { known: 0, zeros: 0, fractions: 0, largest: 0, below: false };
  for (const value of values) {
    if (value !== value) continue;
    found.known += 1;
    if (value === 0) found.zeros += 1;
    if (value < 0) found.below = true;
    if (value !== Math.round(value)) found.fractions += 1;
    if (value > found.largest) found.largest = value;
  }
  return found;
}

/** @type {(found: Zeros[]) => number} */
const shareZeros = (found) => found.reduce((sum, one) => sum + one.zeros, 0) / Math.max(found.reduce((sum, one) => sum + one.known, 0), 1);

/** @type {(found: Zeros[], width: number) => boolean} */
const lookLikeCounts = (found, width) => shareZeros(found) >= MIN_ZERO_SHARE
  && found.filter(({ largest }) => largest > 1).length >= MIN_REPEAT_SHARE * width;

// Whether standardised columns may be worse: `CountEvidence.leave_doubt`.
/** @type {(found: Zeros[], width: number) => boolean} */
function leaveDoubt(found, width) {
  /** @type {(mark: (one: Zeros) => boolean) => number} */
  const share = (mark) => found.filter(mark).length / found.length;
  const sparse = share(({ zeros, known }) => 2 * zeros > known);
  if (found.length < Math.max(MIN_DOUBT_COLUMNS, MIN_SPARSE_SHARE * width) || found.some(({ below }) => below)) return false;
  if (Math.min(shareZeros(found), sparse) < MIN_DOUBT_ZEROS) return false;
  if (found.every(({ fractions }) => !fractions)) {
    const counted = share(({ largest }) => largest > 1) >= MIN_REPEATED && share(({ largest }) => largest > MAX_CODES) >= MIN_LARGE_SHARE;
    return counted || (sparse >= MIN_SPARSE_SHARE && lookLikeCounts(found, found.length));
  }
  const some = found.filter(({ largest }) => largest > 0).sort((a, b) => a.largest - b.largest);
  const [low, high] = [some[(some.length - 1) >> 1].largest, some[some.length >> 1].largest];
  return some.filter(({ fractions }) => fractions).length >= MIN_SPARSE_SHARE * some.length
    && some[some.length - 1].largest <= (MAX_UNIT_RATIO * (low + high)) / 2;
}
