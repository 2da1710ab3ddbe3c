// What explains a dropped column, in words.
import { make, makeName, makeQuiet } from "./elements.js";
import { data } from "./model.js";
import { getName, isChoice, state } from "./state.js";
import { fillPattern, formatCount, formatTenths, isNumber, pluralise, readOwn, sortByWeight } from "./text.js";

// The few kept columns with their weights.
/** @type {(column: number, share: number) => (Node | string)[]} */
export function describeSources(column, share) {
  const { model, k } = state;
  const found = model.getSources(column, k);
  if (!found) return [makeQuiet(`listed for ${pluralise(data.k, "column")} only`)];
  const { carried } = found;
  const pairs = share > (model.getChance(k) ?? 0) ? found.pairs : []; // by chance weights say nothing
  /** @type {(Node | string)[]} */
  const parts = [];
  const reason = isChoice() && readOwn(state.starting.reasons, getName(column));
  if (reason) parts.push(make("span", { class: "reason" }, reason === "forbidden" ? "forbidden by you" : reason), " ");
  parts.push(...sortByWeight(pairs).flatMap(writeTerm));
  if (!pairs.length) parts.push(makeQuiet(data.words.nothing));
  else if (data.words.alone.length && carried < share - 1e-9) {
    parts.push(" ", makeQuiet(fillPattern(data.words.alone[pairs.length - 1], formatTenths(carried))));
  }
  if (found.step !== k && pairs.length) parts.push(" ", makeQuiet(`(when ${formatCount(found.step)} are kept)`));
  return parts;
}

/** @param {number} weight */
const formatWeight = (weight) =>
  (data.words.in_percent ? `${Math.round(100 * Math.abs(weight))}%` : Math.abs(weight).toFixed(2));

/** @type {(pair: Pair, place: number) => (Node | string)[]} */
function writeTerm([source, weight], place) {
  const size = formatWeight(weight);
  const name = getName(source);
  const mark = isNumber(name) ? '"' : "";
  const before = data.words.before[place > 0 ? 1 : 0][weight < 0 ? 1 : 0];
  return [fillPattern(before, size) + mark, make("b", {}, makeName(name)), mark + fillPattern(data.words.after, size)];
}
