// Links to what is known of a column.
import { make, makeName } from "./elements.js";
import { openCard } from "./scrolling.js";
import { setState } from "./state.js";

/** @param {string} name */
export function openColumn(name) {
  setState({ column: name });
  openCard();
}

/** @param {string} name */
export function linkColumn(name) {
  const link = make("a", { class: "to-column", href: `#col=${encodeURIComponent(name)}` }, makeName(name));
  link.addEventListener("click", (event) => {
    event.preventDefault();
    openColumn(name);
  });
  return link;
}
