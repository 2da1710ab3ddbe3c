// The page of a selection that can choose again.
import { unfoldForPrint } from "./elements.js";
import { chooseModel } from "./live_model.js";
import { SLOW_VIEWS, STARTERS, VIEWS } from "./selection_parts.js";
import { startPage } from "./state.js";
import { showWishes, startWishes } from "./view_wishes.js";

unfoldForPrint();
startPage({
  starters: [...STARTERS, startWishes],
  views: [...VIEWS, showWishes],
  slowViews: SLOW_VIEWS,
  chooseModel,
});
