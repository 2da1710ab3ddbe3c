// Where the page scrolls to.
import { find, pick } from "./elements.js";

// What is scrolled to must not lie under the bar.
export function clearOfBar() {
  const { offsetHeight } = pick(document, ".sticky");
  document.documentElement.style.scrollPaddingTop = `${offsetHeight + 12}px`;
}

export function openCard() {
  clearOfBar();
  find("card").scrollIntoView({ block: "start" });
  find("card").focus({ preventScroll: true });
}
