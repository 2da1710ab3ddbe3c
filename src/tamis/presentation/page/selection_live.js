// The page of a selection that can choose again.
import { chooseModel } from "./live_model.js";
import { startSelection } from "./selection_parts.js";
import { showWishes, startWishes } from "./view_wishes.js";

startSelection({ starters: [startWishes], views: [showWishes], chooseModel });
