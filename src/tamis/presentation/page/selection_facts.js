// What Python has packed into the page of a selection.
import { readData } from "./page_data.js";

/** @type {SelectionData} */
export const data = readData();
