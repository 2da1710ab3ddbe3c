// What is put in place of missing values, which are NaN; all others call these: statistics/fills.py.

const { NEGLIGIBLE } = RULES.tolerances;

// The values of a column with missing ones filled.
/** @param {Float64Array} values */
export function fillAlone(values) {
  const known = values.filter((value) => value === value);
  if (known.length === values.length) return values;
  const mean = known.reduce((sum, value) => sum + value, 0) / (known.length || 1);
  return values.map((value) => (value === value ? value : mean));
}

// The mean and the variance of what is there.
/** @param {Float64Array} values */
export function measureSpread(values) {
  let [count, sum, rest, squares] = [0, 0, 0, 0];
  for (let i = 0; i < values.length; i++) if (values[i] === values[i]) { count += 1; sum += values[i]; }
  const first = sum / (count || 1);
  for (let i = 0; i < values.length; i++) if (values[i] === values[i]) rest += values[i] - first;
  const mean = first + rest / (count || 1);
  for (let i = 0; i < values.length; i++) {
    const apart = values[i] - mean;
    if (apart === apart) squares += apart * apart;
  }
  return { count, mean, variance: squares / (count || 1) };
}

// The mean and the standard deviation of a column once it is filled, and with what.
/** @type {(values: Float64Array) => Spread} */
export function measureFilled(values) {
  const { count, mean, variance } = measureSpread(values);
  return { mean, std: Math.sqrt((variance * count) / values.length), fill: mean };
}

// The same of some rows, of a column whose missing values are marked: they fill themselves.
/** @type {(column: StandardColumn, rows: number[]) => Spread} */
export function measureMarked({ values, marks }, rows) {
  const there = marks ? rows.filter((row) => !marks[row]) : rows;
  const first = there.length ? values[there[0]] : 0;
  let [sum, squares] = [0, 0];
  for (const row of there) sum += values[row] - first;
  const mean = first + sum / (there.length || 1);
  for (const row of there) squares += (values[row] - mean) ** 2;
  return { mean, std: Math.sqrt(squares / (rows.length || 1)), fill: mean };
}

// How far the fill of some rows is from 0, which was filled in: from their mean and their share of marks.
/** @type {(mean: number, missing: number) => number} */
export const findMove = (mean, missing) => (1 - missing > NEGLIGIBLE ? mean / (1 - missing) : 0);
