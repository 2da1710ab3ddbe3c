// Numbers and names as the page writes them; the same rules as in Python.

/** @param {number} share */
export function formatPercent(share) {
  const points = Math.abs(share) >= 5e-4 ? 100 * share : 0;
  if (points >= 100 - 1e-7) return "100%";
  if (points >= 99.995) return "over 99.99%";
  return points.toFixed(points >= 99.95 ? 2 : 1) + "%";
}

// A share on held-out rows; below 0 it is no share of anything.
const { MAX_CEILING, MOVED, WORSE } = RULES.pictures;
const { LOST_SHARE, SAFE_SHARE } = RULES.search;
const { TIE } = RULES.tolerances;
/** @param {number} share */
export const isWorse = (share) => share <= -5e-4;
/** @param {number} share */
export const formatHeldOut = (share) => (isWorse(share) ? WORSE : formatPercent(share));
// The same where room is short.
/** @param {number} share */
export const formatFigure = (share) => (isWorse(share) ? "worse" : formatPercent(share));

// A bound that nothing exceeds; nothing where it says nothing.
/** @param {number} share */
function describeCeiling(share) {
  const text = formatPercent(share);
  if (text === "100%") return "";
  return text.startsWith("over ") ? "all of it" : `more than ${text}`;
}

// What is found, in one sentence; the same as Python's. `held` is the share on new rows, where it is known.
// `asIs` is that of all values as they are where extreme ones are limited.
/** @type {(found: { k: number, number: string, width: number, share: number, bound: number, held?: number, asIs?: number | null, about: string }) => string} */
export function writeHeadline({ k, number, width, share, bound, held, asIs = null, about }) {
  if (k === width && formatPercent(share) === "100%") return k === 1 ? "Keep the only column that was analysed." : `Keep all ${number} columns.`;
  const [they, verb, are] = k === 1 ? ["it", "explains", "is"] : ["they", "explain", "are"];
  const here = formatPercent(share);
  const most = bound <= MAX_CEILING * share ? describeCeiling(bound) : "";
  const ceiling = here === "100%" || !most ? "" : `no ${k === 1 ? "single column" : `${formatCount(k)} columns`} could explain ${most}`;
  const head = `Keep ${number} of ${formatCount(width)} columns: `;
  if (held === undefined || (here === "100%" && formatPercent(held) === "100%")) return `${head}${they} ${verb} ${here} ${about}${ceiling && `; ${ceiling}`}.`;
  const moved = asIs !== null && Math.abs(held - asIs) > MOVED;
  const limited = moved ? ` with extreme values limited, ${isWorse(asIs) ? WORSE : formatPercent(asIs)} with all values as they are` : "";
  if (isWorse(held)) return `${head}on new rows ${they} ${are} ${WORSE}${limited} (${here} ${about} on these rows${ceiling && `, where ${ceiling}`}).`;
  return `${head}on new rows ${they} ${verb} ${formatPercent(held)} ${about}${limited} (${here} on these rows${ceiling && `, where ${ceiling}`}).`;
}

// What columns explain on new rows, where that is known, and on these: the first part stands out.
/** @type {(held: number | undefined, here: number) => string[]} */
export const writeShares = (held, here) =>
  [...(held === undefined ? [] : [`${formatHeldOut(held)} on new rows`]), `${formatPercent(here)} on these rows`];

// In which drawer a dropped column lies, by its share on new rows and the lower limit of that: fate_of in Python.
/** @type {(share: number, low: number, chance: number) => Kind} */
export const findDrawer = (share, low, chance) =>
  (low >= SAFE_SHARE - TIE ? "safe" : share < Math.min(Math.max(LOST_SHARE, chance), SAFE_SHARE) - TIE ? "lost" : "partly");

// The share of a column.
/** @param {number} share */
export function formatTenths(share) {
  if (share < 0) return "worse";
  return share >= 1 - 1e-9 ? "100%" : `${Math.min(100 * share, 99.9).toFixed(1)}%`;
}

/** @param {number} change */
export function formatChange(change) {
  const text = `${change < 0 ? "−" : "+"}${(100 * Math.abs(change)).toFixed(Math.abs(change) >= 5e-4 ? 1 : 2)}%`;
  return Number(text.slice(1, -1)) ? text : "0%";
}

/** @param {number} number */
export const formatCount = (number) => number.toLocaleString("en");
/** @type {(number: number, word: string) => string} */
export const pluralise = (number, word) => `${formatCount(number)} ${word}${number === 1 ? "" : "s"}`;

// A name that is a number stands in quotes beside a weight, or it reads as a factor.
/** @param {string} name */
export const isNumber = (name) => /^\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*$/.test(name);
/** @param {string} name */
export const quoteNumber = (name) => (isNumber(name) ? `"${name}"` : name);
/** @param {string} name */
export const quoteName = (name) => JSON.stringify(name);
// A word as a shell reads it.
/** @param {string} word */
export const quoteWord = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\"'\"'")}'`);
/** @param {string} value */
export const quoteCell = (value) => (/[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

// A name with its middle cut out where it has more letters.
/** @type {(name: string, most: number) => string} */
export const shortenName = (name, most) =>
  (name.length > most ? `${name.slice(0, most / 2)}…${name.slice(-Math.floor((most - 1) / 2))}` : name);

/** @param {Pair[]} pairs */
export function sortByWeight(pairs) {
  /** @param {Pair} pair */
  const measure = ([, weight]) => Math.round(100 * Math.abs(weight));
  return [...pairs].sort((a, b) => measure(b) - measure(a));
}

// Put a number where a pattern of Python has {}.
/** @type {(pattern: string, value: string) => string} */
export const fillPattern = (pattern, value) => pattern.replaceAll("{}", () => value);

// What an object holds under the name of a column, which may be "constructor" or "__proto__".
/**
 * @template T
 * @param {Record<string, T> | null | undefined | false} object
 * @param {string} name
 * @returns {T | undefined}
 */
export const readOwn = (object, name) => (object && Object.hasOwn(object, name) ? object[name] : undefined);
