// From the bytes of a file to what to keep, as `tamis select FILE` answers: run/selection.py.
import { addUp } from "../page/gram.js";
import { listLinks, listMembers, listShares, Residual, search } from "../page/greedy.js";
import { MomentBlocks, SampleBlocks, standardise } from "./blocks.js";
import { Declined } from "./decline.js";
import { encodeTable, leaveExtremes, readColumns, sampleTable } from "./encode.js";
import { measureSpread } from "./fills.js";
import {
  applyShrinkage, chooseShrinkage, findAutoSize, findShareSize, holdOutColumns, judgeLimits, summariseHeldOut,
} from "./held_out.js";
import { judgeColumns } from "./judge.js";
import { findEigenvalues } from "./matrices.js";
import { readTable } from "./read_table.js";

const { N_BLOCKS, USUAL_RETAIN } = RULES.search;

// What 1, 2, ... of any columns can explain at most: as evaluation/measure.py, which has the proof for groups.
/** @type {(part: Part, size: number) => number[]} */
function findCeiling(part, size) {
  const { gram, groups } = part;
  const total = addUp(gram.diagonal);
  const sums = [0];
  findEigenvalues(gram.core, gram.coreSize).forEach((value) => sums.push(sums[sums.length - 1] + value / total));
  /** @param {number} count */
  const lead = (count) => Math.min(sums[Math.min(count, sums.length - 1)], 1);
  if (groups.single) return Array.from({ length: size }, (_, step) => lead(step + 1));
  const alone = new Residual(part).measure().gains;
  const ordered = Array.from(groups.sizes, (_, group) => ({ rank: findRank(gram, groups, group), alone: alone[group] })).sort((a, b) => b.rank - a.rank);
  const ends = [0];
  ordered.forEach(({ rank }) => ends.push(ends[ends.length - 1] + rank));
  return Array.from({ length: size }, (_, step) => {
    const bounds = ordered.slice(0, Math.max(ordered.length - step, 1)).map((group, first) => {
      const others = ends[Math.min(first + step + 1, ordered.length)] - ends[first + 1];
      return Math.min(group.alone + lead(others), lead(group.rank + others));
    });
    return Math.min(Math.max(...bounds), 1);
  });
}

// How many columns of a group do not follow from its others.
/** @type {(gram: Gram, groups: Groups, group: number) => number} */
function findRank(gram, groups, group) {
  const members = listMembers(groups, [group]);
  if (members.length === 1) return 1;
  const rows = members.map((j) => gram.column(j));
  const values = findEigenvalues(Float64Array.from(rows.flatMap((row) => members.map((j) => row[j]))), members.length);
  return Math.max(values.filter((value) => value > RULES.tolerances.RANK_TOL * values[0]).length, 1);
}

// What every other column in place of a kept one would change in the share explained.
/** @type {(part: Part, kept: number[], place: number) => { group: number, change: number }[]} */
function listSwaps(part, kept, place) {
  /** @param {number[]} groups */
  const take = (groups) => {
    const residual = new Residual(part);
    groups.forEach((group) => residual.take(group));
    return residual;
  };
  const before = take(kept).retained[kept.length - 1];
  const residual = take(kept.filter((_, i) => i !== place));
  const share = residual.retained[kept.length - 2] ?? 0;
  const taken = new Set(kept);
  return Array.from(residual.measure().gains, (gain, group) => ({ group, change: share + gain - before }))
    .filter(({ group }) => !taken.has(group)).sort((a, b) => b.change - a.change);
}

const MOST_SWAPS = 5;
const MOST_COLUMNS = { matrix: 1500, rows: 8000 }; // of the matrix, and where rows are fewer

/** @type {(bytes: Uint8Array, fileName: string, report: Progress) => { table: TextTable, judged: Judgement[] }} */
export function look(bytes, fileName, report) {
  const table = readTable(bytes, fileName, report);
  return { table, judged: judgeColumns(table, report) };
}

/** @type {(table: Standardised, report: Progress) => Blocks} */
function makeBlocks(table, report) {
  const width = table.columns.length;
  const holes = table.columns.filter(({ marks }) => marks).length;
  const single = width === table.owners.length;
  if (table.rows < width && single) {
    if (width > MOST_COLUMNS.rows) throw new Declined("wide", `${width} columns`);
    return new SampleBlocks(table, N_BLOCKS);
  }
  if (width + holes > MOST_COLUMNS.matrix) throw new Declined("wide", `${width} columns`);
  return new MomentBlocks(table, N_BLOCKS, report);
}

/** @type {(encoded: EncodedTable, report: Progress) => Prepared} */
function prepare(encoded, report) {
  const standard = standardise(encoded);
  if (standard.owners.length < 2) throw new Declined("keys");
  const blocks = makeBlocks(standard, report);
  return { encoded, standard, blocks, whole: blocks.whole() };
}

// The shrinkage for so many columns.
/** @type {(table: Prepared, size: number, report: Progress) => Shrinkage} */
function settle({ encoded, standard, blocks, whole }, size, report) {
  const tails = standard.owners.map((owner) => encoded.used[owner].tail);
  return chooseShrinkage(blocks, whole, size, tails, report);
}

// How far the slider goes beyond the choice.
/** @type {(k: number, width: number) => number} */
const findReach = (k, width) => Math.min(width, Math.max(k + 10, Math.ceil(1.5 * k)));

/** A table of which all is known that the choice of columns needs; more can be asked of it. */
export class Analysis {
  /** @param {TextTable} table @param {Judgement[]} judged @param {Progress} report */
  constructor(table, judged, report, encoded = encodeTable(readColumns(table, judged), table.rows, report)) {
    const { standard, blocks, whole } = prepare(encoded, report);
    this.table = table;
    this.rows = table.rows;
    this.judged = judged;
    this.encoded = encoded;
    this.standard = standard;
    this.blocks = blocks;
    this.whole = whole;
    this.judgedExtremes = false;
    this.names = standard.owners.map((owner) => encoded.used[owner].column.name);
    const plain = search(whole, { size: this.names.length, retain: USUAL_RETAIN });
    this.choice = settle(this, Math.max(plain.indices.length, 1), report);
    /** @type {number | null} */
    this.asIs = null;
  }

  // Leave extreme values as they are if limits cost too much with so many columns; say whether they do.
  /** @type {(size: number, report: Progress) => boolean} */
  judgeExtremes(size, report) {
    if (this.judgedExtremes || !this.encoded.used.some(({ clipped }) => clipped)) return false;
    this.judgedExtremes = true;
    const some = sampleTable(this.encoded, report);
    if (!some?.used.some(({ clipped }) => clipped)) return false;
    const own = some === this.encoded ? this : prepare(some, report);
    const limited = { ...own, choice: own === this ? this.choice : settle(own, size, report) };
    const plain = prepare(leaveExtremes(some), report);
    const found = judgeLimits(limited, { ...plain, choice: settle(plain, size, report) }, size, report);
    if (found?.costs) Object.assign(this, new Analysis(this.table, this.judged, report, leaveExtremes(this.encoded)), { judgedExtremes: true });
    else this.asIs = found && found.share;
    return Boolean(found?.costs);
  }

  /** @type {(wanted: Partial<Asked>) => Path} */
  find(asked) {
    return search(this.whole, { size: this.names.length, ...applyShrinkage(this.choice, this.whole), ...asked });
  }

  // The default: as few columns as explain 95% of new rows.
  /** @type {(report: Progress) => Answer} */
  select(report) {
    const held = findShareSize(this.blocks, this.whole, this.choice, USUAL_RETAIN, report);
    const k = held.errors[0].length;
    if (this.judgeExtremes(k, report)) return this.select(report);
    return this.describe(k, held, null, report);
  }

  // As many as the table says.
  /** @type {(draws: Record<string, number[][]>, report: Progress) => Answer} */
  selectAuto(draws, report) {
    if (this.blocks.counts.filter(Boolean).length < 4) throw new Declined("few");
    const auto = findAutoSize(this.blocks, this.whole, this.choice, draws, report);
    if (this.judgeExtremes(auto.k, report)) return this.selectAuto(draws, report);
    return this.describe(auto.k, auto.folds, auto, report);
  }

  /** @returns {ValueFacts[]} */
  listValueFacts() {
    const judged = new Map(this.judged.map((one) => [one.name, one]));
    const stds = new Map(this.standard.columns.map(({ owner, std }) => [owner, std]));
    return this.standard.owners.map((owner) => {
      const { column, clipped } = this.encoded.used[owner];
      const std = stds.get(owner) ?? NaN;
      const within = clipped && column.values ? Math.min(std ** 2 / measureSpread(column.values).variance, 1) : 1;
      const one = judged.get(column.name);
      const [low, high] = [one?.smallest, one?.largest];
      if (!column.values || one?.action !== "numbers" || one.distinct < 2 || typeof low !== "number" || typeof high !== "number") return { gap: NaN, within };
      return { gap: ((high - low) / (one.distinct - 1) / std) ** 2, within };
    });
  }

  /** @type {(k: number, folds: HeldOut, auto: AutoSize | null, report: Progress) => Answer} */
  describe(k, folds, auto, report) {
    const { indices: path, retained } = this.find({ size: findReach(k, this.names.length) });
    if (path.length < k) throw new Declined("few"); // of all rows the search ends before that of the folds
    const { whole, encoded, standard } = this;
    const held = summariseHeldOut(folds);
    const newRows = holdOutColumns(this.blocks, path.slice(0, k), folds.kept.map((kept) => kept.slice(0, k)), this.listValueFacts(), report);
    return {
      rows: this.rows,
      names: this.names,
      k, path, retained, held, newRows,
      asIs: k < this.names.length ? this.asIs : null,
      bound: findCeiling(whole, path.length),
      shares: listShares(whole, path),
      links: listLinks(whole, path),
      signed: whole.groups.single,
      freedom: path.map((_, step) => addUp(Float64Array.from(path.slice(0, step + 1), (group) => Math.max(whole.groups.sizes[group] - 1, 1)))),
      shrink: this.choice.shrink,
      byTails: this.choice.noise !== null,
      auto: auto && { k: auto.k, low: auto.low, high: auto.high, next: auto.worth[auto.k] ?? null },
      skipped: [...this.judged.filter(({ why }) => why).map(({ name, why }) => ({ name, why })),
        ...Array.from(encoded.skipped, ([name, why]) => ({ name, why })),
        ...standard.constant.map((name) => ({ name, why: "constant" }))],
      clipped: encoded.used.filter(({ clipped }) => clipped).map(({ column, clipped }) => ({ name: column.name, clipped })),
      pooled: encoded.used.filter(({ pooled }) => pooled).map(({ column, pooled }) => `${column.name} (${pooled})`),
      marked: encoded.used.filter(({ levels }) => levels?.length === 2).map(({ column, levels }) => `${column.name} = '${levels?.[0]}'`),
      missing: encoded.used.filter(({ missing }) => missing).map(({ column, missing }) => ({ name: column.name, missing })),
    };
  }

  // Other wishes: columns that come first, and columns that are never kept.
  /** @type {(include: number[], forbid: number[], k: number) => Wished} */
  wish(include, forbid, k) {
    const size = findReach(Math.max(k, include.length), this.names.length);
    const { indices: path, retained } = this.find({ size, include, forbid });
    return { path, retained, shares: listShares(this.whole, path), links: listLinks(this.whole, path) };
  }

  /** @type {(kept: number[], place: number) => { group: number, change: number }[]} */
  listSwaps(kept, place) { return listSwaps(this.whole, kept, place).slice(0, MOST_SWAPS); }
}
