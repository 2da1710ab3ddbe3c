// The tables that this page does not answer: each is better refused than answered otherwise than
// Python does. Every reason stands here, once; `faulty` are tables that Python refuses as well.

/** @type {Record<string, string>} */
const REASONS = {
  suffix: "This page reads text tables (.csv, .tsv, .tab, .txt)",
  large: "The file is larger than 200 MB",
  empty: "The file has no rows below a header",
  encoding: "The text is not written in UTF-8",
  letters: "The text has control characters, or a byte order mark within it",
  layout: "The table has lines that are no rows, or columns without a name (titles, units, totals, comments, blank lines)",
  header: "The first line may be a row of values and not the names of the columns",
  quotes: "A cell has quotes inside its text, or more text behind them",
  thousands: "Commas in the numbers may separate thousands",
  orientation: "The variables may be in the rows of this table, and not in its columns",
  infinite: "The table has infinite or immense values",
  keys: "Nearly all columns are keys, texts or empty",
  counts: "The table is mostly zeros: counts, or made of counts, of which two scales are tried",
  rounded: "A column has integers beyond 2^53",
  wide: "The table has more columns than this page can relate to each other",
  summary: "A summary is written of tables of numbers with at least as many rows as columns",
  few: "The table has too few different rows to hold some of them back",
  faulty: "The table cannot be read",
};

export class Declined extends Error {
  /** @param {string} reason a key of REASONS @param {string} [detail] */
  constructor(reason, detail = "") {
    super(REASONS[reason] + (detail ? ` (${detail})` : ""));
    this.reason = reason;
  }
}
