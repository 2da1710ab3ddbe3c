// The columns of a table in the unit of their own standard deviation, missing values at the mean.
import { measureSpread } from "./clipping.js";
import { Declined } from "./decline.js";

export const CONSTANT = 1e-12; // a spread of at most this share of the mean is none
const LARGEST_EXACT_INTEGER = 2 ** 53;

// Standardise all columns that vary; `weights` make every column of the table count the same.
/** @type {(table: EncodedTable) => Standardised} */
export function standardise({ used, blocks, rows }) {
  /** @type {StandardColumn[]} */
  const columns = [];
  /** @type {string[]} */
  const constant = [];
  used.forEach((encoded, owner) => {
    const own = encoded.values.map((values) => standardiseColumn(values, owner, rows)).filter((one) => one !== null);
    if (!own.length) {
      constant.push(encoded.column.name);
      if (Math.abs(encoded.values[0][0]) >= LARGEST_EXACT_INTEGER) throw new Declined("rounded", encoded.column.name);
    }
    own.forEach((one) => {
      const others = own.length - 1;
      one.weight = encoded.levels && others > 0 ? Math.sqrt(Math.max((1 - one.mean) / others, 0)) : 1;
      columns.push(one);
    });
  });
  const owners = [...new Set(columns.map(({ owner }) => owner))];
  return { columns, constant, owners, blocks, rows };
}

/** @type {(values: Float64Array, owner: number, rows: number) => StandardColumn | null} */
function standardiseColumn(values, owner, rows) {
  const { count, mean, variance } = measureSpread(values);
  const std = Math.sqrt((variance * count) / rows);
  if (!(std > CONSTANT * Math.abs(mean))) return null;
  const missing = count < rows;
  const scaled = values.map((value) => (value === value ? (value - mean) / std : 0));
  const marks = missing ? values.map((value) => Number(value !== value)) : null;
  return { owner, mean, std, weight: 1, values: scaled, marks };
}

// The groups of some columns, in their order.
/** @type {(owners: number[]) => { groups: GroupForm, names: number[] }} */
export function makeGroups(owners) {
  const names = [...new Set(owners)];
  const sizes = new Int32Array(names.length);
  const places = new Map(names.map((name, place) => [name, place]));
  owners.forEach((owner) => { sizes[places.get(owner) ?? 0] += 1; });
  const starts = new Int32Array(names.length);
  for (let i = 1; i < names.length; i++) starts[i] = starts[i - 1] + sizes[i - 1];
  return { groups: { starts, sizes, single: sizes.every((size) => size === 1) }, names };
}
