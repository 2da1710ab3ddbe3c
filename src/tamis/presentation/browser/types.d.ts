// What the modules of this folder hand to each other.

type Progress = (stage: string, share: number) => void;

// A column of texts: of every row the place of its text in `levels`, -1 where it is missing.
interface TextColumn {
  codes: Int32Array;
  levels: string[];
}

interface Column {
  name: string;
  kind: "numeric" | "boolean" | "text" | "other";
  values: Float64Array | null; // numbers, NaN where missing; null where the column holds texts
  texts: TextColumn | null;
  rowNames?: boolean;
}

interface TextTable {
  columns: Column[];
  rows: number;
}

// What a column is taken for (columns/judgement.py).
interface Judgement {
  name: string;
  kind: string;
  missing: number;
  distinct: number;
  exact: boolean; // whether `distinct` is counted and no estimate
  smallest: number | string | null;
  largest: number | string | null;
  zeros: number;
  badges: string[];
  action: string;
  why: string;
  marks: string[]; // texts that are missing values among numbers
  decimal: string; // where texts are read as numbers
  absent: number[]; // numbers that stand for a missing value
}

// Some rows, and what is needed to try a choice on the others.
interface Part extends GroupedGram {
  nRows: number;
  varying: Int32Array; // of each group its place among all that vary
}

interface HeldRows {
  weights: Float64Array; // how often the square of a column counts: in the unit of all rows
  unknown: Float64Array; // squares of the columns of the table that do not vary in the training rows
  total: number;
  squares: Float64Array; // the diagonal of their sums of products
  takeRows: (columns: number[]) => Float64Array;
}

// A column that is analysed: numbers (NaN where missing) or texts.
interface ReadColumn {
  name: string;
  place: number; // among all columns of the table
  values: Float64Array | null;
  texts: TextColumn | null;
}

// The same as numbers: one column, or one for each level.
interface EncodedColumn {
  column: ReadColumn;
  values: Float64Array[];
  levels: string[] | null;
  pooled: string; // how many of the levels are rare and pooled into one
  why: string; // for which it is not analysed
  missing: number;
  limits: [number, number] | null; // to which extreme values are drawn in
  tail: number; // how heavy its tails are, 1 for a normal distribution
  clipped: number;
}

interface EncodedTable {
  used: EncodedColumn[];
  skipped: Map<string, string>;
  blocks: Uint8Array; // of every row
  rows: number;
  read: ReadColumn[];
}

// What is known of a column once it is filled.
interface Spread {
  mean: number;
  std: number;
  fill: number;
}

interface StandardColumn {
  owner: number; // its place among the encoded columns of the table
  mean: number;
  std: number;
  weight: number; // 1 for numbers, so that the levels of a category add up to 1
  values: Float64Array; // the fill where missing
  marks: Float64Array | null; // 1 where missing
}

interface Standardised {
  columns: StandardColumn[];
  constant: string[];
  owners: number[]; // those of which any column varies
  blocks: Uint8Array;
  rows: number;
}

// A table by blocks of rows, in either form.
interface Blocks {
  counts: number[];
  whole(): Part;
  // `places` are those of the columns of the part among those of the table.
  split(chosen: boolean[]): { part: Part; held: HeldRows; places: number[] };
}

// A table that is ready to be searched.
interface Prepared {
  encoded: EncodedTable;
  standard: Standardised;
  blocks: Blocks;
  whole: Part;
}

// Share explained on held-out rows, its deviation over the folds, and its interval.
interface HeldOutShares {
  share: number[];
  std: number[];
  low: number[];
  high: number[];
}

// Squared errors on held-out rows by fold: with 1, 2, ... columns, what each adds by being known
// itself, and with none.
interface HeldOut {
  errors: number[][];
  own: number[][];
  totals: number[];
  kept: number[][]; // columns of the table, in each fold
}

// What the values of a column say of its share on new rows.
interface ValueFacts {
  gap: number; // the smallest difference between them, squared, in variances; NaN where unknown
  within: number; // the part of their variance that is within the limits of extreme values
}

interface AutoSize {
  k: number;
  low: number;
  high: number;
  worth: number[]; // of each column to the others, on held-out rows, in variances of a column
  folds: HeldOut;
}

// What the worker has found; columns are places in `names`, those that were analysed.
interface Answer extends Wished {
  rows: number;
  names: string[];
  k: number;
  bound: number[];
  held: HeldOutShares;
  asIs: number | null; // the share of held-out values as they are, where extreme ones are limited
  newRows: NewRows[]; // of every column with 1, 2, ... of the kept ones
  signed: boolean; // whether links are correlations, and not shares
  freedom: number[]; // degrees of freedom of 1, 2, ... kept columns: the levels of a category count
  shrink: number;
  byTails: boolean;
  auto: { k: number; low: number; high: number; next: number | null } | null;
  skipped: { name: string; why: string }[];
  clipped: { name: string; clipped: number }[];
  missing: { name: string; missing: number }[];
  pooled: string[]; // categories whose rare levels are pooled
  marked: string[]; // of categories of two levels the one that weights are of
}

// A path for some wishes, with what its first 1, 2, ... columns explain of every column.
interface Wished {
  path: number[];
  retained: number[];
  shares: Float64Array[];
  links: Float64Array[]; // of each kept column with every column
}

type Question =
  | { type: "open"; file: File }
  | { type: "auto"; draws: Record<string, number[][]> }
  | { type: "wish"; include: number[]; forbid: number[]; k: number }
  | { type: "swaps"; kept: number[]; place: number }
  | { type: "summary" };

type Reply =
  | { type: "progress"; stage: string; share: number }
  | { type: "looked"; judged: Judgement[]; rows: number }
  | { type: "answer"; answer: Answer }
  | { type: "wished"; wished: Wished }
  | { type: "swaps"; place: number; swaps: { group: number; change: number }[] }
  | { type: "summary"; bytes: Uint8Array }
  | { type: "declined"; reason: string; message: string }
  | { type: "failed"; message: string };

// What the page shows: an answer, what was wished since, and for how many columns.
interface Shown {
  answer: Answer;
  wished: Wished; // the answer itself where nothing is wished
  k: number;
  pins: number[];
  barred: number[];
}

// What the reader can do with a column.
interface Acts {
  pin: (column: number) => void;
  bar: (column: number) => void;
  swap: (place: number) => void;
}
