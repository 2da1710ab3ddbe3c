// The columns of a table in the unit of their own standard deviation, filled.
import { makeGroups } from "../page/greedy.js";
import { addUp, multiply } from "../page/vectors.js";
import { Declined } from "./decline.js";
import { measureFilled } from "./fills.js";

const { CONSTANT } = RULES.tolerances;
const LARGEST_EXACT_INTEGER = 2 ** 53;

// Standardise all columns that vary; `weights` make every column of the table count the same.
/** @type {(table: EncodedTable) => Standardised} */
export function standardise({ used, blocks, rows }) {
  /** @type {StandardColumn[]} */
  const columns = [];
  /** @type {string[]} */
  const constant = [];
  used.forEach((encoded, owner) => {
    const own = encoded.values.map((values) => standardiseColumn(values, owner)).filter((one) => one !== null);
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

/** @type {(values: Float64Array, owner: number) => StandardColumn | null} */
function standardiseColumn(values, owner) {
  const { mean, std, fill } = measureFilled(values);
  if (!(std > CONSTANT * Math.abs(mean))) return null;
  const missing = values.some((value) => value !== value);
  const scaled = values.map((value) => ((value === value ? value : fill) - mean) / std);
  const marks = missing ? values.map((value) => Number(value !== value)) : null;
  return { owner, mean, std, weight: 1, values: scaled, marks };
}

// Some rows as the search takes them; `owners` are those of the columns of the matrix.
/** @type {(table: Standardised, owners: number[], gram: Gram, nRows: number) => Part} */
export function makePart(table, owners, gram, nRows) {
  /** @type {Map<number, number>} */
  const sizes = new Map();
  owners.forEach((owner) => sizes.set(owner, (sizes.get(owner) ?? 0) + 1));
  const varying = Int32Array.from(sizes.keys(), (owner) => table.owners.indexOf(owner));
  return { nRows, gram, groups: makeGroups([...sizes.values()]), varying };
}

// Rows that are held out, with the sum of all squares.
/** @type {(rows: Omit<HeldRows, "total">) => HeldRows} */
export const holdRows = (rows) => ({ ...rows, total: multiply(rows.squares, rows.weights) + addUp(rows.unknown) });
