// Texts that stand for a missing value, among numbers and elsewhere: columns/written.py.

const { MARK_SIGNS, MISSING_WORDS, NO_VALUE_WORDS } = RULES.texts;
const NAMED_LIMIT = /^[<>]=? ?[\p{L}\p{Nl}\p{No}]{2,6}$/u; // below what can be measured: <LOD, < LLOQ

// The texts among categories that stand for no value. A sign alone does unless another is a value.
/** @param {string[]} texts */
export function findBlanks(texts) {
  /** @param {string} text */
  const isSign = (text) => text.trim() !== "" && !/[\p{L}\p{N}]/u.test(text);
  const signs = texts.filter(isSign);
  const plain = signs.every((text) => [...text.trim()].every((sign) => MARK_SIGNS.includes(sign)));
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
