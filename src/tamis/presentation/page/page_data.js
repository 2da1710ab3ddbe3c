// What Python has packed into the page.

/**
 * @template T
 * @returns {T}
 */
export function readData() {
  return JSON.parse(document.getElementById("data")?.textContent ?? "{}");
}

// The inverse of `deflate`.
/** @param {string} text */
export async function inflate(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}
