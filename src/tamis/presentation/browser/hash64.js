// Hashes of 64 bits, as numerics/hashing.py and hashlib's BLAKE2b make them, by pairs of 32 bits:
// JavaScript has no fast integers of 64. `high` and `low` of the last product are left in `product`.

/** The high and the low half of the last product. */
export const product = new Uint32Array(2);

// The product of two numbers modulo 2^64.
/** @type {(aHigh: number, aLow: number, bHigh: number, bLow: number) => void} */
export function multiply64(aHigh, aLow, bHigh, bLow) {
  const a0 = aLow & 0xffff;
  const a1 = aLow >>> 16;
  const b0 = bLow & 0xffff;
  const b1 = bLow >>> 16;
  const low = a0 * b0;
  const middle = a1 * b0 + (low >>> 16);
  const other = a0 * b1 + (middle & 0xffff);
  const carried = a1 * b1 + Math.floor(middle / 0x10000) + Math.floor(other / 0x10000);
  product[1] = (other << 16) | (low & 0xffff);
  product[0] = carried + Math.imul(aHigh, bLow) + Math.imul(aLow, bHigh);
}

// The last steps of SplitMix64 on every pair of halves, in place.
/** @type {(high: Uint32Array, low: Uint32Array) => void} */
export function hashBits(high, low) {
  for (let i = 0; i < high.length; i++) {
    let h = high[i];
    let l = low[i];
    multiply64(h ^ (h >>> 30), l ^ ((h << 2) | (l >>> 30)), 0xbf58476d, 0x1ce4e5b9);
    h = product[0];
    l = product[1];
    multiply64(h ^ (h >>> 27), l ^ ((h << 5) | (l >>> 27)), 0x94d049bb, 0x133111eb);
    h = product[0];
    l = product[1];
    high[i] = h ^ (h >>> 31);
    low[i] = l ^ ((h << 1) | (l >>> 31));
  }
}

// BLAKE2b of eight bytes (RFC 7693), which separates names and texts apart on every machine.
const ORDERS = [
  "0123456789abcdef", "ea489fd61c02b753", "b8c052fdae367194", "7931dcbe265a40f8",
  "905724afe1bc683d", "2c6a0b834d75fe19", "c51fed4a0763928b", "db7ec13950f4862a",
  "6fe9b308c2d714a5", "a2847615fb9e3cd0", "0123456789abcdef", "ea489fd61c02b753",
].map((order) => Array.from(order, (digit) => parseInt(digit, 16)));
const START = [
  0x6a09e667f3bcc908n, 0xbb67ae8584caa73bn, 0x3c6ef372fe94f82bn, 0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n, 0x9b05688c2b3e6c1fn, 0x1f83d9abfb41bd6bn, 0x5be0cd19137e2179n,
];
const MIXED = [
  [0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15],
  [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14],
];
const ALL_BITS = 0xffffffffffffffffn;

/** @type {(value: bigint, by: bigint) => bigint} */
const rotate = (value, by) => (value >> by) | ((value << (64n - by)) & ALL_BITS);

/** @type {(state: bigint[], words: bigint[], count: bigint, last: boolean) => void} */
function compress(state, words, count, last) {
  const v = [...state, ...START];
  v[12] ^= count;
  if (last) v[14] ^= ALL_BITS;
  for (const order of ORDERS) {
    MIXED.forEach(([a, b, c, d], place) => {
      v[a] = (v[a] + v[b] + words[order[2 * place]]) & ALL_BITS;
      v[d] = rotate(v[d] ^ v[a], 32n);
      v[c] = (v[c] + v[d]) & ALL_BITS;
      v[b] = rotate(v[b] ^ v[c], 24n);
      v[a] = (v[a] + v[b] + words[order[2 * place + 1]]) & ALL_BITS;
      v[d] = rotate(v[d] ^ v[a], 16n);
      v[c] = (v[c] + v[d]) & ALL_BITS;
      v[b] = rotate(v[b] ^ v[c], 63n);
    });
  }
  state.forEach((_, i) => { state[i] ^= v[i] ^ v[i + 8]; });
}

// The digest of a text as its high and low half.
/** @type {(text: string) => [number, number]} */
export function digestText(text) {
  const bytes = new TextEncoder().encode(text);
  const state = [...START];
  state[0] ^= 0x01010008n;
  for (let start = 0; start === 0 || start < bytes.length; start += 128) {
    const block = new Uint8Array(128);
    block.set(bytes.subarray(start, start + 128));
    const view = new DataView(block.buffer);
    const words = Array.from({ length: 16 }, (_, i) => view.getBigUint64(8 * i, true));
    const end = Math.min(start + 128, bytes.length);
    compress(state, words, BigInt(end), end === bytes.length);
  }
  return [Number(state[0] >> 32n), Number(state[0] & 0xffffffffn)];
}
