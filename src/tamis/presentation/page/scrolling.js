// Where the page scrolls to.
import { find, pick } from "./elements.js";

// What is scrolled to must not lie under the bar.
function clearOfBar() {
  const bar = pick(document, ".sticky");
  const covered = getComputedStyle(bar).position === "sticky" ? bar.offsetHeight : 0; // in a low window it scrolls away
  document.documentElement.style.scrollPaddingTop = `${covered + 12}px`;
}

let barHeight = 0;
// When the bar grows, by a wish that it lists, a card that was clear of it stays so.
export function keepCardClear() {
  const { bottom, height } = pick(document, ".sticky").getBoundingClientRect();
  const { top, height: cardHeight } = find("card").getBoundingClientRect();
  const grown = barHeight ? height - barHeight : 0;
  barHeight = height;
  clearOfBar();
  if (cardHeight && grown > 0 && top < bottom && top >= bottom - grown - 1) window.scrollBy(0, top - bottom - 12);
}

export function openCard() {
  clearOfBar();
  find("card").scrollIntoView({ block: "start" });
  find("card").focus({ preventScroll: true });
}
