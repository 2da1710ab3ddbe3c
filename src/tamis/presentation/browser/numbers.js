// What a column of numbers is, and which of its values stand for something else: columns/numbers.py,
// where functions of the same names say more.
import { formatCount } from "../page/text.js";
import { listWords, namesArea, namesCodes, namesCounter, namesGrades, namesIdentifier, namesManyCodes, namesPlace, namesPlural, namesQuantity, namesSubject } from "./name_words.js";
import { areDateNumbers } from "./written.js";

const {
  ALMOST_DISTINCT, CHANCE_OF_EQUAL, DENSE, EQUAL_PAIRS_BY_CHANCE, EVEN_KEYS, FINE_SECOND_RANGE, FIRST_DATE_NUMBER,
  FIRST_NAMED_YEAR, LARGE_COUNT, LARGEST_COUNT, LONG_SCALE, MAJORITY, MAX_CODES, MAX_CODE_SPREAD, MAX_EARLY, MIN_DISTINCT_SHARE, MIN_FILLED_SHARE,
  MIN_ID_DIGITS, MIN_KEYS, MIN_KEY_ROWS, MIN_SPIKED_VALUES, MIN_SPIKE_SHARE, MIN_SPIKE_TIMES,
  MAX_NAMED_CODES, MIN_COUNTS, MIN_GRADES, NEARLY_CONSTANT, PLACED, ROWS_PER_CODE, ROWS_PER_NAMED_CODE, ROWS_PER_VALUE, SECOND_RANGE, USUAL_ZEROS, YEAR_RANGE: [FIRST_YEAR, LAST_YEAR],
} = RULES.kinds;
const { COUNT_STARTS, COUNT_WORDS, PERCENT_WORDS, ROW_NAME_WORDS, SHARE_WORDS, TIME_WORDS, VISIT_WORDS } = RULES.names;
const {
  ANSWER_CODES, ANSWER_COLUMNS, ANSWER_GAP, FAR_BELOW, FAR_BELOW_NINES, FAR_FROM_ZERO, FAR_IN_SPREADS, FAR_WITHOUT_CODE, FAR_ZERO,
  GRADES, HUGE, INTEGER_LIMITS, LEAST_DIGIT, LEAST_OFTEN, MANY_VALUES, MAX_GROUP, MIN_REPEATS, MIN_REST, ODD_FAR, OFTEN,
  OFTEN_BELOW, SPIKE, SPIKE_OF_FEW, SUPPORTED, TWO_ANSWERS,
} = RULES.sentinels;

/** @typedef {import("./tallies.js").NumberTally} NumberTally */

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

  get allDiffer() { return this.top <= 1 && this.distinct >= MIN_DISTINCT_SHARE * this.filled; }

  get evenlyRepeated() {
    const often = this.counts.reduce((sum, count) => sum + Number(count === this.top), 0);
    return this.whole && this.top >= 2 && often >= MAJORITY * this.counts.length;
  }

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

/** @param {NumberFacts} facts */
const areYears = (facts) => facts.smallest >= FIRST_YEAR && facts.largest <= LAST_YEAR;

/** @type {(name: string, facts: NumberFacts) => [kind: string, why: string] | null} */
export function findNumberKey(name, facts) {
  if (facts.distinct > 1 && ROW_NAME_WORDS.includes(listWords(name).join(""))) {
    // Names such as 1978.1 and 1978.10 are one number.
    const close = !facts.integers && facts.distinct > ALMOST_DISTINCT * facts.filled;
    if (facts.allDiffer || close) return ["identifier", "names of the rows"];
  }
  if (!facts.integers || facts.distinct < 2) return null;
  if (areMoments(name, facts)) return ["date", "dates or times written as numbers"];
  const [named, n] = [namesIdentifier(name), facts.filled];
  const counted = `${formatCount(facts.distinct)} values in ${formatCount(n)} rows`;
  if (namesArea(name) && facts.distinct > n / ROWS_PER_CODE) return ["key", `codes of places, ${counted}`];
  /** @type {[kind: string, why: string] | null} */
  const coded = facts.smallest >= 0 && facts.distinct > MAX_NAMED_CODES && namesManyCodes(name) ? ["key", `codes by the name, ${counted}`] : null;
  if (facts.allDiffer) return findKeyOfDistinct(name, facts, named) ?? coded;
  if (facts.distinct >= MIN_KEYS && (named || repeatsNames(name, facts))) {
    return ["key", `identifier that repeats, ${counted}`];
  }
  if (namesPlace(name) && startsAgain(facts)) {
    return ["key", `running number that starts again, up to ${formatCount(facts.largest)}`];
  }
  if (facts.distinct > ALMOST_DISTINCT * n && n >= MIN_KEY_ROWS && facts.step === 1) {
    const expected = (n * n) / (2 * Math.max(facts.spread, 1));
    if (expected > EQUAL_PAIRS_BY_CHANCE && n - facts.distinct < expected / CHANCE_OF_EQUAL) {
      return ["key", `almost all integers of a short range, ${formatCount(facts.distinct)} in ${formatCount(n)} rows`];
    }
  }
  return coded;
}

/** @type {(name: string, facts: NumberFacts) => boolean} */
function repeatsNames(name, facts) {
  if (namesSubject(name)) return facts.evenlyRepeated || !mayBeCounts(facts);
  return facts.distinct >= EVEN_KEYS && facts.smallest > 1 && facts.evenlyRepeated && namesCounter(name);
}

/** @param {NumberFacts} facts */
function startsAgain(facts) {
  const first = (facts.smallest === 0 || facts.smallest === 1) && facts.spread === facts.distinct - 1;
  const falls = facts.whole && facts.distinct >= MIN_KEYS
    && facts.counts.every((count, i) => i === 0 || count <= facts.counts[i - 1]);
  return first && falls && facts.quantile(0.5) >= PLACED * facts.largest;
}

/** @type {(name: string, facts: NumberFacts, named: boolean) => [kind: string, why: string] | null} */
function findKeyOfDistinct(name, facts, named) {
  const [n, { step }] = [facts.filled, facts];
  const steps = facts.spread / step;
  const dense = n >= MIN_KEY_ROWS && step === 1 && steps <= DENSE * (n - 1);
  const dated = dense || listWords(name).some((word) => VISIT_WORDS.has(word));
  if (n >= MIN_KEY_ROWS && dated && areYears(facts)) return ["key", "a year for each row"];
  const range = `from ${formatCount(facts.smallest)} to ${formatCount(facts.largest)}`;
  if (!named && namesQuantity(name)) return null;
  if (dense) {
    return ["identifier", steps === n - 1 ? `every integer ${range} once` : `most integers ${range}, none twice`];
  }
  if ((named || namesCounter(name)) && n >= 3) return ["identifier", `identifier, ${formatCount(n)} different integers`];
  if (n >= MIN_KEY_ROWS && steps > n - 1 && haveLongDigits(facts)) {
    return ["identifier", `identifier, ${formatCount(n)} different integers with many digits`];
  }
  if (n >= MIN_KEY_ROWS && steps > n - 1 && (n * n) / (2 * steps) > EQUAL_PAIRS_BY_CHANCE) {
    return ["identifier", `${formatCount(n)} different integers ${range}`];
  }
  return null;
}

/** @param {NumberFacts} facts */
function haveLongDigits({ smallest, largest }) {
  const [first, last] = [smallest, largest].map((value) => BigInt(Math.round(value)).toString().length);
  return smallest > 0 && first >= MIN_ID_DIGITS && first === last;
}

/** @type {(name: string, facts: NumberFacts) => boolean} */
function areMoments(name, facts) {
  if (facts.smallest >= FIRST_DATE_NUMBER && areDateNumbers(facts.values)) return true;
  const timed = listWords(name).some((word) => TIME_WORDS.has(word));
  const seconds = [SECOND_RANGE, FINE_SECOND_RANGE].some(([low, high]) => low <= facts.smallest && facts.largest <= high);
  return timed && facts.distinct > 2 && seconds;
}

/** @type {(name: string, facts: NumberFacts) => string} */
export function findNumberKind(name, facts) {
  const words = listWords(name);
  if (!facts.integers) {
    const percent = name.includes("%") || words.some((word) => PERCENT_WORDS.has(word));
    const most = percent ? 100 : words.some((word) => SHARE_WORDS.has(word)) ? 1 : -1;
    return facts.smallest >= 0 && facts.largest <= most ? "share" : "number";
  }
  if (facts.distinct === 2 || namesArea(name)) return "category";
  const counted = words.some((word) => COUNT_WORDS.has(word)) || (words.length > 1 && COUNT_STARTS.has(words[0]));
  if (counted && facts.smallest >= 0) return "count";
  if (namesCodes(name) && (facts.distinct <= MAX_CODES || areManyCodes(facts))) return "category";
  if (areFewIntegers(facts) && namesGrades(name) && areGraded(facts)) return "ordinal code";
  return areCounts(name, facts) ? "count" : "number";
}

/** @param {NumberFacts} facts */
const areFewIntegers = (facts) => facts.integers && facts.distinct > 2 && facts.distinct <= MAX_CODES
  && facts.spread <= MAX_CODE_SPREAD && facts.smallest >= 0;

/** @param {NumberFacts} facts */
export const mayBeCodes = (facts) =>
  areFewIntegers(facts) && (facts.smallest === 1 || (facts.smallest === 0 && facts.largest === 2));

/** @param {NumberFacts} facts */
const areGraded = (facts) => facts.spread === facts.distinct - 1 && facts.filled >= ROWS_PER_VALUE * facts.distinct
  && (facts.smallest === 1 || (facts.smallest === LONG_SCALE[0] && facts.largest === LONG_SCALE[1]));

// The ends of a scale of answers, as a text; null if values are no such scale.
/** @param {NumberFacts | null} facts */
export const findScale = (facts) =>
  (facts && areFewIntegers(facts) && facts.distinct >= MIN_GRADES && areGraded(facts) ? `${facts.smallest} ${facts.largest}` : null);

/** @param {NumberFacts} facts */
const areManyCodes = (facts) =>
  facts.distinct <= MAX_NAMED_CODES && facts.smallest >= 0 && facts.filled >= ROWS_PER_NAMED_CODE * facts.distinct;

/** @type {(name: string, facts: NumberFacts) => boolean} */
const areCounts = (name, facts) =>
  facts.distinct >= MIN_COUNTS && mayBeCounts(facts) && facts.largest <= LARGEST_COUNT && !namesQuantity(name) && namesPlural(name) && haveThinEnd(facts) && facts.zeros >= USUAL_ZEROS * facts.top;

/** @param {NumberFacts} facts */
function haveThinEnd({ values, counts, largest }) {
  const half = 0.5 * counts.reduce((sum, count, i) => sum + (values[i] > 0 ? count : 0), 0);
  let sum = 0;
  const middle = values[counts.findIndex((count, i) => values[i] > 0 && (sum += count) >= half)];
  return middle <= MAX_EARLY * largest + 1;
}

/** @param {NumberFacts} facts */
function mayBeCounts(facts) {
  const first = facts.values.findIndex((value) => value > 0);
  if (facts.smallest < 0 || facts.smallest > 1 || first < 0) return false;
  const [values, counts] = [facts.values.subarray(first), facts.counts.subarray(first)];
  const half = 0.5 * counts.reduce((sum, count) => sum + count, 0);
  let sum = 0;
  const middle = values[counts.findIndex((count) => (sum += count) >= half)];
  const dense = values.filter((value) => value <= middle).length >= 0.5 * middle;
  return middle <= LARGE_COUNT && dense && facts.quantile(0.5) - facts.smallest <= MAX_EARLY * facts.spread;
}

/** @type {(facts: NumberFacts, rows: number) => string[]} */
export function listNumberBadges(facts, rows) {
  const found = [];
  if (facts.integers && facts.distinct > 2 && areYears(facts) && facts.smallest >= FIRST_NAMED_YEAR) found.push("years");
  const grid = facts.integers && facts.distinct > MAX_CODES && facts.allDiffer && facts.step > 1;
  if (grid && facts.spread / facts.step <= facts.filled - 1) found.push("evenly spaced");
  found.push(...listSpikes(facts));
  if (rows && facts.filled < MIN_FILLED_SHARE * rows) found.push("mostly missing");
  return found;
}

/** @param {NumberFacts} facts */
function listSpikes(facts) {
  const { top } = facts;
  if (facts.distinct > 1 && top >= NEARLY_CONSTANT * facts.filled) return ["nearly constant"];
  if (!facts.whole || facts.integers || facts.distinct <= MIN_SPIKED_VALUES) return [];
  const most = facts.values[facts.counts.indexOf(top)];
  if (most === 0 || top < MIN_SPIKE_SHARE * facts.filled || top < MIN_SPIKE_TIMES * findMedian(facts.counts)) return [];
  const end = most === facts.smallest ? ", the smallest" : most === facts.largest ? ", the largest" : "";
  return [`${formatNumber(most)} (${formatCount(top)} times${end})`];
}

/** @typedef {{ value: number, count: number, obvious: boolean, place: string }} Sentinel */

const FAR = "far from the rest";

/** @type {(tally: NumberTally, supported?: Set<number>) => Sentinel[]} */
export function findSentinels(tally, supported = new Set()) {
  const { lowest, highest } = tally;
  const high = findAtEnd(tally, highest, lowest, [], supported);
  const low = findAtEnd(tally, lowest, highest, high, supported);
  // What is missing at one end does not make the values at the other end seem near.
  return [...low, ...(low.some((one) => one.obvious) ? findAtEnd(tally, highest, lowest, low, supported) : high)];
}

/** @param {Sentinel[][]} found */
export function shareSentinels(found) {
  /** @type {(obvious: boolean) => Map<number, number>} */
  const count = (obvious) => {
    const times = new Map();
    found.flat().filter((one) => one.obvious === obvious).forEach(({ value }) => times.set(value, (times.get(value) ?? 0) + 1));
    return times;
  };
  const odd = count(false);
  return new Set([
    ...[...ANSWER_CODES].filter((value) => (odd.get(value) ?? 0) >= ANSWER_COLUMNS),
    ...[...count(true)].filter(([, times]) => times >= 2).map(([value]) => value),
  ]);
}

/** @type {(tally: NumberTally, ends: Map<number, number>, others: Map<number, number>, known: Sentinel[], supported: Set<number>) => Sentinel[]} */
function findAtEnd(tally, ends, others, known, supported) {
  const removed = known.filter((one) => one.obvious).map((one) => one.value);
  const outer = [...ends.keys()].filter((value) => !removed.includes(value));
  const other = [...others.keys()].find((value) => !removed.includes(value)) ?? 0;
  const least = supported.has(outer[0]) ? 1 : 2; // of the values that are left
  for (let size = 1; size <= Math.min(MAX_GROUP, outer.length - least); size++) {
    const values = outer.slice(0, size);
    const gap = Math.abs(values[size - 1] - outer[size]);
    const near = gap < ODD_FAR * Math.abs(outer[size] - other);
    const coded = (values[size - 1] < 0 && outer[size] >= 0) || supported.has(values[0]) || ANSWER_CODES.has(values[0]);
    if (near && !coded) continue;
    const group = new EndGroup(values, values.map((value) => ends.get(value) ?? 0), gap, new NumberFacts(tally, [...values, ...removed]));
    const obvious = group.isObvious(supported);
    const place = obvious ? FAR : group.findOddity();
    const these = place ? values.map((value, i) => ({ value, count: group.counts[i], obvious, place })) : [];
    if (obvious) return [...these, ...findAtEnd(tally, ends, others, [...known, ...these], supported)];
    if (place) return these;
  }
  return [];
}

/** Values at one end of a column, outermost first, a gap away from the rest. */
class EndGroup {
  /** @param {number[]} values @param {number[]} counts @param {number} gap @param {NumberFacts} rest */
  constructor(values, counts, gap, rest) {
    this.values = values;
    this.counts = counts;
    this.gap = gap;
    this.rest = rest;
    this.spread = rest.spread || Math.max(Math.abs(rest.smallest), 1);
    this.below = values[0] < 0 && rest.smallest >= 0;
    const often = Math.min(...counts) >= MIN_REPEATS && counts.reduce((a, b) => a + b, 0) >= LEAST_OFTEN * rest.filled;
    this.enough = often && rest.filled >= MIN_REPEATS;
  }

  /** @param {Set<number>} supported */
  isObvious(supported) {
    const { values, rest, gap, spread, below, enough } = this;
    const habit = values.every((value) => supported.has(value));
    if (habit && (below || gap >= (enough ? SUPPORTED : ODD_FAR) * spread)) return true;
    if (values.includes(0) || !enough || rest.distinct < 2) return false;
    const coded = values.every((value) => isCode(value, rest, values[0]));
    if (coded && gap >= (below ? FAR_BELOW : FAR_IN_SPREADS) * spread) return true;
    if (values.length > 1 || rest.distinct < MIN_REST) return false;
    const nines = areNines(values[0]);
    if (below && nines && gap >= FAR_BELOW_NINES[Number(rest.integers)] * spread) return true;
    const far = coded && nines ? FAR_BELOW : FAR_WITHOUT_CODE;
    const many = rest.distinct >= MANY_VALUES && this.counts[0] >= OFTEN * findMedian(rest.counts);
    return many && gap >= far * spread && !isTail(values[0], rest);
  }

  findOddity() {
    const { values, rest, gap, spread } = this;
    const alone = values.length === 1;
    if (alone && values[0] === 0) {
      const counts = rest.integers && rest.smallest < FAR_FROM_ZERO;
      const far = (this.enough ? FAR_ZERO : FAR_IN_SPREADS) * spread;
      return rest.distinct >= MIN_REST && gap >= far && !counts ? FAR : "";
    }
    if (!this.enough) return "";
    if (this.areAnswers()) return `apart from ${formatNumber(rest.smallest)} to ${formatNumber(rest.largest)}`;
    if (!alone || rest.distinct < MIN_REST) return "";
    const coded = isCode(values[0], rest, values[0]);
    const apart = gap >= ODD_FAR * spread && isSpike(this.counts[0], rest);
    if (apart && (coded || !isTail(values[0], rest))) return FAR;
    const often = this.counts[0] >= OFTEN_BELOW * findMedian(rest.counts);
    return often && this.below ? "the only negative value" : "";
  }

  areAnswers() {
    const { values, rest } = this;
    const graded = rest.integers && (rest.smallest === 0 || rest.smallest === 1) && rest.spread === rest.distinct - 1;
    const few = rest.distinct >= GRADES[0] && rest.largest <= GRADES[1];
    const codes = values.every((value) => ANSWER_CODES.has(value)) && this.gap >= ANSWER_GAP;
    const answers = [rest.smallest, rest.largest].every((value, i) => value === TWO_ANSWERS[i]); // yes and no, before 9
    if (answers && values[0] === 9) return graded && codes;
    return graded && few && codes && !isTail(values[0], rest);
  }
}

/** @param {number} value */
const areNines = (value) => /^9{2,}$/.test(formatNumber(Math.abs(value)).replace(".", ""));

/** @type {(value: number, rest: NumberFacts, first: number) => boolean} */
function isCode(value, rest, first) {
  if (INTEGER_LIMITS.includes(value) || Math.abs(value) >= HUGE) return true;
  const digits = String(Math.abs(value)).replace(".", "");
  if (value !== Math.round(value)) return areNines(value) && Math.abs(value) >= 10;
  if (digits.length >= 2 && "89".includes(digits[0])) {
    return new RegExp(`^${digits[0]}+[6789]$`).test(digits);
  }
  if (value >= 0) return /^7{2,}$/.test(digits) && first === Number("9".repeat(digits.length));
  if (digits.length === 1) return rest.integers && rest.smallest >= 0 && first <= LEAST_DIGIT;
  return digits.length >= 3 && /^.0+$/.test(digits);
}

/** @type {(count: number, rest: NumberFacts) => boolean} */
function isSpike(count, rest) {
  const squares = rest.counts.reduce((sum, one) => sum + one * one, 0);
  return count >= (SPIKE * squares) / rest.total || (rest.filled < SPIKE_OF_FEW[0] * count && rest.distinct > SPIKE_OF_FEW[1]);
}

/** @type {(value: number, rest: NumberFacts) => boolean} */
function isTail(value, rest) {
  if (value === 0 || value < rest.smallest) return false;
  return rest.quantile(0.5) - rest.smallest < RULES.kinds.MAX_EARLY * rest.spread;
}
