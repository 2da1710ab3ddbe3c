// What the page of every selection shows, in the order in which it is drawn.
import { showAnswer, startAnswer } from "./view_answer.js";
import { showCard, startCard } from "./view_card.js";
import { showCurve, startCurve } from "./view_curve.js";
import { showCounts, showDrawers, startDrawers } from "./view_drawers.js";
import { showFate, startFate } from "./view_fate.js";
import { showKept, startKept } from "./view_kept.js";
import { showMaps, startMaps } from "./view_map.js";
import { showTable, startTable } from "./view_table.js";
import { showCalls, startTake } from "./view_take.js";

export const STARTERS = [startAnswer, startCurve, startFate, startKept, startDrawers, startTable, startCard, startMaps, startTake];
export const VIEWS = [showAnswer, showCurve, showFate, showCounts, showMaps, showCalls];
export const SLOW_VIEWS = [showKept, showDrawers, showTable, showCard];
