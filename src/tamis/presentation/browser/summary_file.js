// A summary of the table in a file that Python opens (sources/summary_file.py): an NPZ archive of
// stored members, by blocks of rows. No row of the table is in it.
import { MomentBlocks } from "./blocks.js";
import { Declined } from "./decline.js";

const TILE = 1024;
const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0]; // of NumPy's format, version 1.0
const DOS_TIME = 0x21; // 1 January 1980, in the place of a date: the same table, the same file
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, start) => {
  let value = start;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** @param {Uint8Array} bytes */
function findChecksum(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = (value >>> 8) ^ CRC_TABLE[(value ^ byte) & 255];
  return (value ^ 0xffffffff) >>> 0;
}

/** @typedef {{ name: string, bytes: Uint8Array }} Member */

// A record of little-endian fields: pairs of a number and its size in bytes, then a name.
/** @type {(fields: [value: number, size: number][], name: string) => Uint8Array} */
function writeRecord(fields, name) {
  const head = fields.reduce((sum, [, size]) => sum + size, 0);
  const text = new TextEncoder().encode(name);
  const bytes = new Uint8Array(head + text.length);
  let at = 0;
  for (const [value, size] of fields) {
    for (let i = 0; i < size; i++) bytes[at++] = Math.floor(value / 256 ** i) % 256;
  }
  bytes.set(text, head);
  return bytes;
}

// An archive of stored members.
/** @param {Member[]} members */
function writeZip(members) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const { name, bytes } of members) {
    /** @type {[number, number][]} */
    const common = [[20, 2], [0x800, 2], [0, 2], [0, 2], [DOS_TIME, 2], [findChecksum(bytes), 4], [bytes.length, 4],
      [bytes.length, 4], [new TextEncoder().encode(name).length, 2], [0, 2]];
    const local = writeRecord([[0x04034b50, 4], ...common], name);
    parts.push(local, bytes);
    directory.push(writeRecord([[0x02014b50, 4], [20, 2], ...common, [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]], name));
    offset += local.length + bytes.length;
  }
  const size = directory.reduce((sum, record) => sum + record.length, 0);
  const count = members.length;
  const end = writeRecord([[0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [size, 4], [offset, 4], [0, 2]], "");
  return joinBytes([...parts, ...directory, end]);
}

/** @param {Uint8Array[]} parts */
function joinBytes(parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

// An array as NumPy stores it.
/** @type {(name: string, type: string, shape: number[], values: Float64Array | BigInt64Array) => Member} */
function writeArray(name, type, shape, values) {
  const text = `{'descr': '${type}', 'fortran_order': False, 'shape': (${shape.join(", ")}${shape.length === 1 ? "," : ""}), }`;
  const length = Math.ceil((10 + text.length + 1) / 64) * 64 - 10;
  const head = new TextEncoder().encode(`${text.padEnd(length - 1)}\n`);
  const size = new Uint8Array([length % 256, Math.floor(length / 256)]);
  const data = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return { name: `${name}.npy`, bytes: joinBytes([new Uint8Array(MAGIC), size, head, data]) };
}

// The moments of a block in the units of the table.
/** @type {(blocks: MomentBlocks, number: number) => { mean: Float64Array, members: Member[] }} */
function describeBlock(blocks, number) {
  const { columns } = blocks.table;
  const block = blocks.blocks[number];
  const total = blocks.width + blocks.holes.length;
  const mean = Float64Array.from(columns, (column, j) => (block.count ? column.mean + column.std * block.mean[j] : 0));
  const members = [];
  for (let top = 0; top < columns.length; top += TILE) {
    for (let left = top; left < columns.length; left += TILE) {
      const [rows, width] = [Math.min(TILE, columns.length - top), Math.min(TILE, columns.length - left)];
      const tile = Float64Array.from({ length: rows * width }, (_, at) => {
        const [i, j] = [top + Math.floor(at / width), left + (at % width)];
        return block.scatter[i * total + j] * columns[i].std * columns[j].std;
      });
      members.push(writeArray(`scatter_${number}_${top / TILE}_${left / TILE}`, "<f8", [rows, width], tile));
    }
  }
  return { mean, members };
}

// The summary of all analysed columns that vary.
/** @type {(analysis: import("./answer.js").Analysis) => Uint8Array} */
export function writeSummary({ blocks, standard, encoded, rows }) {
  const single = standard.columns.length === standard.owners.length && encoded.used.every(({ levels }) => !levels);
  if (!(blocks instanceof MomentBlocks) || !single) throw new Declined("summary");
  const { columns } = standard;
  const names = columns.map(({ owner }) => encoded.used[owner].column.name);
  const count = blocks.blocks.length;
  const header = {
    format: "tamis summary", version: 1, tamis: "page", names, named: true, kinds: names.map(() => "numeric"),
    rows, used: rows, missing: [blocks.holes.length ? "mean" : "error"], parts: 1, blocks: count,
  };
  const described = blocks.blocks.map((_, number) => describeBlock(blocks, number));
  const shape = [count, columns.length];
  const every = new Float64Array(count * columns.length);
  described.forEach(({ mean }, number) => every.set(mean, number * columns.length));
  const absent = BigInt64Array.from(columns, ({ owner }) => BigInt(encoded.used[owner].missing));
  return writeZip([
    { name: "header.json", bytes: new TextEncoder().encode(JSON.stringify(header, null, 1)) },
    writeArray("count", "<i8", [count], BigInt64Array.from(blocks.counts, BigInt)),
    writeArray("missing", "<i8", [columns.length], absent),
    writeArray("mean", "<f8", shape, every),
    writeArray("rest", "<f8", shape, new Float64Array(every.length)),
    writeArray("unit", "<f8", shape, new Float64Array(every.length).fill(1)),
    ...described.flatMap(({ members }) => members),
  ]);
}
