// The page of a selection that shows what Python has found.
import { startSelection } from "./selection_parts.js";

startSelection({ starters: [], views: [], chooseModel: ({ starting }) => starting });
