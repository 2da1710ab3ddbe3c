"use strict";
window.addEventListener("beforeprint", () => {
  document.querySelectorAll("details").forEach((fold) => { fold.open = true; });
});
