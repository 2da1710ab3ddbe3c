// What a column of numbers is: columns/numbers.py.
import { formatCount } from "../page/text.js";
import { areDateNumbers } from "./dates.js";
import { listWords, namesArea, namesCodes, namesCounter, namesIdentifier, namesPlace, namesSubject } from "./name_words.js";
import { findMedian, formatNumber } from "./number_facts.js";

/** @typedef {import("./number_facts.js").NumberFacts} NumberFacts */

const {
  ALMOST_DISTINCT, CHANCE_OF_EQUAL, DENSE, EQUAL_PAIRS_BY_CHANCE, EVEN_KEYS, FINE_SECOND_RANGE, FIRST_DATE_NUMBER, FIRST_NAMED_YEAR,
  LARGE_COUNT, MAX_CODES, MAX_CODE_SPREAD, MAX_EARLY, MIN_FILLED_SHARE, MIN_ID_DIGITS, MIN_KEYS, MIN_KEY_ROWS, MIN_SPIKED_VALUES,
  MIN_SPIKE_SHARE, MIN_SPIKE_TIMES, MIN_THIN_ROWS, MIN_THIN_VALUES, MOSTLY_ZERO, NEARLY_CONSTANT, PLACED, ROWS_PER_CODE,
  SECOND_RANGE, THIN, YEAR_RANGE: [FIRST_YEAR, LAST_YEAR],
} = RULES.kinds;
const { COUNT_STARTS, COUNT_WORDS, PERCENT_WORDS, ROW_NAME_WORDS, SHARE_WORDS, TIME_WORDS } = RULES.names;

/** @param {NumberFacts} facts */
const areYears = (facts) => facts.smallest >= FIRST_YEAR && facts.largest <= LAST_YEAR;

// Whether integers number or name the rows, and how that shows; null for values.
/** @type {(name: string, facts: NumberFacts) => [kind: string, why: string] | null} */
export function findNumberKey(name, facts) {
  if (facts.allDiffer && facts.distinct > 1 && ROW_NAME_WORDS.includes(listWords(name).join(""))) return ["identifier", "names of the rows"];
  if (!facts.integers || facts.distinct < 2) return null;
  if (areMoments(name, facts)) return ["date", "dates or times written as numbers"];
  const [named, n] = [namesIdentifier(name), facts.filled];
  const counted = `${formatCount(facts.distinct)} values in ${formatCount(n)} rows`;
  if (namesArea(name) && facts.distinct > n / ROWS_PER_CODE) return ["key", `codes of places, ${counted}`];
  if (facts.allDiffer) return findKeyOfDistinct(name, facts, named);
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
  return null;
}

// Whether integers name subjects that come again, or rows of another table.
/** @type {(name: string, facts: NumberFacts) => boolean} */
function repeatsNames(name, facts) {
  if (namesSubject(name)) return facts.evenlyRepeated || !areCounts(facts);
  return facts.distinct >= EVEN_KEYS && facts.smallest > 1 && facts.evenlyRepeated && namesCounter(name);
}

// Whether integers number the rows of each formatCount: no value is more frequent than a smaller one.
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
  if (n >= MIN_KEY_ROWS && step === 1 && steps <= DENSE * (n - 1)) {
    if (areYears(facts)) return ["key", "a year for each row"];
    return ["identifier", "row number or rank, every integer of a range once"];
  }
  if ((named || namesCounter(name)) && n >= 3) return ["identifier", `identifier, ${formatCount(n)} different integers`];
  if (n >= MIN_KEY_ROWS && steps > n - 1 && haveLongDigits(facts)) {
    return ["identifier", `identifier, ${formatCount(n)} different integers with many digits`];
  }
  if (n >= MIN_KEY_ROWS && steps > n - 1 && (n * n) / (2 * steps) > EQUAL_PAIRS_BY_CHANCE) {
    return ["identifier", `identifier, ${formatCount(n)} different integers in a short range`];
  }
  return null;
}

// Whether all integers have the same number of digits, more than a measurement has.
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

// What values are; "number" where it could be several things.
/** @type {(name: string, facts: NumberFacts) => string} */
export function findNumberKind(name, facts) {
  const words = listWords(name);
  if (!facts.integers) {
    const within = facts.smallest >= 0 && facts.largest <= 1;
    const touches = facts.zeros > 1 && facts.largest === 1 && facts.counts[facts.counts.length - 1] > 1;
    const percent = (name.includes("%") || words.some((word) => PERCENT_WORDS.has(word)))
      && facts.smallest >= 0 && facts.largest <= 100;
    return percent || (within && (touches || words.some((word) => SHARE_WORDS.has(word)))) ? "share" : "number";
  }
  if (facts.distinct === 2 || namesArea(name)) return "category";
  const counted = words.some((word) => COUNT_WORDS.has(word)) || (words.length > 1 && COUNT_STARTS.has(words[0]));
  if (namesCodes(name) && facts.distinct <= MAX_CODES && !counted) return "category";
  if (facts.smallest < 0 || areYears(facts)) return "number";
  if (facts.distinct <= MAX_CODES && facts.spread <= MAX_CODE_SPREAD) return findSmallKind(facts, counted);
  return counted || areCounts(facts) ? "count" : "number";
}

// Whether integers begin at 0 or 1, are mostly small, and dense above 0.
/** @param {NumberFacts} facts */
function areCounts(facts) {
  const first = facts.values.findIndex((value) => value > 0);
  if (facts.smallest > 1 || first < 0) return false;
  const [values, counts] = [facts.values.subarray(first), facts.counts.subarray(first)];
  const half = 0.5 * counts.reduce((sum, count) => sum + count, 0);
  let sum = 0;
  const middle = values[counts.findIndex((count) => (sum += count) >= half)];
  const dense = values.filter((value) => value <= middle).length >= 0.5 * middle;
  return middle <= LARGE_COUNT && dense && facts.quantile(0.5) - facts.smallest <= MAX_EARLY * facts.spread;
}

// Separate grades from counts: counts are mostly 0, or have a thin end.
/** @type {(facts: NumberFacts, counted: boolean) => string} */
function findSmallKind(facts, counted) {
  if (counted || facts.zeros > MOSTLY_ZERO * facts.filled) return "count";
  const few = facts.filled < MIN_THIN_ROWS || facts.distinct < MIN_THIN_VALUES;
  const thin = !few && facts.counts[facts.counts.length - 1] < THIN * facts.total;
  if (facts.smallest > 1 && facts.spread !== facts.distinct - 1) return "number";
  return thin && facts.smallest <= 1 ? "count" : "ordinal code";
}

// What is odd about values.
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

// A value that comes far more often than others: filled in, or a limit of detection.
/** @param {NumberFacts} facts */
function listSpikes(facts) {
  const { top } = facts;
  if (facts.distinct > 1 && top >= NEARLY_CONSTANT * facts.filled) return ["nearly constant"];
  if (!facts.whole || facts.integers || facts.distinct <= MIN_SPIKED_VALUES) return [];
  const most = facts.values[facts.counts.indexOf(top)];
  if (most === 0 || top < MIN_SPIKE_SHARE * facts.filled || top < MIN_SPIKE_TIMES * findMedian(facts.counts)) return [];
  const end = most === facts.smallest ? ", the smallest" : most === facts.largest ? ", the largest" : "";
  return [`${formatNumber(most)} ${formatCount(top)} times${end}`];
}
