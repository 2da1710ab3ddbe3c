// The model that Python has found, read from the blocks of the page; `Model` in types.d.ts says
// what a model is. A page may show another of the same shape, computed for other wishes.
import { inflate, readData } from "./page_data.js";

const { TIE } = RULES.tolerances;

/** @type {SelectionData} */
export const data = readData();

// The shares of the number of columns that was asked for last: many views ask for the same.
/** @type {(compute: (k: number) => Float64Array) => (k: number) => Float64Array} */
export function cacheLast(compute) {
  /** @type {{ k: number, shares: Float64Array }} */
  let last = { k: 0, shares: new Float64Array() };
  return (k) => {
    if (last.k !== k) last = { k, shares: compute(k) };
    return last.shares;
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
  const shares = readShares(new Uint8Array(blocks.shares), used.length);
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
    getShares: cacheLast((k) => shares(limit(k))),
    isExact: (k) => data.steps.includes(k),
    getCounts: (k) => ({
      safe: data.counts.safe[limit(k) - 1],
      partly: data.counts.partly[limit(k) - 1],
      lost: data.counts.lost[limit(k) - 1],
    }),
    getSources: readSources(new Uint32Array(blocks.columns), new Int16Array(blocks.records)),
  };
}

// Shares at the stored steps; between them a straight line.
/** @type {(bytes: Uint8Array, width: number) => (k: number) => Float64Array} */
function readShares(bytes, width) {
  const levels = readLevels(bytes, width);
  return (k) => {
    const next = data.steps.findIndex((step) => step >= k);
    const [low, high] = [levels[data.steps[next] === k ? next : next - 1], levels[next]];
    const part = low === high ? 0
      : (k - data.steps[next - 1]) / (data.steps[next] - data.steps[next - 1]);
    const shares = new Float64Array(width);
    for (let j = 0; j < width; j++) shares[j] = (low[j] + part * (high[j] - low[j])) / 1000;
    if (low !== high) data.path.forEach((j, place) => { if (place < k) shares[j] = 1; });
    return shares;
  };
}

// Each row is stored as the difference to the one before, its low bytes first.
/** @type {(bytes: Uint8Array, width: number) => Uint16Array[]} */
function readLevels(bytes, width) {
  const cells = bytes.length / 2;
  const levels = data.steps.map(() => new Uint16Array(width));
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

// In which drawer a dropped column lies.
/** @type {(share: number, model: Model, k: number) => Kind} */
export function findDrawer(share, model, k) {
  const chance = Math.round(1000 * (model.getChance(k) ?? 0)) / 1000;
  const lost = Math.min(Math.max(data.limits.lost, chance), data.limits.safe);
  return share >= data.limits.safe - TIE ? "safe" : share < lost - TIE ? "lost" : "partly";
}
