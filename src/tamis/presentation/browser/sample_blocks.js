// Blocks held by their rows, where these are fewer than the columns: RowBlocks of
// statistics/row_blocks.py.
import { multiplyRows } from "../page/vectors.js";
import { crossRows } from "./products.js";
import { SampleGram } from "./sample_gram.js";
import { makePart } from "./standardise.js";

const { CONSTANT } = RULES.tolerances;

/** A table of few rows, of which any can be chosen. */
export class SampleBlocks {
  /** @param {Standardised} table @param {number} count of blocks */
  constructor(table, count) {
    this.table = table;
    this.counts = new Array(count).fill(0);
    table.blocks.forEach((block) => { this.counts[block] += 1; });
  }

  /** @param {boolean[]} chosen */
  listRows(chosen) {
    return Array.from(this.table.blocks, (_, row) => row).filter((row) => chosen[this.table.blocks[row]]);
  }

  // The chosen rows, and the others about the mean and in the unit of these.
  /** @type {(training: boolean[], held: boolean[]) => { part: Part, held: HeldRows }} */
  split(training, held) {
    const known = this.listRows(training);
    const { part, columns } = this.makePart(known);
    return { part, held: this.holdOut(this.listRows(held), columns, known) };
  }

  whole() { return this.makePart(this.listRows(this.counts.map(() => true))).part; }

  /** @param {number[]} rows */
  makePart(rows) {
    const { table } = this;
    const count = rows.length;
    const columns = table.columns.map((column, place) => ({ place, ...measureColumn(column, rows) }))
      .filter(({ place, mean, std }) => {
        const { mean: middle, std: unit } = table.columns[place];
        return std * unit > CONSTANT * Math.abs(middle + unit * mean);
      });
    const samples = new Float64Array(columns.length * count);
    columns.forEach(({ place, mean, fill, std }, j) => {
      const { values, marks, weight } = table.columns[place];
      const factor = weight / (std * Math.sqrt(count));
      rows.forEach((row, r) => { samples[j * count + r] = ((marks?.[row] ? fill : values[row]) - mean) * factor; });
    });
    const owners = columns.map(({ place }) => table.columns[place].owner);
    const part = makePart(table, owners, new SampleGram(samples, columns.length, count), count);
    return { part, columns };
  }

  /** @type {(rows: number[], columns: { place: number, mean: number, fill: number, std: number }[], known: number[]) => HeldRows} */
  holdOut(rows, columns, known) {
    const { table } = this;
    const count = rows.length;
    const held = new Float64Array(columns.length * count);
    columns.forEach(({ place, mean, fill, std }, j) => {
      const { values, marks, weight } = table.columns[place];
      rows.forEach((row, r) => { held[j * count + r] = (((marks?.[row] ? fill : values[row]) - mean) * weight) / std; });
    });
    const squares = Float64Array.from(columns, (_, j) => multiplyRows(held, j * count, held, j * count, count));
    const weights = Float64Array.from(columns, ({ std }) => std * std);
    const unknown = new Float64Array(table.owners.length);
    const there = new Set(columns.map(({ place }) => place));
    table.columns.forEach((column, place) => {
      if (there.has(place)) return;
      const { mean, fill } = measureColumn(column, known);
      rows.forEach((row) => {
        const apart = ((column.marks?.[row] ? fill : column.values[row]) - mean) * column.weight;
        unknown[table.owners.indexOf(column.owner)] += apart * apart;
      });
    });
    return {
      squares,
      weights,
      unknown,
      total: squares.reduce((sum, one, j) => sum + weights[j] * one, 0) + unknown.reduce((sum, one) => sum + one, 0),
      takeRows: (wanted) => {
        const some = new Float64Array(wanted.length * count);
        wanted.forEach((j, i) => some.set(held.subarray(j * count, (j + 1) * count), i * count));
        return crossRows(some, wanted.length, held, columns.length, count);
      },
    };
  }
}

// Mean and spread of a column in some rows, missing values filled with the mean of what is there.
/** @type {(column: StandardColumn, rows: number[]) => { mean: number, fill: number, std: number }} */
function measureColumn({ values, marks }, rows) {
  let [known, fill] = [0, 0];
  const there = marks ? rows.filter((row) => !marks[row]) : rows;
  const first = there.length ? values[there[0]] : 0;
  for (const row of there) { known += 1; fill += values[row] - first; }
  fill = first + fill / (known || 1);
  let squares = 0;
  for (const row of there) squares += (values[row] - fill) ** 2;
  return { mean: fill, fill, std: Math.sqrt(squares / (rows.length || 1)) };
}
