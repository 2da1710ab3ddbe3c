// A hash of every row that follows from its values and the names of its columns, as
// statistics/row_hash.py makes it: rows of equal hash are held back together.
import { digestText, hashBits, multiply64, product } from "./hash64.js";

const NAN_HIGH = 0x7ff80000;

/**
 * Sums of the bits of every row, as halves, which columns add to.
 * @typedef {{ high: Uint32Array, low: Uint32Array }} Sums
 */
/** @param {number} rows @returns {Sums} */
export const startSums = (rows) => ({ high: new Uint32Array(rows), low: new Uint32Array(rows) });

/** @type {(sums: Sums, row: number) => void} */
function addProduct({ high, low }, row) {
  const sum = low[row] + product[1];
  low[row] = sum;
  high[row] += product[0] + (sum > 0xffffffff ? 1 : 0);
}

// Add a column of numbers; NaN where a value is missing.
/** @type {(sums: Sums, values: Float64Array, name: string) => void} */
export function addNumbers(sums, values, name) {
  const [factorHigh, digestLow] = digestText(name);
  const factorLow = digestLow | 1;
  const number = new Float64Array(1);
  const halves = new Uint32Array(number.buffer); // the low half comes first on every machine in use
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    number[0] = value + 0; // both zeros are alike
    const missing = value !== value;
    const high = missing ? NAN_HIGH : halves[1];
    const low = (missing ? 0 : halves[0]) ^ high;
    multiply64(high, low, factorHigh, factorLow);
    addProduct(sums, row);
  }
}

// Add a column of texts: `codes` are places in `levels`, -1 where a value is missing.
/** @type {(sums: Sums, codes: Int32Array, levels: string[], name: string) => void} */
export function addTexts(sums, codes, levels, name) {
  const [factorHigh, digestLow] = digestText(name);
  const factorLow = digestLow | 1;
  const digests = levels.map(digestText);
  for (let row = 0; row < codes.length; row++) {
    const [high, low] = codes[row] < 0 ? [NAN_HIGH, 0] : digests[codes[row]];
    multiply64(high, low, factorHigh, factorLow);
    addProduct(sums, row);
  }
}

// Turn sums into hashes, in place.
/** @param {Sums} sums */
export function finishHashes(sums) {
  hashBits(sums.high, sums.low);
  return sums;
}

// The block of every row.
/** @type {(hashes: Sums, count: number) => Uint8Array} */
export function numberBlocks({ high, low }, count) {
  const carried = 2 ** 32 % count;
  return Uint8Array.from(high, (half, row) => ((half % count) * carried + (low[row] % count)) % count);
}
