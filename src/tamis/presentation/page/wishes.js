// What is wished for: columns that are pinned, forbidden or priced.
import { data } from "./model.js";
import { setState, state } from "./state.js";
import { readOwn } from "./text.js";

const NO_WISHES = { include: [], forbid: [], costs: {} };
const fixed = data.live?.fixed ?? NO_WISHES; // what was asked in the call

/** @param {Pick<State, "pins" | "barred" | "prices">} wished */
export const isWished = ({ pins, barred, prices } = state) =>
  pins.length + barred.length + Object.keys(prices).length > 0;

// All that is wished, by name: what was asked in the call comes first.
/** @param {Pick<State, "pins" | "barred" | "prices">} wished @returns {Wishes} */
export function listWishes({ pins, barred, prices } = state) {
  const include = [...new Set([...fixed.include, ...pins])];
  const forbid = [...new Set([...fixed.forbid, ...barred])].filter((name) => !include.includes(name));
  return { include, forbid, costs: { ...fixed.costs, ...prices } };
}

// The price that the call gives a column, or 1.
/** @param {string} name */
export const getUsualPrice = (name) => readOwn(fixed.costs, name) ?? 1;

// A column gets a price, or with none its usual one.
/** @type {(name: string, price?: number) => void} */
export function setPrice(name, price = getUsualPrice(name)) {
  const rest = Object.fromEntries(Object.entries(state.prices).filter(([other]) => other !== name));
  setState({ prices: price === getUsualPrice(name) ? rest : { ...rest, [name]: price } });
}

// A column is pinned or forbidden, not both.
/** @type {(kind: "pin" | "bar", name: string, on: boolean) => void} */
export function setWish(kind, name, on) {
  /** @type {(names: string[], mine: boolean) => string[]} */
  const change = (names, mine) => [...names.filter((other) => other !== name), ...(mine && on ? [name] : [])];
  setState({ pins: change(state.pins, kind === "pin"), barred: change(state.barred, kind === "bar") });
}

export const resetWishes = () => setState({ pins: [], barred: [], prices: {} });
