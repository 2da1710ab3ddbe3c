// Extreme values drawn in, and how heavy tails are: statistics/clipping.py.
import { measureSpread } from "./fills.js";
import { findMedian } from "./number_facts.js";
import { addNumbers, finishHashes, startSums } from "./row_hashes.js";

const {
  CLIP_DEVIATIONS, HEAVY_TAIL, LEAST_SAMPLE_ROWS, MAX_SAMPLE_VALUES, MOST_SAMPLE_ROWS, NORMAL_KURTOSIS, STD_PER_MAD,
} = RULES.search;

// The rows that are sampled: those with the smallest hashes; null for all.
/** @type {(columns: ReadColumn[], rows: number) => Uint32Array | null} */
export function sampleRows(columns, rows) {
  const most = Math.min(Math.max(Math.floor(MAX_SAMPLE_VALUES / Math.max(columns.length, 1)), LEAST_SAMPLE_ROWS), MOST_SAMPLE_ROWS);
  if (rows <= most) return null;
  const sums = startSums(rows);
  columns.forEach(({ values, name }) => { if (values) addNumbers(sums, values, name); });
  const { high, low } = finishHashes(sums);
  return Uint32Array.from({ length: rows }, (_, row) => row)
    .sort((a, b) => high[a] - high[b] || low[a] - low[b] || a - b).slice(0, most);
}

// The limits of a column with heavy tails, null where nothing is drawn in, and how heavy tails are.
/** @type {(values: Float64Array, sample: Uint32Array | null) => { limits: [number, number] | null, tail: number }} */
export function findLimits(values, sample) {
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

// The kurtosis of a column over that of a normal distribution, at least 1.
/** @param {Float64Array} values */
function measureTail(values) {
  const { mean, variance } = measureSpread(values);
  if (!(variance > 0)) return 1;
  let fourth = 0;
  for (const value of values) fourth += ((value - mean) ** 2 / variance) ** 2;
  return Math.max(fourth / values.length / NORMAL_KURTOSIS, 1);
}
