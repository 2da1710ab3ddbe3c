// Texts that stand for a missing value, among numbers and elsewhere: columns/written.py.

export const MAX_MARK_SHARE = 0.2; // of the values that a text which is no known mark may be

const MISSING_WORDS = new Set([
  "na", "n/a", "n.a.", "n.a", "#n/a", "#na", "#value!", "#div/0!", "#ref!", "#null!", "#num!", "#name?", "nan",
  "nil", "null", "none", "missing", "miss", "unknown", "unk", "not available", "not applicable", "not recorded",
  "not known", "no data", "nodata", "n.d.", "nd", "n/d", "nr", "n.r.", "not done", "refused", "<na>", "(null)",
  "empty", "-nan", "1.#ind", "1.#qnan", "not detected", "no value", "not measured", "tbd", "xx", "blank", "(blank)",
  "k.a.", "keine angabe", "sin dato", "s/d", "not asked", "dk", "don't know", "[null]", "\\n", "undefined",
  "invalid", "error", "err", "#error", "not reported", "not tested", "bad", "no info", "unavailable", "not given",
  "bdl", "b.d.l.", "bld", "bql", "blq", "below detection limit", "undetected", "n.n.", "undetermined", "s.o.",
  "sans objet", "non détecté", "n.b.", "nicht bestimmt",
]);
const NAMED_LIMIT = /^[<>]=? ?[\p{L}\p{Nl}\p{No}]{2,6}$/u; // below what can be measured: <LOD, < LLOQ

// What says nothing but that there is no value; "unknown" and "none" may be categories.
const NO_VALUE_WORDS = new Set([
  "na", "n/a", "n.a.", "n.a", "#na", "nan", "null", "nil", "<na>", "(null)", "[null]", "(blank)",
]);

// The texts among categories that stand for no value. A sign alone does unless another is a value.
/** @param {string[]} texts */
export function findBlanks(texts) {
  /** @param {string} text */
  const isSign = (text) => text.trim() !== "" && !/[\p{L}\p{N}]/u.test(text);
  const signs = texts.filter(isSign);
  const plain = signs.every((text) => /^[.?*\-_\u2013\u2014]+$/.test(text.trim()));
  const found = texts.filter((text) => {
    const bare = text.trim();
    const error = bare.startsWith("#") && "!?A".includes(bare[bare.length - 1]) && isKnownMark(text);
    return (plain && isSign(text)) || error || NO_VALUE_WORDS.has(bare.toLowerCase());
  });
  return found.length < texts.length ? found.sort() : [];
}

/** @param {string} text */
export function isKnownMark(text) {
  const bare = text.trim();
  return MISSING_WORDS.has(bare.toLowerCase()) || NAMED_LIMIT.test(bare) || (bare !== "" && !/[\p{L}\p{N}]/u.test(bare));
}

// Whether a text is at least no grade or code such as 5+, <10 or X1.
/** @param {string} text */
export const looksLikeMark = (text) => text.trim().length > 1 && !/\p{Nd}/u.test(text);
