// What the scripts of the pages hold; read by the type checker only (make js), never by a browser.

// What a script reads of tamis.rules: a module of it, then a rule (bundle_modules of fill.py).
declare const RULES: Record<string, Record<string, any>>;

type Kind = "safe" | "partly" | "lost" | "dropped"; // of dropped columns; the last where new rows were not measured
type Pair = [column: number, weight: number];
type Prices = Record<string, number>; // by the name of a column

type Gram = import("./gram.js").Gram;

// Which columns of a matrix stand for each column of the table.
interface Groups {
  starts: Int32Array;
  sizes: Int32Array;
  single: boolean;
}

interface GroupedGram {
  gram: Gram;
  groups: Groups;
  nRows: number | null; // behind the matrix; not needed where all groups are single columns
}

// R and RR for the columns of a group; empty where it is a single one.
interface Block {
  left: number[][];
  squares: number[][];
}

interface Shrinkage {
  shrink: number;
  noise: ArrayLike<number> | null; // of every group, what its shrinkage is multiplied with
}

interface Asked extends Partial<Shrinkage> {
  size: number;
  retain?: number; // the share that is enough
  include?: number[]; // groups that come first
  forbid?: number[]; // groups that are never taken
  costs?: [group: number, price: number][];
}

interface Path {
  indices: number[]; // groups in the order they are taken
  retained: number[]; // share explained by the first 1, 2, ... of them
}

// What Python has packed for the page of a selection (selection.py).
interface SelectionData {
  rows: number; // of a table shown at first
  title: string;
  words: Words;
  measure: string;
  ranked: boolean;
  sentence: string;
  k: number;
  path: number[];
  axis: [number, number] | null;
  retained: number[];
  bound: number[];
  held: number[];
  chance: (number | null)[];
  steps: number[];
  new_rows: number; // the last step at which new rows were tried, 0 for none
  sources: boolean; // whether sources are stored for all steps
  swaps: Record<string, [name: string, change: number][]> | null;
  included: string[];
  frequency: Record<string, number> | null;
  sample: { why: string; rows: number; seen: number };
  patterns: Patterns;
  map: { columns: number[] } | null; // similarities are the block "map"
  live: Live | null;
  blocks: Record<string, string>;
}

interface Words {
  before: [[string, string], [string, string]];
  after: string;
  alone: string[];
  nothing: string;
  share: string;
  signed: boolean;
  in_percent: boolean;
}

interface Patterns {
  command?: string | null;
  python?: string | null;
}

// What the page needs to choose again (results/slider_facts.py).
interface Live {
  columns: number[] | null; // null where all are in the matrix
  width: number; // of the matrix, which is the block "gram" of the page
  rounded: boolean; // whether it is one of fillRounded
  sizes: number[] | null; // columns of the matrix for each column of the table, null where it is one
  rows: number | null; // behind the matrix, where sizes differ
  shrink: number;
  noise: number[] | null; // of each column, what its shrinkage is multiplied with
  bound: number[];
  same: boolean;
  fixed: Wishes;
  spelled: { include: string; forbid: string };
  patterns: Patterns;
}

interface Wishes {
  include: string[];
  forbid: string[];
  costs: Prices;
}

// What Python has packed for the page of an extraction (answers.py).
interface ExtractionData {
  box: [left: number, top: number, right: number, floor: number];
  steps: number;
  scores: string[];
  ticks: [step: number, text: string][][];
  names: string[];
}

// What every column of the table is (results/slider_facts.py); what is unknown is null.
interface Listed {
  rows: number; // the counts rest on
  kinds: string[];
  kind_of: (number | null)[];
  missing: (number | null)[];
  distinct: (number | null)[];
  estimated: number[];
  low: string[];
  high: string[];
  odd: Record<string, string[]>; // by position
  rows_shown: string[][]; // of each kept column a few cells
}

// The table: every column, analysed or not.
interface Table {
  names: string[];
  used: ArrayLike<number> & Iterable<number>; // of each analysed column its position in `names`
  skipped: Record<string, string>;
  missing: Record<string, number>;
  texts: Record<string, string>;
  reasons: Record<string, string>;
  kinds: { words: string[]; each: number[] | null } | null;
  sampled: Sampled[];
}

type Sampled = [
  column: number, distinct: number, low: number, high: number, mean: number, std: number, labels?: string[],
];

// What was found: by Python, or by the page for other wishes. A "column" is a position in `used`.
interface Model extends Table {
  listed: Listed;
  base: boolean; // whether Python has found it
  blocks: Record<string, ArrayBuffer>;
  path: number[]; // columns in the order they are kept
  retained: number[]; // share explained by the first 1, 2, ... of them
  bound: number[]; // its ceiling
  held: number[]; // the share on held-out rows; may be empty or shorter
  least?: number; // columns that are kept in any case
  about?: string | null; // of what the shares are, where it is not the table
  getChance(k: number): number | null; // what chance alone explains
  getShares(k: number): Float64Array; // share explained of every column when k are kept, on these rows
  getNewRows(k: number): NewRows | null; // the same on new rows, null where that was not measured
  getSources(column: number, k: number): Sources | null; // null where they are unknown
  isExact?(k: number): boolean; // whether getShares(k) was stored and not interpolated
}

interface NewRows {
  shares: Float64Array; // below 0 where worse than the mean
  low: Float64Array; // their lower limits
}

interface Sources {
  pairs: Pair[];
  carried: number;
  step: number; // the number of kept columns for which they were looked up
}

// What all views show. Columns are given by name in `pins`, `barred`, `prices` and `column`.
interface State {
  k: number;
  starting: Model; // the one that Python has found
  model: Model; // the one that is shown
  pins: string[];
  barred: string[];
  prices: Prices;
  column: string | null; // the one whose card is open
}

type View = (state: State, before: State) => void; // draws what has changed

// What a page is made of.
interface Parts {
  starters: (() => void)[]; // called once, when the model is there
  views: View[];
  slowViews: View[]; // long lists: of a wide table they wait until the slider rests
  chooseModel: (state: State) => Model;
}

// What became of a column; only of a dropped one there is a share, the one that stands first.
interface Fate {
  kind: Kind | "kept" | "out";
  column?: number;
  share?: number;
}

interface Status extends Fate {
  text: string;
}

// How a share becomes a height (share_scale.js); `least` is 0 on a straight axis.
interface ShareScale {
  top: number;
  least: number;
  most: number;
  low: number;
}

type Attributes = Record<string, string | number>;
