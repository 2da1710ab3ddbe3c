// The page of a selection that shows what Python has found.
import { unfoldForPrint } from "./elements.js";
import { SLOW_VIEWS, STARTERS, VIEWS } from "./selection_parts.js";
import { startPage } from "./state.js";

unfoldForPrint();
startPage({
  starters: STARTERS,
  views: VIEWS,
  slowViews: SLOW_VIEWS,
  chooseModel: ({ starting }) => starting,
});
