// What is said of a column in a word or two.
import { findDrawer } from "./model.js";
import { indexNames, state } from "./state.js";
import { formatCount, formatTenths, readOwn } from "./text.js";

const WORDS = { safe: "safe to drop", partly: "partly lost", lost: "lost" };

// `position` is that of its name in the table.
/** @type {(position: number) => Status} */
export function describeStatus(position) {
  const { model, k, starting } = state;
  const column = indexNames().column.get(position);
  if (column === undefined) {
    return { kind: "out", text: `not analysed: ${readOwn(starting.skipped, model.names[position]) ?? "skipped"}` };
  }
  const rank = model.path.indexOf(column);
  if (rank >= 0 && rank < k) {
    return { kind: "kept", text: `kept, number ${formatCount(rank + 1)} of ${formatCount(k)}`, column };
  }
  const share = model.getShares(k)[column];
  const kind = findDrawer(share, model, k);
  return { kind, text: `dropped, ${WORDS[kind]}: ${formatTenths(share)} explained`, column, share };
}
