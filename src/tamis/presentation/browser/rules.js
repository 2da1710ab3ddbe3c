// The patterns of Python's rules, of which the page has those that it uses in RULES (page/fill.py).

// A pattern that matches all of a text.
/** @type {(source: string, flags?: string) => RegExp} */
export const matchAll = (source, flags = "") => new RegExp(`^(?:${source})$`, `u${flags}`);
