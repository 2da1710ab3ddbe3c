// What the page of every selection shows, in the order in which it is drawn.
import { unfoldForPrint } from "./elements.js";
import { startPage } from "./state.js";
import { showAnswer, startAnswer } from "./view_answer.js";
import { showCard, startCard } from "./view_card.js";
import { showCurve, startCurve } from "./view_curve.js";
import { showCounts, showDrawers, startDrawers } from "./view_drawers.js";
import { showFate, startFate } from "./view_fate.js";
import { showKept, startKept } from "./view_kept.js";
import { showMaps, startMaps } from "./view_map.js";
import { showTable, startTable } from "./view_table.js";
import { showCalls, startTake } from "./view_take.js";

const STARTERS = [startAnswer, startCurve, startFate, startKept, startDrawers, startTable, startCard, startMaps, startTake];
const VIEWS = [showAnswer, showCurve, showFate, showCounts, showMaps, showCalls];
const SLOW_VIEWS = [showKept, showDrawers, showTable, showCard];

/** @type {(more: Pick<Parts, "starters" | "views" | "chooseModel">) => void} */
export function startSelection({ starters, views, chooseModel }) {
  unfoldForPrint();
  startPage({ starters: [...STARTERS, ...starters], views: [...VIEWS, ...views], slowViews: SLOW_VIEWS, chooseModel });
}
