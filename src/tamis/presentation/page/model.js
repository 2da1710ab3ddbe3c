// The model that Python has found, read from the blocks of the page; `Model` in types.d.ts says
// what a model is. A page may show another of the same shape, computed for other wishes.
import { inflate, readData } from "./page_data.js";
import { findDrawer } from "./text.js";

/** @type {SelectionData} */
export const data = readData();

// What was found for the number of columns that was asked for last: many views ask for the same.
/**
 * @template T
 * @param {(k: number) => T} compute
 * @returns {(k: number) => T}
 */
export function cacheLast(compute) {
  /** @type {{ k: number, found: T } | null} */
  let last = null;
  return (k) => {
    last = last?.k === k ? last : { k, found: compute(k) };
    return last.found;
  };
}

/** @returns {Promise<Model>} */
export async function loadModel() {
  const names = Object.keys(data.blocks);
  const buffers = await Promise.all(names.map((name) => inflate(data.blocks[name])));
  const blocks = Object.fromEntries(names.map((name, place) => [name, buffers[place]]));
  /** @type {Table} */
  const table = JSON.parse(new TextDecoder().decode(blocks.table));
  /** @type {Listed} */
  const listed = JSON.parse(new TextDecoder().decode(blocks.listed));
  const used = table.used ?? table.names.map((_, place) => place);
  const [here, shares, low] = readShares(new Uint8Array(blocks.shares), used.length);
  /** @param {number} k */
  const limit = (k) => Math.min(Math.max(k, 1), data.path.length);
  return {
    ...table,
    listed,
    used,
    base: true,
    blocks,
    path: data.path,
    retained: data.retained,
    bound: data.bound,
    held: data.held,
    getChance: (k) => data.chance[limit(k) - 1] ?? null,
    getShares: cacheLast((k) => here(limit(k))),
    getNewRows: cacheLast((k) => (k > data.new_rows ? null : { shares: shares(k), low: low(k) })),
    isExact: (k) => data.steps.includes(k),
    getSources: readSources(new Uint32Array(blocks.columns), new Int16Array(blocks.records)),
  };
}

// Shares at the stored steps, between them a straight line: on these rows and, where they were
// measured, on new rows, and the lower limits of that.
/** @type {(bytes: Uint8Array, width: number) => ((k: number) => Float64Array)[]} */
function readShares(bytes, width) {
  const every = readLevels(bytes, width);
  const count = data.steps.length;
  const measured = (every.length - count) / 2; // steps
  return [0, count, count + measured].map((first) => (k) => {
    const levels = every.slice(first, first + count);
    const next = data.steps.findIndex((step) => step >= k);
    const [low, high] = [levels[data.steps[next] === k ? next : next - 1], levels[next]];
    const part = low === high ? 0
      : (k - data.steps[next - 1]) / (data.steps[next] - data.steps[next - 1]);
    const shares = new Float64Array(width);
    for (let j = 0; j < width; j++) shares[j] = (low[j] + part * (high[j] - low[j])) / 1000;
    if (low !== high) data.path.forEach((j, place) => { if (place < k) shares[j] = 1; });
    return shares;
  });
}

// Each row is stored as the difference to the one before, its low bytes first.
/** @type {(bytes: Uint8Array, width: number) => Int16Array[]} */
function readLevels(bytes, width) {
  const cells = bytes.length / 2;
  const levels = Array.from({ length: cells / width }, () => new Int16Array(width));
  levels.forEach((level, row) => {
    for (let j = 0, cell = row * width; j < width; j++, cell++) {
      const code = bytes[cell] + 256 * bytes[cells + cell];
      level[j] = (row ? levels[row - 1][j] : 0) + (code % 2 ? -(code + 1) / 2 : code / 2);
    }
  });
  return levels;
}

// The record of a column that was looked up last at or before the number of kept columns. It stays
// true until the next record of the column, up to the last step that was looked up.
/** @type {(columns: Uint32Array, records: Int16Array) => Model["getSources"]} */
function readSources(columns, records) {
  /** @type {Map<number, number[]>} */
  const places = new Map();
  const looked = new Set([data.k]);
  for (let i = 0, at = 0; i < columns.length; i++) {
    looked.add(records[at]);
    const known = places.get(columns[i]);
    if (known) known.push(at);
    else places.set(columns[i], [at]);
    at += 3 + 2 * records[at + 2];
  }
  return (column, k) => {
    const known = (places.get(column) ?? []).filter((at) => records[at] <= k);
    if (!known.length) return null;
    const at = known[known.length - 1];
    /** @type {Pair[]} */
    const pairs = [];
    for (let i = 0; i < records[at + 2]; i++) {
      pairs.push([data.path[records[at + 3 + 2 * i]], records[at + 4 + 2 * i] / 100]);
    }
    const step = data.sources ? k : Math.max(...[...looked].filter((one) => one <= k));
    return { pairs, carried: records[at + 1] / 1000, step };
  };
}

// The shares that stand first: on new rows where they were measured.
/** @type {(model: Model, k: number) => Float64Array} */
export const getFirstShares = (model, k) => model.getNewRows(k)?.shares ?? model.getShares(k);

// In which drawer each column lies if it is dropped.
/** @type {(model: Model, k: number) => (column: number) => Kind} */
export function makeDrawers(model, k) {
  const found = model.getNewRows(k);
  if (!found) return () => "dropped";
  const chance = Math.round(1000 * (model.getChance(k) ?? 0)) / 1000;
  return (column) => findDrawer(found.shares[column], found.low[column], chance);
}
