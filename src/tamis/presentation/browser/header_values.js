// Whether the first line of a table may be a row of values: sources/delimited.py.

const { ALIKE, EVEN_GAP, EVEN_GAP_OF_ALL, HEADER_YEARS: [FIRST_YEAR, LAST_YEAR], IN_ORDER, MIN_ORDERED_NUMBERS, N_HEADER_ROWS } = RULES.tables;
const NUMBER = /^\s*[-+]?(\d[\d_]*\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$/;

/** @type {(value: number, column: Float64Array) => boolean} */
function fits(value, column) {
  let [low, high] = [Infinity, -Infinity];
  for (const one of column) {
    if (one < low) low = one;
    if (one > high) high = one;
  }
  return low <= high && low - (high - low) <= value && value <= high + (high - low);
}

/** @param {number[]} steps */
const areSpaced = (steps) => steps.length > 1 && steps[0] !== 0
  && steps.every((step) => Math.abs(step - steps[0]) <= EVEN_GAP + EVEN_GAP_OF_ALL * Math.abs(steps[0]));

/** @param {Column[]} columns */
export function looksLikeValues(columns) {
  const numeric = columns.filter(({ kind, values }) => kind === "numeric" && values?.some((value) => value === value));
  if (!numeric.length || !numeric.every(({ name }) => NUMBER.test(name))) return false;
  const first = numeric.map(({ name }) => Number(name.replaceAll("_", "")));
  const steps = first.slice(1).map((value, i) => value - first[i]);
  if (areSpaced(steps)) return false;
  const below = numeric.map(({ values }) => /** @type {Float64Array} */ (values).subarray(0, N_HEADER_ROWS));
  if (first.filter((value, i) => fits(value, below[i])).length / first.length < ALIKE) return false;
  const sign = Math.sign(steps[0]);
  const ordered = first.length > 1 && steps.every((step) => Math.sign(step) === sign);
  const years = first.every((value) => value === Math.round(value) && value >= FIRST_YEAR && value <= LAST_YEAR);
  if (!ordered || (first.length < MIN_ORDERED_NUMBERS && !years)) return true;
  let count = 0;
  for (let row = 0; row < below[0].length; row++) {
    count += Number(below.every((column, j) => j === 0 || (column[row] - below[j - 1][row]) * sign >= 0));
  }
  return count / below[0].length >= IN_ORDER;
}
