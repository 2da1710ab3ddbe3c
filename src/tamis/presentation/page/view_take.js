// To take away: tables, pictures, and the calls that give what the page shows, written as a shell and
// as Python want them.
import { describeStatus } from "./columns.js";
import { saveFile, writeList } from "./copying.js";
import { find, pickAll, seek } from "./elements.js";
import { data } from "./model.js";
import { makePictureButtons } from "./pictures.js";
import { getName, isChoice, listKept, state } from "./state.js";
import { quoteCell, quoteName, quoteNumber, quoteWord, readOwn, sortByWeight } from "./text.js";
import { listWishes } from "./wishes.js";

/** @param {Wishes} wishes */
function writePython({ include, forbid, costs }) {
  const priced = Object.entries(costs).map(([name, price]) => `${quoteName(name)}: ${price}`);
  return (include.length ? `, include=${writeList(include)}` : "")
    + (forbid.length ? `, forbid=${writeList(forbid)}` : "")
    + (priced.length ? `, costs={${priced.join(", ")}}` : "");
}

/** @param {Wishes} wishes */
function writeFlags({ include, forbid, costs }) {
  /** @param {string[]} names */
  const writeNames = (names) => quoteWord(names.map(quoteCell).join(","));
  return (include.length ? ` --include ${writeNames(include)}` : "")
    + (forbid.length ? ` --forbid ${writeNames(forbid)}` : "")
    + Object.entries(costs).map(([name, price]) => ` --cost ${quoteWord(`${name}=${price}`)}`).join("");
}

// Put the number of columns and the wishes into a call of Python or of a terminal.
/** @type {(pattern: string, python: boolean) => string} */
function writeCall(pattern, python) {
  const wished = listWishes();
  const more = state.model.base ? "" : python ? writePython(wished) : writeFlags(wished);
  return pattern.replace(/{{|}}|{k}|{more}/g, (hit) =>
    (hit === "{k}" ? String(state.k) : hit === "{more}" ? more : hit[0]));
}

/** @type {("command" | "python")[]} */
const CALLS = ["command", "python"];
/** @type {Record<string, string>} */
const given = {}; // the calls as Python has written them

/** @param {(string | number)[]} cells */
const writeLine = (cells) => cells.map((cell) => quoteCell(String(cell))).join(",");
/** @param {number} share */
const formatShare = (share) => String(Number(share.toFixed(4)));

function writeKept() {
  const { held, retained } = state.model;
  const lines = listKept().map((column, place) => writeLine([place + 1, getName(column),
    held[place] === undefined ? "" : formatShare(held[place]), formatShare(retained[place] - (retained[place - 1] ?? 0)), formatShare(retained[place])]));
  return ["rank,column,new_rows,adds,share", ...lines, ""].join("\n");
}

/** @type {(name: string, position: number) => string} */
function writeReason(name, position) {
  const { model, k, starting } = state;
  const { kind, column, share } = describeStatus(position);
  if (column === undefined) return writeLine([name, "skipped", "", "", "", "", "", readOwn(starting.skipped, name) ?? ""]);
  if (share === undefined) return writeLine([name, kind, "", "", "1", "", "", ""]); // a kept column
  const fresh = model.getNewRows(k);
  const found = model.getSources(column, k);
  const from = sortByWeight(found?.pairs ?? []).map(([source, weight]) => data.words.in_percent
    ? `${Math.round(100 * weight)}% by ${quoteNumber(getName(source))}` : `${weight} x ${quoteNumber(getName(source))}`);
  return writeLine([name, kind === "partly" ? "partly lost" : kind, ...[fresh?.shares, fresh?.low, model.getShares(k)].map((shares) => (shares ? formatShare(shares[column]) : "")),
    from.join("; "), found ? formatShare(found.carried) : "",
    (isChoice() && readOwn(starting.reasons, name)) || ""]);
}

function writeReasons() {
  return ["column,status,new_rows,new_rows_low,share,mostly_by,by_these_alone,reason", ...state.model.names.map(writeReason), ""].join("\n");
}

export function startTake() {
  find("files").hidden = false;
  CALLS.forEach((id) => { given[id] = seek(id)?.textContent ?? ""; });
  find("save-kept").addEventListener("click", () => saveFile("kept.csv", writeKept(), "text/csv"));
  find("save-reasons").addEventListener("click", () => saveFile("explanations.csv", writeReasons(), "text/csv"));
  find("pictures").append(...pickAll("figure[data-picture]", HTMLElement).map(makePictureButtons));
}

export function showCalls() {
  CALLS.forEach((id) => {
    const place = seek(id);
    if (!place) return;
    const pattern = (state.model.base ? data.patterns : data.live?.patterns)?.[id];
    place.textContent = isChoice() || !pattern ? given[id] : writeCall(pattern, id === "python");
  });
  const differs = seek("take-differs");
  if (differs) differs.hidden = state.model.base;
}
