// What each column of a table is, and what is done with it: columns/judge.py.
import { listWords } from "./name_words.js";
import {
  findNumberKey, findNumberKind, findScale, findSentinels, formatNumber, listNumberBadges, mayBeCodes, NumberFacts, shareSentinels,
} from "./numbers.js";
import { findRoom, NumberTally, sortFinite, TextTally } from "./tallies.js";
import {
  countTimes, dropTexts, findDiffering, findMost, findNumberTexts, findTextKind, findUsualCount, listTextBadges, MAY_BE_KEY, quote, sayRepeats,
} from "./text_kinds.js";
import { findBlanks } from "./written.js";

/** @typedef {import("./text_kinds.js").NumberTexts} NumberTexts */

const { EVEN_KEYS, MAX_VISITS, MIN_KEY_ROWS, MIN_SCALES, MIN_TICKED_SHARE, MIN_TICKS } = RULES.kinds;
const { VISIT_WORDS } = RULES.names;
const MAY_BE_CODES = "unsure: may be codes";
const NAMES_OF_ROWS = "names of the rows";
const OTHER = "dates or another type not supported yet";
const ROW_NAMES = "first column without a name, taken as the names of the rows";

/**
 * What was counted of a column: as numbers, as texts, or both.
 * @typedef {{ numbers: NumberTally | null, texts: TextTally | null, read: NumberTexts | null }} Counted
 */

/** @type {(column: Column, room: number) => Counted} */
function count({ kind, values, texts }, room) {
  if (texts) {
    const source = kind === "boolean" ? nameBooleans(texts) : texts;
    const tally = new TextTally(source, room);
    const read = findNumberTexts(tally, room);
    return { numbers: read?.tally ?? null, texts: tally, read };
  }
  const numbers = new NumberTally(sortFinite(values ?? new Float64Array()), room);
  return { numbers: numbers.filled ? numbers : null, texts: null, read: null };
}

/** @param {TextColumn} texts @returns {TextColumn} */
const nameBooleans = ({ codes, levels }) => ({
  codes: codes.map((code) => (code < 0 ? -1 : Number(/^(1|true)$/i.test(levels[code])))),
  levels: ["false", "true"],
});

/** @type {(table: TextTable, report: Progress) => Judgement[]} */
export function judgeColumns({ columns, rows }, report) {
  const readable = columns.filter(({ kind, rowNames }) => kind !== "other" || rowNames);
  const room = findRoom(readable.length);
  const counted = columns.map((column, j) => {
    if (j % 16 === 0) report("judging the columns", j / columns.length);
    return column.kind === "other" && !column.rowNames ? null : count(column, room);
  });
  const habits = shareSentinels(counted.map((one) => (one?.numbers ? findSentinels(one.numbers) : [])));
  const facts = counted.map((one) => (one?.numbers ? describeNumbers(one.numbers, habits) : null));
  const judged = columns.map((column, j) => judgeColumn(column, rows, counted[j], facts[j]));
  const found = judgeTogether(judged, facts.map((one) => one?.facts ?? null), counted);
  return found.map((one, j) => (columns[j].rowNames
    ? { ...one, kind: one.kind === "date" ? "date" : "identifier", action: "skipped", why: ROW_NAMES } : one));
}

/** @type {(tally: NumberTally, habits: Set<number>) => { facts: NumberFacts, sentinels: import("./numbers.js").Sentinel[] }} */
function describeNumbers(tally, habits) {
  const sentinels = findSentinels(tally, habits);
  return { facts: new NumberFacts(tally, sentinels.filter((one) => one.obvious).map((one) => one.value)), sentinels };
}

/** @type {(column: Column, rows: number, counted: Counted | null, known: ReturnType<typeof describeNumbers> | null) => Judgement} */
function judgeColumn({ name }, rows, counted, known) {
  const nothing = {
    name, missing: rows, distinct: 0, exact: true, smallest: null, largest: null, zeros: 0, badges: [],
    marks: [], decimal: "", absent: [],
  };
  if (!counted) return { ...nothing, kind: "other", missing: 0, exact: false, action: "skipped", why: OTHER };
  if (known) return { ...nothing, ...judgeNumbers(name, rows, counted.read, known) };
  const { texts } = counted;
  if (!texts?.filled) return { ...nothing, kind: "empty", action: "skipped", why: "without any value" };
  return { ...nothing, ...judgeTexts(name, rows, texts) };
}

/** @type {(name: string, rows: number, tally: TextTally) => Pick<Judgement, "kind" | "missing" | "distinct" | "exact" | "smallest" | "largest" | "badges" | "action" | "why" | "marks">} */
function judgeTexts(name, rows, tally) {
  const marks = tally.whole ? findBlanks(tally.texts) : [];
  const facts = dropTexts(tally, marks);
  const [usual, reason] = findTextKind(name, facts, rows);
  const differing = findDiffering(tally);
  const fewest = Math.max(MIN_TICKS, MIN_TICKED_SHARE * rows);
  // A box that is ticked: nothing is the other answer.
  const ticked = usual === "constant" && fewest <= facts.filled && facts.filled <= rows - fewest;
  const [kind, why] = differing ? ["other", differing] : [ticked ? "category" : usual, reason];
  const badges = marks.slice(0, 3).map((text) => `${quote(text)} ${countTimes(tally.counts[tally.texts.indexOf(text)])}`);
  if (kind === "category" && !why && findUsualCount(facts)) badges.push(MAY_BE_KEY);
  // As text, dates are in order only where the year is first.
  const years = kind !== "date" || [...facts.texts].every((text) => /^\d{4}/.test(text));
  const ordered = tally.whole && years ? [...facts.texts].sort() : [null];
  return {
    kind, why, marks,
    missing: rows - facts.filled, distinct: facts.distinct, exact: tally.whole,
    smallest: ordered[0], largest: ordered[ordered.length - 1],
    badges: [...badges, ...listTextBadges(facts, rows)],
    action: why ? "skipped" : "categories",
  };
}

/** @type {(name: string, rows: number, read: NumberTexts | null, known: ReturnType<typeof describeNumbers>) => Omit<Judgement, "name">} */
function judgeNumbers(name, rows, read, { facts, sentinels }) {
  const key = findNumberKey(name, facts);
  const odd = sentinels.map(({ value, count: times, place }) => `${formatNumber(value)} ${countTimes(times)}, ${place}`);
  const kind = facts.distinct === 1 ? "constant" : findNumberKind(name, facts);
  return {
    kind: key?.[0] ?? kind,
    missing: rows - facts.filled,
    distinct: facts.distinct,
    exact: facts.whole,
    smallest: facts.smallest,
    largest: facts.largest,
    zeros: facts.zeros,
    badges: [...listMarks(read), ...(key ? [] : [...odd, ...listNumberBadges(facts, rows)])],
    action: key ? "skipped" : "numbers",
    why: key?.[1] ?? "",
    marks: read?.marks.map(([text]) => text) ?? [],
    decimal: read ? read.decimal || "." : "",
    absent: key ? [] : sentinels.filter((one) => one.obvious).map((one) => one.value),
  };
}

/** @param {NumberTexts | null} read */
function listMarks(read) {
  if (!read) return [];
  const pairs = [...read.marks].sort(([a, m], [b, n]) => n - m || (a < b ? 1 : -1));
  const found = pairs.slice(0, 3).map(([text, times]) => `${quote(text)} ${countTimes(times)}`);
  if (pairs.length > 3) found.push(`${pairs.length - 3} more text${pairs.length > 4 ? "s" : ""}`);
  found.push(...read.limits.slice(0, 2).map(([text, times]) => `${quote(text)} ${countTimes(times)}`));
  if (read.decimal === ",") found.push("decimal comma");
  return read.unit ? [...found, `unit ${read.unit}`] : found;
}

/** @param {string} name */
const namesTime = (name) => listWords(name).some((word) => VISIT_WORDS.has(word));

/** @type {(columns: Judgement[], facts: (NumberFacts | null)[], counted: (Counted | null)[]) => Judgement[]} */
function judgeTogether(columns, facts, counted) {
  const scales = facts.map(findScale);
  const times = new Set(columns.flatMap(({ name }, j) => (facts[j]?.integers && facts[j].whole && namesTime(name) ? [facts[j].distinct] : [])));
  const beside = columns.map((column, j) => {
    const answers = scales[j] !== null && scales.filter((one) => one === scales[j]).length >= MIN_SCALES;
    return judgeBeside(column, facts[j], counted[j], times, answers);
  });
  const named = facts.filter((known, j) => known?.whole && known.integers && known.allDiffer && columns[j].why === NAMES_OF_ROWS);
  const single = beside.map((column, j) => (isCopy(column, facts[j], named)
    ? { ...column, kind: "identifier", action: "skipped", why: "the same integers as the names of the rows", absent: [] } : column));
  const most = countRowsOfKeys(single, counted);
  return single.map((column, j) => {
    const known = facts[j];
    if (known?.integers && namesTime(column.name) && most.some((rows) => rows <= known.distinct && known.distinct <= MAX_VISITS * rows)) {
      return { ...column, kind: "key", action: "skipped", why: "the time of a key that repeats" };
    }
    return column;
  });
}

/** @type {(column: Judgement, facts: NumberFacts | null, named: (NumberFacts | null)[]) => boolean} */
const isCopy = (column, facts, named) => facts !== null && column.action !== "skipped" && facts.allDiffer && facts.filled >= MIN_KEY_ROWS
  && named.some((one) => one?.values.length === facts.values.length && one.values.every((value, i) => value === facts.values[i]));

// Judge a column beside the times and the scales of answers in its table.
/** @type {(column: Judgement, facts: NumberFacts | null, counted: Counted | null, times: Set<number>, answers: boolean) => Judgement} */
function judgeBeside(column, facts, counted, times, answers) {
  if (!facts) {
    if (!column.badges.includes(MAY_BE_KEY) || !counted?.texts) return column;
    const texts = dropTexts(counted.texts, column.marks);
    if (!times.has(findUsualCount(texts))) return column;
    const badges = column.badges.filter((one) => one !== MAY_BE_KEY);
    return { ...column, kind: "key", action: "skipped", why: sayRepeats(column.distinct, findMost(texts.counts)), badges };
  }
  if (column.action === "skipped" || !["number", "category"].includes(column.kind)) return column;
  const even = facts.integers && facts.distinct >= EVEN_KEYS && facts.evenlyRepeated;
  if (even && times.has(facts.top) && !namesTime(column.name)) {
    return { ...column, kind: "key", action: "skipped", why: sayRepeats(facts.distinct, facts.top), absent: [] };
  }
  if (column.kind !== "number") return column;
  if (answers) return { ...column, kind: "ordinal code" };
  return mayBeCodes(facts) ? { ...column, badges: [...column.badges, MAY_BE_CODES] } : column;
}

/** @type {(columns: Judgement[], counted: (Counted | null)[]) => number[]} */
function countRowsOfKeys(columns, counted) {
  return columns.flatMap((column, j) => {
    const tally = counted[j]?.texts ?? counted[j]?.numbers;
    if (column.kind !== "key" || !tally?.whole) return [];
    const most = Array.from(tally.counts).reduce((top, one) => Math.max(top, one), 0);
    return most > 1 ? [most] : [];
  });
}
