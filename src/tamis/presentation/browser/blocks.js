// Standardised columns by blocks of rows, and what any choice of blocks gives: statistics/row_blocks.py.
import { addUp, Gram, multiply, multiplyRows } from "../page/gram.js";
import { makeGroups } from "../page/greedy.js";
import { Declined } from "./decline.js";
import { findMove, measureFilled, measureMarked } from "./fills.js";
import { crossRows, squareRows } from "./matrices.js";

const { CONSTANT, ROUNDING } = RULES.tolerances;

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
function makePart(table, owners, gram, nRows) {
  const sizes = new Map();
  owners.forEach((owner) => sizes.set(owner, (sizes.get(owner) ?? 0) + 1));
  const varying = Int32Array.from(sizes.keys(), (owner) => table.owners.indexOf(owner));
  return { nRows, gram, groups: makeGroups([...sizes.values()]), varying };
}

// Rows that are held out, with the sum of all squares.
/** @type {(rows: Omit<HeldRows, "total">) => HeldRows} */
const holdRows = (rows) => ({ ...rows, total: multiply(rows.squares, rows.weights) + addUp(rows.unknown) });

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
  /** @type {Blocks["split"]} */
  split(chosen) {
    const known = this.measure(this.listRows(chosen));
    const held = this.holdOut(this.listRows(chosen.map((one) => !one)), known);
    return { part: known.part, held, places: known.varying };
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
    const width = varying.length;
    const across = new Float64Array(samples.length);
    for (let j = 0; j < width; j++) for (let r = 0; r < count; r++) across[r * width + j] = samples[j * count + r];
    const rank = Math.max(1, Math.min(count - 1, width));
    const gram = new Gram(samples, width, { core: squareRows(across, count, width), rank });
    return { part: makePart(table, owners, gram, count), varying, spreads };
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

/** @typedef {{ count: number, mean: Float64Array, scatter: Float64Array }} Moments sums of products about the mean */

/** A table by blocks of rows; marks of filled values follow the columns. */
export class MomentBlocks {
  /** @param {Standardised} table @param {number} count of blocks @param {Progress} report */
  constructor(table, count, report) {
    this.table = table;
    this.width = table.columns.length;
    this.holes = table.columns.map((_, j) => j).filter((j) => table.columns[j].marks);
    const marks = this.holes.map((j) => /** @type {Float64Array} */ (table.columns[j].marks));
    const columns = [...table.columns.map(({ values }) => values), ...marks];
    this.blocks = Array.from({ length: count }, (_, block) => {
      report("adding up the rows", block / count);
      return sumBlock(columns, table.blocks, block);
    });
    this.counts = this.blocks.map((block) => block.count);
  }

  // The moments of the rows of some blocks together.
  /** @param {boolean[]} chosen @returns {Moments} */
  sum(chosen) {
    const blocks = this.blocks.filter((block, place) => chosen[place] && block.count);
    const total = this.width + this.holes.length;
    const scatter = new Float64Array(total * total);
    const mean = new Float64Array(total);
    if (!blocks.length) return { count: 0, mean, scatter };
    const count = blocks.reduce((sum, block) => sum + block.count, 0);
    const base = blocks[0].mean;
    for (const block of blocks) {
      for (let j = 0; j < total; j++) mean[j] += (block.count / count) * (block.mean[j] - base[j]);
    }
    for (let j = 0; j < total; j++) mean[j] += base[j];
    for (const block of blocks) addScatter(scatter, block, mean, total);
    return { count, mean, scatter };
  }

  // The chosen rows, and the others about the mean and in the unit of these.
  /** @type {Blocks["split"]} */
  split(chosen) {
    const known = this.sum(chosen);
    const moves = this.holes.map((j, place) => findMove(known.mean[j], known.mean[this.width + place]));
    const filled = this.refill(known, moves);
    const part = this.makePart(filled);
    const held = this.holdOut(this.refill(this.sum(chosen.map((one) => !one)), moves), filled, part.varying);
    return { part: part.part, held, places: part.varying };
  }

  whole() {
    const known = this.sum(this.blocks.map(() => true));
    return this.makePart(this.cut(known)).part;
  }

  /** @param {Moments} moments */
  cut({ count, mean, scatter }) {
    const { width } = this;
    if (!this.holes.length) return { count, mean, scatter };
    const total = width + this.holes.length;
    const square = new Float64Array(width * width);
    for (let i = 0; i < width; i++) square.set(scatter.subarray(i * total, i * total + width), i * width);
    return { count, mean: mean.slice(0, width), scatter: square };
  }

  // Fill missing values anew: X + ZD for the marks Z and the moves D.
  /** @type {(moments: Moments, moves: number[]) => Moments} */
  refill(moments, moves) {
    const found = this.cut(moments);
    if (!this.holes.length || !moments.count) return found;
    const { width, holes } = this;
    const total = width + holes.length;
    const { scatter, mean } = found;
    const sizes = holes.map((j, a) => scatter[j * width + j] + moments.scatter[(width + a) * total + width + a] * moves[a] ** 2);
    holes.forEach((j, a) => {
      const marks = moments.scatter.subarray((width + a) * total, (width + a + 1) * total);
      for (let i = 0; i < width; i++) {
        scatter[j * width + i] += moves[a] * marks[i];
        scatter[i * width + j] += moves[a] * marks[i];
      }
      holes.forEach((i, b) => { scatter[j * width + i] += moves[a] * moves[b] * marks[width + b]; });
      mean[j] += moves[a] * moments.mean[width + a];
    });
    holes.forEach((j, a) => {
      if (scatter[j * width + j] > ROUNDING * sizes[a]) return;
      for (let i = 0; i < width; i++) scatter[j * width + i] = scatter[i * width + j] = 0;
    });
    return found;
  }

  // The Gram matrix of some rows, of the columns that vary in them.
  /** @param {Moments} moments @returns {{ part: Part, varying: number[] }} */
  makePart({ count, mean, scatter }) {
    const { columns } = this.table;
    const { width } = this;
    const varying = columns.map((_, j) => j).filter((j) => {
      const spread = Math.sqrt(Math.max(scatter[j * width + j], 0) / (count || 1)) * columns[j].std;
      return spread > CONSTANT * Math.abs(columns[j].mean + columns[j].std * mean[j]);
    });
    const size = varying.length;
    const factors = Float64Array.from(varying, (j) => columns[j].weight / Math.sqrt(scatter[j * width + j]));
    const matrix = new Float64Array(size * size);
    varying.forEach((j, a) => {
      for (let b = 0; b < size; b++) matrix[a * size + b] = scatter[j * width + varying[b]] * factors[a] * factors[b];
      matrix[a * size + a] = columns[j].weight ** 2;
    });
    const part = makePart(this.table, varying.map((j) => columns[j].owner), new Gram(matrix, size), count);
    return { part, varying };
  }

  // Held-out rows about the mean of the training rows, in their unit.
  /** @type {(held: Moments, known: Moments, varying: number[]) => HeldRows} */
  holdOut(held, known, varying) {
    const { width } = this;
    const { columns } = this.table;
    const factors = Float64Array.from(varying, (j) =>
      columns[j].weight / Math.sqrt(known.scatter[j * width + j] / known.count));
    const shift = Float64Array.from(varying, (j) => (held.count ? held.mean[j] - known.mean[j] : 0));
    /** @type {(a: number, b: number) => number} */
    const product = (a, b) => (held.scatter[varying[a] * width + varying[b]] + held.count * shift[a] * shift[b]) * factors[a] * factors[b];
    const squares = Float64Array.from(varying, (_, a) => product(a, a));
    const weights = Float64Array.from(varying, (j) => known.scatter[j * width + j] / known.count);
    const unknown = new Float64Array(this.table.owners.length);
    const there = new Set(varying);
    columns.forEach(({ weight, owner }, j) => {
      if (there.has(j) || !held.count) return;
      const apart = held.mean[j] - known.mean[j];
      unknown[this.table.owners.indexOf(owner)] += (held.scatter[j * width + j] + held.count * apart * apart) * weight * weight;
    });
    return holdRows({
      squares,
      weights,
      unknown,
      takeRows: (wanted) => {
        const rows = new Float64Array(wanted.length * varying.length);
        wanted.forEach((a, i) => { for (let b = 0; b < varying.length; b++) rows[i * varying.length + b] = product(a, b); });
        return rows;
      },
    });
  }
}

// Sum up the rows of one block about their own mean. A column that is constant in it has exactly
// its value as the mean and nothing about it.
/** @type {(columns: Float64Array[], blocks: Uint8Array, block: number) => Moments} */
function sumBlock(columns, blocks, block) {
  /** @type {number[]} */
  const rows = [];
  blocks.forEach((one, row) => { if (one === block) rows.push(row); });
  const count = rows.length;
  const mean = new Float64Array(columns.length);
  const centred = new Float64Array(columns.length * count);
  if (count) {
    columns.forEach((values, j) => {
      const [first, at] = [values[rows[0]], j * count];
      let sum = 0;
      for (let r = 0; r < count; r++) sum += centred[at + r] = values[rows[r]] - first;
      const middle = sum / count;
      for (let r = 0; r < count; r++) centred[at + r] -= middle;
      mean[j] = first + middle;
    });
  }
  return { count, mean, scatter: squareRows(centred, columns.length, count) };
}

/** @type {(scatter: Float64Array, block: Moments, mean: Float64Array, total: number) => void} */
function addScatter(scatter, block, mean, total) {
  const apart = block.mean.map((value, j) => value - mean[j]);
  const own = block.scatter;
  for (let i = 0, at = 0; i < total; i++) {
    const factor = block.count * apart[i];
    for (let j = 0; j < total; j++, at++) scatter[at] += own[at] + factor * apart[j];
  }
}
