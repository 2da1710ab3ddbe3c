// A hash of every row that follows from its values and the names of its columns, and the blocks of
// rows, as statistics/row_hash.py, numerics/hashing.py and hashlib's BLAKE2b make them. Numbers of 64
// bits are pairs of 32: JavaScript has no fast integers of 64.
import { fillAlone } from "./fills.js";

const { BY_CHANCE, CODE_ROWS, FINE, MOST_CODED, MOST_DEALT, N_BLOCKS } = RULES.search;

/** The high and the low half of the last product. */
export const product = new Uint32Array(2);

// The product of two numbers modulo 2^64.
/** @type {(aHigh: number, aLow: number, bHigh: number, bLow: number) => void} */
export function multiply64(aHigh, aLow, bHigh, bLow) {
  const a0 = aLow & 0xffff;
  const a1 = aLow >>> 16;
  const b0 = bLow & 0xffff;
  const b1 = bLow >>> 16;
  const low = a0 * b0;
  const middle = a1 * b0 + (low >>> 16);
  const other = a0 * b1 + (middle & 0xffff);
  const carried = a1 * b1 + Math.floor(middle / 0x10000) + Math.floor(other / 0x10000);
  product[1] = (other << 16) | (low & 0xffff);
  product[0] = carried + Math.imul(aHigh, bLow) + Math.imul(aLow, bHigh);
}

// The last steps of SplitMix64 on every pair of halves, in place.
/** @type {(high: Uint32Array, low: Uint32Array) => void} */
export function hashBits(high, low) {
  for (let i = 0; i < high.length; i++) {
    let h = high[i];
    let l = low[i];
    multiply64(h ^ (h >>> 30), l ^ ((h << 2) | (l >>> 30)), 0xbf58476d, 0x1ce4e5b9);
    h = product[0];
    l = product[1];
    multiply64(h ^ (h >>> 27), l ^ ((h << 5) | (l >>> 27)), 0x94d049bb, 0x133111eb);
    h = product[0];
    l = product[1];
    high[i] = h ^ (h >>> 31);
    low[i] = l ^ ((h << 1) | (l >>> 31));
  }
}

// BLAKE2b of eight bytes (RFC 7693), which separates names and texts apart on every machine.
const ORDERS = [
  "0123456789abcdef", "ea489fd61c02b753", "b8c052fdae367194", "7931dcbe265a40f8",
  "905724afe1bc683d", "2c6a0b834d75fe19", "c51fed4a0763928b", "db7ec13950f4862a",
  "6fe9b308c2d714a5", "a2847615fb9e3cd0", "0123456789abcdef", "ea489fd61c02b753",
].map((order) => Array.from(order, (digit) => parseInt(digit, 16)));
const START = [
  0x6a09e667f3bcc908n, 0xbb67ae8584caa73bn, 0x3c6ef372fe94f82bn, 0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n, 0x9b05688c2b3e6c1fn, 0x1f83d9abfb41bd6bn, 0x5be0cd19137e2179n,
];
const MIXED = [
  [0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15],
  [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14],
];
const ALL_BITS = 0xffffffffffffffffn;

/** @type {(value: bigint, by: bigint) => bigint} */
const rotate = (value, by) => (value >> by) | ((value << (64n - by)) & ALL_BITS);

/** @type {(state: bigint[], words: bigint[], count: bigint, last: boolean) => void} */
function compress(state, words, count, last) {
  const v = [...state, ...START];
  v[12] ^= count;
  if (last) v[14] ^= ALL_BITS;
  for (const order of ORDERS) {
    MIXED.forEach(([a, b, c, d], place) => {
      [[32n, 24n], [16n, 63n]].forEach(([first, second], half) => {
        v[a] = (v[a] + v[b] + words[order[2 * place + half]]) & ALL_BITS;
        v[d] = rotate(v[d] ^ v[a], first);
        v[c] = (v[c] + v[d]) & ALL_BITS;
        v[b] = rotate(v[b] ^ v[c], second);
      });
    });
  }
  state.forEach((_, i) => { state[i] ^= v[i] ^ v[i + 8]; });
}

// The digest of a text as its high and low half.
/** @type {(text: string) => [number, number]} */
function digestText(text) {
  const bytes = new TextEncoder().encode(text);
  const state = [...START];
  state[0] ^= 0x01010008n;
  for (let start = 0; start === 0 || start < bytes.length; start += 128) {
    const block = new Uint8Array(128);
    block.set(bytes.subarray(start, start + 128));
    const view = new DataView(block.buffer);
    const words = Array.from({ length: 16 }, (_, i) => view.getBigUint64(8 * i, true));
    const end = Math.min(start + 128, bytes.length);
    compress(state, words, BigInt(end), end === bytes.length);
  }
  return [Number(state[0] >> 32n), Number(state[0] & 0xffffffffn)];
}

const NAN_HIGH = 0x7ff80000;

/** @typedef {{ high: Uint32Array, low: Uint32Array }} Sums of the bits of every row, as halves, which columns add to */

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

// The places of hashes in rising order; equal ones stay as they are.
/** @param {Sums} hashes */
export const sortHashes = ({ high, low }) =>
  Uint32Array.from(high, (_, i) => i).sort((a, b) => high[a] - high[b] || low[a] - low[b] || a - b);

/** @type {(hashes: Sums, columns: { name: string, values: Float64Array }[]) => Uint8Array} */
export function dealRows({ high, low }, columns) {
  const count = high.length;
  const order = sortHashes({ high, low });
  /** @type {Uint32Array[]} */
  const equal = [];
  for (let start = 0, end = 1; start < count; start = end, end += 1) {
    while (end < count && high[order[end]] === high[order[start]] && low[order[end]] === low[order[start]]) end += 1;
    equal.push(order.subarray(start, end));
  }
  const small = count < columns.length || count * columns.length <= MOST_DEALT;
  if (!small && equal.length > MOST_CODED) {
    const carried = 2 ** 32 % N_BLOCKS;
    return Uint8Array.from(high, (half, row) => ((half % N_BLOCKS) * carried + (low[row] % N_BLOCKS)) % N_BLOCKS);
  }
  const filled = columns.map(({ name, values }) => ({ name, values: fillAlone(values) }));
  rankRows(filled, equal, { high, low });
  const spread = areCodes(filled, equal, count);
  const blocks = new Uint8Array(count);
  shuffle(equal.length).forEach((rank, turn) => {
    equal[rank].forEach((row, copy) => { blocks[row] = (turn + (spread ? copy : 0)) % N_BLOCKS; });
  });
  return blocks;
}

// The numbers below a count in an order that is always the same.
/** @param {number} count */
function shuffle(count) {
  const sums = startSums(count);
  for (let i = 0; i < count; i++) {
    multiply64(0, i + 1, 0x9e3779b9, 0x7f4a7c15);
    addProduct(sums, i);
  }
  return sortHashes(finishHashes(sums));
}

/** @type {(columns: { name: string, values: Float64Array }[], equal: Uint32Array[], hashes: Sums) => void} */
function rankRows(columns, equal, { high, low }) {
  const [sums, named] = [new Float64Array(high.length), new Float64Array(high.length)];
  columns.forEach(({ name, values }) => {
    const [least, most] = values.reduce(([from, to], value) => [Math.min(from, value), Math.max(to, value)], [Infinity, -Infinity]);
    const [upper, lower] = digestText(name);
    const share = equal.reduce((sum, [row]) => sum + (values[row] - least), 0) / equal.length / (most - least);
    const range = share > 0.5 ? least - most : most - least;
    const weight = (1 + Math.min(share, 1 - share)) / range;
    const own = (0.5 + ((upper >>> 0) * 2 ** 32 + ((lower | 1) >>> 0)) / 2 ** 64) / range;
    if (!Number.isFinite(weight) || !Number.isFinite(own)) return;
    values.forEach((value, row) => {
      sums[row] += (value - least) * weight;
      named[row] += (value - least) * own;
    });
  });
  const least = sums.reduce((from, sum) => Math.min(from, sum), Infinity);
  const largest = sums.reduce((most, sum) => Math.max(most, sum - least), 0) || 1;
  const places = sums.map((sum) => Math.round(((sum - least) / largest) * FINE)); // what is rounding is a tie
  equal.sort(([a], [b]) => places[a] - places[b] || named[a] - named[b] || high[a] - high[b] || low[a] - low[b]);
}

/** @type {(columns: { values: Float64Array }[], equal: Uint32Array[], count: number) => boolean} */
function areCodes(columns, equal, count) {
  if (equal.length === count || equal.length === 1 || equal.length * columns.length > MOST_DEALT) return false;
  const tallies = columns.map(({ values }) => {
    const tally = new Map();
    equal.forEach((rows) => tally.set(values[rows[0]], (tally.get(values[rows[0]]) ?? 0) + rows.length));
    return [...tally.values()];
  });
  if (tallies.some(({ length }) => length ** 2 > count)) return false;
  if (CODE_ROWS * equal.length <= count) return true;
  const chance = tallies.reduce((sum, sizes) => sum + Math.log(sizes.reduce((all, size) => all + (size / count) ** 2, 0)), 0);
  const pairs = equal.reduce((sum, { length }) => sum + length * (length - 1), 0);
  return Math.exp(chance) * count ** 2 >= BY_CHANCE * pairs;
}
