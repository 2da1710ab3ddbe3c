// Whether the variables of a table are in its rows: sources/open.py.

const FEWEST_ROWS = 20;
const FEWEST_COLUMNS = 5;
const MAX_TEXTS = 3; // columns that describe variables, before the numbers or behind
const LEAST_NUMBERED = 3; // columns of one word with a number
const ALIKE = 0.8;
const LOOKED_AT = 1000; // names
const IDS = /^(ENS[A-Z]{0,6}[GTP]\d{11}(\.\d+)?|rs\d{3,}|cg\d{8}|\d{4,}(_[a-z])?_at|[NX][MRP]_\d{6,}(\.\d+)?|(OTU|ASV)[ _.-]?\d+|HMDB\d{5,}|ILMN_\d+|A_\d+_P\d+)$/;
const VARIABLES = /^(#?(gene|probe|probe ?set|feature|otu|asv|transcript|snp|cpg|metabolite|protein|peptide|taxon|taxa|variable|marker|ensembl|analyte|lipid)s?[ _.]?(ids?|names?|symbols?)?|id_ref|symbol|rsid)$/i;
const OBSERVATIONS = /^([ACGT]{8,}([-_.]\w+)?|[ACGT]{4,}\d+-\d+|(GSM|SRR|ERR|DRR)\d+|TCGA[-.]\w.*|(sample|cell|patient|subject|donor|participant|respondent|individual|mouse|rat|case|control|tumou?r|replicate|spot|barcode)s?[ _.-]?[A-Z]?\d+.*)$/i;
const NUMBERED = /^(.*?)[ _.-]?\d+$/;

/** @type {(names: string[], pattern: RegExp) => number} */
function shareOf(names, pattern) {
  const some = names.slice(0, LOOKED_AT);
  return some.filter((name) => pattern.test(name.slice(0, 100))).length / Math.max(some.length, 1);
}

// Whether most names are one word or a few with a number: S1, S2, ...
/** @param {string[]} names */
function areNumbered(names) {
  /** @type {Map<string, number>} */
  const words = new Map();
  for (const name of names.slice(0, LOOKED_AT)) {
    const word = NUMBERED.exec(name.slice(0, 100))?.[1];
    if (word !== undefined) words.set(word, (words.get(word) ?? 0) + 1);
  }
  const numbered = [...words.values()].filter((times) => times >= LEAST_NUMBERED).reduce((a, b) => a + b, 0);
  return numbered >= ALIKE * Math.min(names.length, LOOKED_AT);
}

/** @param {Column[]} columns */
export function looksTransposed(columns) {
  const [first] = columns;
  if (columns.length <= FEWEST_COLUMNS || !(first.rowNames || first.kind === "text")) return false;
  /** @param {Column} column */
  const isNumber = ({ kind, rowNames }) => !rowNames && (kind === "numeric" || kind === "boolean");
  const texts = columns.findIndex(isNumber);
  if (texts < 0 || texts > MAX_TEXTS || columns.length - texts < FEWEST_COLUMNS) return false;
  const last = columns.map(isNumber).lastIndexOf(true) + 1;
  const others = columns.slice(texts, last);
  if (columns.length - last > MAX_TEXTS || !others.every(isNumber)) return false;
  const rows = listTexts(first);
  if (rows.length < FEWEST_ROWS || new Set(rows).size < rows.length) return false;
  const names = others.map(({ name }) => name);
  const observed = shareOf(names, OBSERVATIONS) >= ALIKE;
  if (last < columns.length && !observed && !areNumbered(names)) return false;
  if (shareOf(rows, IDS) >= ALIKE) return true;
  if (VARIABLES.test(first.name.trim())) return observed || areNumbered(names);
  return observed && shareOf(rows, OBSERVATIONS) < ALIKE;
}

/** @param {Column} column */
function listTexts({ texts, values }) {
  if (texts) {
    return Array.from(texts.codes.subarray(0, LOOKED_AT)).filter((code) => code >= 0).map((code) => texts.levels[code]);
  }
  return Array.from(values ?? []).slice(0, LOOKED_AT).filter((value) => value === value).map(String);
}
