// What if: columns are pinned, forbidden or priced, and the greedy loop runs again on the Gram matrix
// that the page holds. Without a wish the page shows what Python has found.
import { fillRounded, fillSquare } from "./gram.js";
import { findSources, listLinks, listShares, makeGroups, search } from "./greedy.js";
import { cacheLast, data } from "./model.js";
import { findColumn, state } from "./state.js";
import { formatCount } from "./text.js";
import { isWished, listWishes } from "./wishes.js";

const live = /** @type {Live} */ (data.live); // without it the page does not have this module

/** @type {GroupedGram | null} */
let known = null; // decoded at the first wish
/** @type {{ key: string, model: Model | null }} */
let latest = { key: "", model: null };

function decodeMatrix() {
  const { gram } = state.starting.blocks;
  const { rounded, rows, sizes, width } = live;
  known ??= {
    gram: rounded ? fillRounded(gram, width) : fillSquare(new Float64Array(gram), width),
    groups: makeGroups(sizes ?? new Uint8Array(width).fill(1)),
    nRows: rows,
  };
  return known;
}

// The place of a column in the matrix and back; the same where all columns are in it.
const places = live.columns && new Map(live.columns.map((column, place) => [column, place]));
/** @param {number} column */
const findPlace = (column) => (places ? places.get(column) : column);
/** @param {number} place */
const getColumn = (place) => (live.columns ? live.columns[place] : place);
/** @param {string} name */
function findNamedPlace(name) {
  const column = findColumn(name, state.starting);
  return column === undefined ? undefined : findPlace(column);
}

// Why a column cannot be wished for; nothing where it can.
/** @param {string} name */
export function explainRefusal(name) {
  const { fixed, spelled, width } = live;
  if (findColumn(name, state.starting) === undefined) return "It was not analysed, so it cannot be kept.";
  if (fixed.include.includes(name)) return "Kept in any case: the call says so.";
  if (fixed.forbid.includes(name)) return "Never kept: the call says so.";
  if (findNamedPlace(name) === undefined) {
    return `This page can choose from ${formatCount(width)} of ${formatCount(state.starting.used.length)} columns, and this one is not among them. A call can keep or forbid any: ${spelled.include}, ${spelled.forbid}.`;
  }
  return "";
}

// The model for the wishes of a state. An address may wish for more than can be.
/** @type {(wished: State) => Model} */
export function chooseModel(wished) {
  /** @param {string} name */
  const isPossible = (name) => !explainRefusal(name);
  wished.pins = wished.pins.filter(isPossible);
  wished.barred = wished.barred.filter((name) => isPossible(name) && !wished.pins.includes(name));
  wished.prices = Object.fromEntries(Object.entries(wished.prices).filter(([name]) => isPossible(name)));
  if (!isWished(wished)) return wished.starting;
  const all = listWishes(wished);
  const key = JSON.stringify(all);
  if (latest.key !== key || !latest.model) latest = { key, model: computeModel(all) };
  return latest.model ?? wished.starting;
}

/** @type {(wishes: Wishes) => Model} */
function computeModel({ include, forbid, costs }) {
  const { starting } = state;
  const first = listPlaces(include);
  const { bound, noise, shrink } = live;
  const grouped = decodeMatrix();
  const size = Math.max(bound.length, include.length);
  const { indices: path, retained } = search(grouped, { size, include: first, forbid: listPlaces(forbid), costs: placePrices(costs), shrink, noise });
  if (!path.length) return starting; // every column is forbidden
  const shares = listShares(grouped, path);
  const links = listLinks(grouped, path);
  return {
    ...starting,
    base: false,
    path: path.map(getColumn),
    retained,
    bound: retained.map((share, step) => Math.max(bound[step] ?? 1, share)),
    held: [],
    least: Math.max(first.length, 1),
    about: live.columns ? `of the variance of the ${formatCount(live.width)} columns that this page can choose from` : null,
    getChance: (kept) => Math.min(1, (countFreedom(path.slice(0, kept)) / countFreedom([findPlace(starting.path[0]) ?? 0])) * (starting.getChance(1) ?? 0)),
    getNewRows: () => null,
    isExact: undefined,
    getShares: cacheLast((kept) => spreadShares(shares[kept - 1], kept)),
    getSources(column, kept) {
      const place = findPlace(column);
      if (place === undefined) return null;
      const { pairs, carried } = findSources(path.slice(0, kept), links, place, shares[kept - 1][place], grouped.groups.single);
      return { pairs: pairs.map(([source, weight]) => [getColumn(source), weight]), carried, step: kept };
    },
  };
}

// Degrees of freedom of some columns: the levels of a category count.
/** @param {number[]} some */
const countFreedom = (some) => some.reduce((sum, place) => sum + Math.max((live.sizes?.[place] ?? 1) - 1, 1), 0);

/** @param {string[]} names */
const listPlaces = (names) => names.map(findNamedPlace).filter((place) => place !== undefined);

/** @param {Prices} costs */
const placePrices = (costs) => Object.entries(costs).flatMap(([name, price]) => {
  const place = findNamedPlace(name);
  return place === undefined ? [] : [/** @type {Pair} */ ([place, price])];
});

// Shares of all columns: those outside the matrix keep what Python has found.
/** @type {(shares: Float64Array, k: number) => Float64Array} */
function spreadShares(shares, k) {
  if (!live.columns) return shares;
  const all = state.starting.getShares(k).slice();
  live.columns.forEach((column, place) => { all[column] = shares[place]; });
  return all;
}
