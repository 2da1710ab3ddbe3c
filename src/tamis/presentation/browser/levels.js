// The levels of a category: which have a column of their own, and which are pooled:
// statistics/encoding.py.
import { formatCount } from "../page/text.js";

const { MAX_LEVELS, MIN_LEVEL_ROWS, MIN_LEVEL_SHARE, MISSING_LEVEL, OTHER_LEVEL } = RULES.kinds;

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
/** @type {(texts: TextColumn, rows: number) => { indicators: Float64Array[], names: string[], why: string, absent: number }} */
export function encodeLevels({ codes, levels }, rows) {
  const times = new Float64Array(levels.length);
  let absent = 0;
  for (const code of codes) if (code < 0) absent += 1; else times[code] += 1;
  const counts = new Map(levels.map((level, code) => [level, times[code]]));
  // Of a box that is ticked or not, what is missing is the other answer; else it is missing.
  const { common, pooled, missing } = poolLevels(counts, counts.size === 1 ? absent : 0, rows);
  const names = [...common, ...(pooled ? [OTHER_LEVEL] : []), ...(missing ? [MISSING_LEVEL] : [])];
  const nothing = { indicators: [], names: [], absent };
  if (names.length < 2 && counts.size < 2) return { ...nothing, why: "constant" };
  if (names.length < 2 || (!common.length && 2 * counts.size > rows - absent)) {
    const more = counts.size > MAX_LEVELS ? "more than " : "";
    const shown = formatCount(Math.min(counts.size, MAX_LEVELS));
    return { ...nothing, why: `looks like an identifier, ${more}${shown} distinct values in ${formatCount(rows)} rows` };
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
  return { indicators, names, why: "", absent };
}
