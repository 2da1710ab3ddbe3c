// What Python has packed into the page.

/**
 * @template T
 * @returns {T}
 */
export function readData() {
  return JSON.parse(document.getElementById("data")?.textContent ?? "{}");
}

// The inverse of `pack`.
/** @param {{ alphabet: string, short: number }} packing @param {string} text */
export function unpack({ alphabet, short }, text) {
  const codes = new Map([...alphabet].map((character, value) => [character, value]));
  const base = alphabet.length;
  const numbers = [];
  let at = 0;
  const read = () => codes.get(text[at++]) ?? 0;
  while (at < text.length) {
    let value = read();
    if (value === base - 1) {
      value = short + (base - 1 - short) * base + (read() * base + read()) * base + read();
    } else if (value >= short) {
      value = short + (value - short) * base + read();
    }
    numbers.push(value % 2 ? -(value + 1) / 2 : value / 2);
  }
  return numbers;
}
