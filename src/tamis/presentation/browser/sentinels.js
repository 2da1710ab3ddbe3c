// Values that stand for something else, as -999 for missing: columns/numbers.py.
import { findMedian, formatNumber, NumberFacts } from "./number_facts.js";

/** @typedef {import("./tallies.js").NumberTally} NumberTally */
/** @typedef {{ value: number, count: number, obvious: boolean, place: string }} Sentinel */

const {
  ANSWER_CODES, ANSWER_COLUMNS, ANSWER_GAP, FAR_BELOW, FAR_BELOW_NINES, FAR_FROM_ZERO, FAR_IN_SPREADS, FAR_WITHOUT_CODE, FAR_ZERO,
  GRADES, HUGE, INTEGER_LIMITS, LEAST_DIGIT, LEAST_OFTEN, MANY_VALUES, MAX_GROUP, MIN_REPEATS, MIN_REST, ODD_FAR, OFTEN,
  OFTEN_BELOW, SPIKE, SPIKE_OF_FEW, SUPPORTED, TWO_ANSWERS,
} = RULES.sentinels;
const FAR = "far from the rest";

/** @type {(tally: NumberTally, supported?: Set<number>) => Sentinel[]} */
export function findSentinels(tally, supported = new Set()) {
  const { lowest, highest } = tally;
  const high = findAtEnd(tally, highest, lowest, [], supported);
  const low = findAtEnd(tally, lowest, highest, high, supported);
  // What is missing at one end does not make the values at the other end seem near.
  return [...low, ...(low.some((one) => one.obvious) ? findAtEnd(tally, highest, lowest, low, supported) : high)];
}

// The values that are obvious in two columns or more, and codes of answers that are odd in three.
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

  // Whether the values cannot be measurements.
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

  // How the values stand apart, where they may be measurements; nothing if they do not.
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

  // Whether 8 or 9 follow grades without a gap, such as 1 to 5, which are not mostly 1.
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

// Whether a value is written with nines only, two or more: -9.9, 99, -999.
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

// Whether a value comes more often than the others do, as a rule.
/** @type {(count: number, rest: NumberFacts) => boolean} */
function isSpike(count, rest) {
  const squares = rest.counts.reduce((sum, one) => sum + one * one, 0);
  return count >= (SPIKE * squares) / rest.total || (rest.filled < SPIKE_OF_FEW[0] * count && rest.distinct > SPIKE_OF_FEW[1]);
}

// Whether a value may be the far end of a skewed column.
/** @type {(value: number, rest: NumberFacts) => boolean} */
function isTail(value, rest) {
  if (value === 0 || value < rest.smallest) return false;
  return rest.quantile(0.5) - rest.smallest < RULES.kinds.MAX_EARLY * rest.spread;
}
