// What is counted of a column, as columns/tally.py and sketch.py count it.
import { hashBits, multiply64, product } from "./hashes.js";
import { isKnownMark, isLimit, matchAll, Notation } from "./written.js";

const { DISTINCT_KEPT, MAX_DISTINCT_KEPT, MAX_EXTREMES, MAX_TEXT_LETTERS } = RULES.kinds;
const { MAX_ODD_TEXTS, MAX_UNITS } = RULES.texts;
const PLAIN_NUMBER = matchAll(RULES.texts.PLAIN_NUMBER);
const SURE_POINT = matchAll(RULES.texts.SURE_POINT);
const OPEN_POINT = matchAll(RULES.texts.OPEN_POINT);
const ALL_HASHES = 2 ** 64;

// How many different values are kept of each of so many columns.
/** @param {number} columns */
export const findRoom = (columns) =>
  Math.min(Math.max(Math.floor(MAX_DISTINCT_KEPT / Math.max(columns, 1)), DISTINCT_KEPT[0]), DISTINCT_KEPT[1]);

// The places of the `room` smallest hashes, in rising order of these, and how many there may be of all.
/** @type {(high: Uint32Array, low: Uint32Array, room: number) => { places: Uint32Array, distinct: number }} */
function sampleHashes(high, low, room) {
  // Hashes are spread evenly: most are above a limit that a few more than `room` are below.
  let few = high.map((_, i) => i);
  for (let wanted = 1.2 * room + 50; wanted < high.length; wanted *= 2) {
    const limit = (2 ** 32 * wanted) / high.length;
    const below = few.filter((i) => high[i] < limit);
    if (below.length >= room) {
      few = below;
      break;
    }
  }
  const places = few.sort((a, b) => high[a] - high[b] || low[a] - low[b]).slice(0, room);
  const last = places[room - 1];
  // As Python rounds a 64-bit integer to a float before it divides.
  const largest = (Number((BigInt(high[last]) << 32n) | BigInt(low[last])) + 1) / ALL_HASHES;
  return { places, distinct: roundEven((room - 1) / largest) };
}

/** @param {number} value */
function roundEven(value) {
  const low = Math.floor(value);
  if (value - low === 0.5) return low % 2 ? low + 1 : low;
  return Math.round(value);
}

/** Counts of a column of numbers: `values` in rising order, all or a sample of them. */
export class NumberTally {
  /** @param {Float64Array} sorted finite numbers in rising order @param {number} room */
  constructor(sorted, room) {
    this.filled = sorted.length;
    this.zeros = 0;
    this.integers = true;
    const values = new Float64Array(sorted.length);
    const counts = new Float64Array(sorted.length);
    let size = 0;
    for (let i = 0; i < sorted.length; i++) {
      const one = sorted[i];
      if (one === 0) this.zeros += 1;
      if (this.integers && one !== Math.round(one)) this.integers = false;
      if (size && values[size - 1] === one) counts[size - 1] += 1;
      else {
        values[size] = one + 0;
        counts[size++] = 1;
      }
    }
    this.values = values.subarray(0, size);
    this.counts = counts.subarray(0, size);
    this.lowest = this.listEnd(size, (i) => i);
    this.highest = this.listEnd(size, (i) => size - 1 - i);
    this.whole = size <= room;
    this.distinct = size;
    if (!this.whole) this.sample(room);
  }

  /** @type {(size: number, place: (i: number) => number) => Map<number, number>} */
  listEnd(size, place) {
    const count = Math.min(size, MAX_EXTREMES);
    return new Map(Array.from({ length: count }, (_, i) => [this.values[place(i)], this.counts[place(i)]]));
  }

  /** @param {number} room */
  sample(room) {
    const { values, counts } = this;
    const [high, low] = [new Uint32Array(values.length), new Uint32Array(values.length)];
    const halves = new Uint32Array(values.slice().buffer);
    for (let i = 0; i < values.length; i++) {
      const l = halves[2 * i];
      const h = halves[2 * i + 1];
      multiply64(h ^ (h >>> 29), l ^ ((h << 3) | (l >>> 29)), 0x9e3779b9, 0x7f4a7c15);
      multiply64(product[0], product[1] ^ product[0], 0xd6e8feb8, 0x6659fd93);
      high[i] = product[0];
      low[i] = product[1];
    }
    const { places, distinct } = sampleHashes(high, low, room);
    places.sort();
    this.distinct = Math.min(distinct, this.filled);
    this.values = Float64Array.from(places, (i) => values[i]);
    this.counts = Float64Array.from(places, (i) => counts[i]);
  }
}

// The values that are there, in rising order.
/** @param {Float64Array} values */
export function sortFinite(values) {
  const found = new Float64Array(values.length);
  let count = 0;
  for (let i = 0; i < values.length; i++) if (values[i] === values[i]) found[count++] = values[i];
  return found.subarray(0, count).sort();
}

/** Counts of a column of texts, among which may be numbers. */
export class TextTally {
  /** @param {TextColumn} column @param {number} room */
  constructor({ codes, levels }, room) {
    const times = new Float64Array(levels.length);
    for (const code of codes) if (code >= 0) times[code] += 1;
    this.filled = this.amounts = 0;
    this.marks = new Map();
    this.odd = new Map();
    this.limits = new Map(); // texts that say that a value is below or above a number
    this.notation = new Notation();
    this.mayBeNumbers = true;
    this.padded = this.coded = false;
    /** @type {string[]} */
    this.texts = [];
    /** @type {number[]} */
    this.counts = [];
    this.whole = true;
    this.distinct = 0;
    const bare = new Map();
    levels.forEach((level, code) => {
      const text = level.trim();
      if (text !== level) this.padded = true;
      if (text && times[code]) bare.set(text, (bare.get(text) ?? 0) + times[code]);
    });
    /** @type {number[]} */
    const numbers = [];
    bare.forEach((count, text) => this.add(text, count, numbers));
    this.numbers = new NumberTally(Float64Array.from(numbers).sort(), room);
    this.keep(bare, room);
  }

  /** @type {(text: string, count: number, numbers: number[]) => void} */
  add(text, count, numbers) {
    this.filled += count;
    if (!this.mayBeNumbers) return;
    if (PLAIN_NUMBER.test(text)) {
      if (/^0\d/.test(text)) this.coded = true;
      if (SURE_POINT.test(text)) this.notation.decimals.add(".");
      if (OPEN_POINT.test(text)) this.notation.either.add(".");
      for (let i = 0; i < count; i++) numbers.push(Number(text));
    } else if (isKnownMark(text)) this.marks.set(text, count);
    else {
      if (!this.notation.add(text)) this.odd.set(text, count);
      else {
        this.amounts += count;
        if (isLimit(text)) this.limits.set(text, count);
      }
      const few = Math.max(this.odd.size, this.limits.size) <= MAX_ODD_TEXTS;
      if (!few || this.notation.units.size > MAX_UNITS) this.mayBeNumbers = false;
    }
  }

  /** @type {(bare: Map<string, number>, room: number) => void} */
  keep(bare, room) {
    const cut = new Map();
    bare.forEach((count, text) => {
      const head = text.length > MAX_TEXT_LETTERS ? Array.from(text).slice(0, MAX_TEXT_LETTERS).join("") : text;
      cut.set(head, (cut.get(head) ?? 0) + count);
    });
    this.texts = [...cut.keys()];
    this.counts = [...cut.values()];
    this.whole = cut.size <= room;
    this.distinct = cut.size;
    if (this.whole) return;
    const { texts, counts } = this;
    const { high, low } = hashTexts(texts);
    const { places, distinct } = sampleHashes(high, low, room);
    this.distinct = Math.min(distinct, this.filled);
    this.texts = Array.from(places, (i) => texts[i]);
    this.counts = Array.from(places, (i) => counts[i]);
  }
}

// A polynomial in the bytes of every text, modulo 2^64.
/** @param {string[]} texts */
function hashTexts(texts) {
  const [high, low] = [new Uint32Array(texts.length), new Uint32Array(texts.length)];
  const encoder = new TextEncoder();
  texts.forEach((text, i) => {
    let [powerHigh, powerLow] = [0, 1];
    [high[i], low[i]] = [0x9e3779b9, 0x7f4a7c15];
    for (const byte of encoder.encode(text)) {
      multiply64(0, byte + 1, powerHigh, powerLow);
      const sum = low[i] + product[1];
      high[i] += product[0] + (sum > 0xffffffff ? 1 : 0);
      low[i] = sum;
      multiply64(powerHigh, powerLow, 0x100, 0x1b3);
      powerHigh = product[0];
      powerLow = product[1];
    }
  });
  hashBits(high, low);
  return { high, low };
}
