// What the counts of a column of numbers say: columns/tally.py.

/** @typedef {import("./tallies.js").NumberTally} NumberTally */

const { MIN_DISTINCT_SHARE, MAJORITY } = RULES.kinds;

/** @type {(a: number, b: number) => number} */
function divideOut(a, b) {
  let [large, small] = [a, b];
  while (small) [large, small] = [small, large % small];
  return large;
}

/** Values in rising order with their counts, as if some at the ends were missing. */
export class NumberFacts {
  /** @param {NumberTally} tally @param {number[]} without */
  constructor(tally, without = []) {
    const removed = new Set(without);
    const known = new Map([...tally.highest, ...tally.lowest]);
    const there = Array.from(tally.values, (_, i) => i).filter((i) => !removed.has(tally.values[i]));
    const all = there.length === tally.values.length;
    this.values = all ? tally.values : Float64Array.from(there, (i) => tally.values[i]);
    this.counts = all ? tally.counts : Float64Array.from(there, (i) => tally.counts[i]);
    this.total = this.counts.reduce((sum, count) => sum + count, 0);
    this.top = this.counts.reduce((most, count) => Math.max(most, count), 0);
    this.whole = tally.whole;
    this.filled = tally.filled - [...removed].reduce((sum, value) => sum + (known.get(value) ?? 0), 0);
    this.distinct = Math.max(tally.distinct - [...removed].filter((value) => known.has(value)).length, 0);
    this.smallest = [...tally.lowest.keys()].find((value) => !removed.has(value)) ?? NaN;
    this.largest = [...tally.highest.keys()].find((value) => !removed.has(value)) ?? NaN;
    this.zeros = removed.has(0) ? 0 : tally.zeros;
    this.integers = tally.integers
      || (removed.size > 0 && tally.whole && this.values.every((value) => value === Math.round(value)));
  }

  get spread() { return this.largest - this.smallest; }

  // Whether no value comes twice, as far as the different values are known.
  get allDiffer() { return this.top <= 1 && this.distinct >= MIN_DISTINCT_SHARE * this.filled; }

  // Whether most values come equally often, and none more often: as in a panel.
  get evenlyRepeated() {
    const often = this.counts.reduce((sum, count) => sum + Number(count === this.top), 0);
    return this.whole && this.top >= 2 && often >= MAJORITY * this.counts.length;
  }

  // The largest number of which all distances of integers are multiples.
  get step() {
    if (!this.integers || this.spread >= 2 ** 53 || this.values.length < 2) return 1;
    let found = 0;
    for (let i = 1; i < this.values.length && found !== 1; i++) {
      found = divideOut(found, this.values[i] - this.values[i - 1]);
    }
    return found;
  }

  /** @param {number} share */
  quantile(share) {
    let sum = 0;
    const place = this.counts.findIndex((count) => (sum += count) >= share * this.total);
    return this.values[place < 0 ? this.values.length - 1 : place];
  }
}

/** @param {Float64Array} values */
export function findMedian(values) {
  const sorted = values.slice().sort();
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

// A number with up to 15 digits, as Python's format .15g.
/** @param {number} value */
export function formatNumber(value) {
  const [digits, exponent] = value.toExponential(14).split("e");
  const power = Number(exponent);
  if (power >= -5 + 1 && power < 15) return String(Number(value.toPrecision(15)));
  const sign = power < 0 ? "-" : "+";
  return `${digits.replace(/\.?0+$/, "")}e${sign}${String(Math.abs(power)).padStart(2, "0")}`;
}
