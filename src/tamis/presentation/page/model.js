// The model: what was found, read from the JSON block. A page may be given another model of the
// same shape, as one that was computed for other wishes:
//   names         every column of the table, in its order
//   used          of each analysed column its position in `names`; "column" below is a position here
//   path          columns in the order they are kept
//   retained, bound, held   share explained by the first 1, 2, ... of them, its ceiling, and the share
//                 on held-out rows (may be empty or shorter)
//   chance(k)     what chance alone explains, or null
//   sharesAt(k)   Float64Array: share explained of every column when k are kept
//   sourcesAt(column, k)    { pairs: [[column, weight], ...], carried, step } or null if unknown;
//                 `step` is the number of kept columns for which it was looked up
//   countsAt(k)   optional: { safe, partly, lost } where they are known better than by counting
//   exactAt(k)    optional: whether sharesAt(k) was stored and not interpolated
//   base          true for the model that Python has found
async function inflated(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}
const decoded = (buffer) => JSON.parse(new TextDecoder().decode(buffer));

async function baseModel() {
  const names = Object.keys(data.blocks);
  const buffers = await Promise.all(names.map((name) => inflated(data.blocks[name])));
  const blocks = Object.fromEntries(names.map((name, place) => [name, buffers[place]]));
  const table = decoded(blocks.table);
  const used = table.used ?? table.names.map((_, place) => place);
  const shares = storedShares(new Uint8Array(blocks.shares), used.length);
  const at = (k) => Math.min(Math.max(k, 1), data.path.length);
  let last = { k: 0 };
  return {
    ...table,
    used,
    base: true,
    blocks,
    path: data.path,
    retained: data.retained,
    bound: data.bound,
    held: data.held,
    chance: (k) => data.chance[at(k) - 1] ?? null,
    sharesAt(k) {
      if (last.k !== k) last = { k, shares: shares(at(k)) };
      return last.shares;
    },
    exactAt: (k) => data.steps.includes(k),
    countsAt: (k) => ({
      safe: data.counts.safe[at(k) - 1],
      partly: data.counts.partly[at(k) - 1],
      lost: data.counts.lost[at(k) - 1],
    }),
    sourcesAt: storedSources(new Uint32Array(blocks.columns), new Int16Array(blocks.records)),
  };
}

// Shares at the stored steps; between them a straight line.
function storedShares(bytes, width) {
  const cells = bytes.length / 2;
  const levels = data.steps.map(() => new Uint16Array(width));
  levels.forEach((level, row) => {
    for (let j = 0, cell = row * width; j < width; j++, cell++) {
      const code = bytes[cell] + 256 * bytes[cells + cell];
      level[j] = (row ? levels[row - 1][j] : 0) + (code % 2 ? -(code + 1) / 2 : code / 2);
    }
  });
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

// The record of a column that was looked up last at or before the number of kept columns. It stays
// true until the next record of the column, up to the last step that was looked up.
function storedSources(columns, records) {
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
    const pairs = [];
    for (let i = 0; i < records[at + 2]; i++) {
      pairs.push([data.path[records[at + 3 + 2 * i]], records[at + 4 + 2 * i] / 100]);
    }
    return { pairs, carried: records[at + 1] / 1000, step: data.sources ? k : Math.max(...[...looked].filter((step) => step <= k)) };
  };
}

// In which drawer a dropped column lies.
function drawerOf(share, model, k) {
  const chance = Math.round(1000 * (model.chance(k) ?? 0)) / 1000;
  const lost = Math.min(Math.max(data.limits.lost, chance), data.limits.safe);
  return share >= data.limits.safe - 1e-9 ? "safe" : share < lost - 1e-9 ? "lost" : "partly";
}
