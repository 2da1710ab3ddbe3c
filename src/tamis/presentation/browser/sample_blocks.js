// Blocks held by their rows, where these are fewer than the columns: RowBlocks of
// statistics/row_blocks.py.
import { multiply, multiplyRows } from "../page/vectors.js";
import { measureMarked } from "./fills.js";
import { crossRows } from "./products.js";
import { SampleGram } from "./sample_gram.js";
import { holdRows, makePart } from "./standardise.js";

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
    const known = this.measure(this.listRows(training));
    return { part: known.part, held: this.holdOut(this.listRows(held), known) };
  }

  whole() { return this.measure(this.listRows(this.counts.map(() => true))).part; }

  // What some rows say of every column, and of which they form a part: those that vary in them.
  /** @param {number[]} rows */
  measure(rows) {
    const { table } = this;
    const count = rows.length;
    const spreads = table.columns.map((column) => measureMarked(column, rows));
    const varying = table.columns.map((_, place) => place).filter((place) => {
      const { mean: middle, std: unit } = table.columns[place];
      return spreads[place].std * unit > CONSTANT * Math.abs(middle + unit * spreads[place].mean);
    });
    const samples = this.write(rows, varying, spreads, Math.sqrt(count));
    const owners = varying.map((place) => table.columns[place].owner);
    return { part: makePart(table, owners, new SampleGram(samples, varying.length, count), count), varying, spreads };
  }

  // Some columns of some rows, filled, in units of their spread times a divisor.
  /** @type {(rows: number[], places: number[], spreads: Spread[], divisor: number) => Float64Array} */
  write(rows, places, spreads, divisor) {
    const written = new Float64Array(places.length * rows.length);
    places.forEach((place, j) => {
      const { values, marks, weight } = this.table.columns[place];
      const { mean, std, fill } = spreads[place];
      const factor = weight / ((std || 1) * divisor);
      rows.forEach((row, r) => { written[j * rows.length + r] = ((marks?.[row] ? fill : values[row]) - mean) * factor; });
    });
    return written;
  }

  /** @type {(rows: number[], known: { varying: number[], spreads: Spread[] }) => HeldRows} */
  holdOut(rows, { varying, spreads }) {
    const { columns, owners } = this.table;
    const count = rows.length;
    const held = this.write(rows, varying, spreads, 1);
    const unknown = new Float64Array(owners.length);
    const others = columns.map((_, place) => place).filter((place) => !varying.includes(place));
    const plain = spreads.map((spread) => ({ ...spread, std: 1 }));
    others.forEach((place) => {
      const apart = this.write(rows, [place], plain, 1);
      unknown[owners.indexOf(columns[place].owner)] += multiply(apart, apart);
    });
    return holdRows({
      squares: Float64Array.from(varying, (_, j) => multiplyRows(held, j * count, held, j * count, count)),
      weights: Float64Array.from(varying, (place) => spreads[place].std ** 2),
      unknown,
      takeRows: (wanted) => {
        const some = new Float64Array(wanted.length * count);
        wanted.forEach((j, i) => some.set(held.subarray(j * count, (j + 1) * count), i * count));
        return crossRows(some, wanted.length, held, varying.length, count);
      },
    });
  }
}
