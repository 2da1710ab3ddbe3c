// What the name of a column says it holds: columns/name_words.py.

const IDENTIFIERS = new Set(["id", "ids", "pid", "uid", "oid", "uuid", "guid"]);
const GLUED = /^(user|customer|client|patient|subject|order|account|person|employee|member|transaction|product|item|case|sample|session|device|participant|respondent|student|record|row|object|school|class|teacher|household|house|family|firm|company|store|plant|farm|site|station|plot|county|country|state|city|village|district|animal|donor|plate|well|image|visit|event|trip|flight|team|player|game|claim|policy|loan|invoice|ticket|vehicle|hospital|clinic|physician|provider|cust|emp|pat|subj|pers|indiv|resp|part|obs|sch|dist)ids?$/;
const COUNTERS = new Set(["key", "nr", "no", "number", "row", "rowname", "rownames"]);
const GLUED_COUNTER = /^[\p{L}_]{2,}(nr|nummer|key)$/u;
const PLACES = new Set(["pos", "position", "seq", "sequence", "idx", "index", "obs", "observation"]);
const SUBJECTS = new Set([
  "subject", "subj", "participant", "patient", "respondent", "person", "individual", "animal", "firm", "company",
  "household", "pupil", "student", "donor", "proband",
]);
const LABELS = new Set([
  "class", "classes", "label", "labels", "target", "targets", "outcome", "outcomes", "response", "diagnosis",
  "species", "churn", "churned", "default", "defaulted", "y", "survived", "fraud", "attrition", "readmitted",
  "relapse", "spam",
]);
const EVENTS = new Set([
  "label", "target", "outcome", "diagnosis", "churn", "churned", "default", "defaulted", "survived", "fraud",
  "attrition", "readmitted", "relapse", "spam",
]);
const CODES = new Set([
  "code", "codes", "type", "category", "group", "class", "region", "sector", "branch", "status", "cluster",
]);
const AREAS = new Set(["zip", "zips", "zipcode", "plz", "postcode", "postleitzahl", "fips"]);
const GLUED_AREA = /^((state|county|city|place)fips|fipscode)$/;

// The words of a name, in lower case.
/** @param {string} name */
export const listWords = (name) => name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, " ").toLowerCase()
  .split(/[^\p{L}\p{N}]+/u).filter(Boolean);

/** @param {string} name */
export function namesIdentifier(name) {
  const words = listWords(name);
  return words.some((word, i) => ((i === 0 || i === words.length - 1) && IDENTIFIERS.has(word)) || GLUED.test(word));
}

/** @param {string} name */
export function namesCounter(name) {
  const words = listWords(name);
  const alone = words.length === 1 && (words[0] === "index" || words[0] === "order");
  const last = words[words.length - 1] ?? "";
  return alone || COUNTERS.has(last) || GLUED_COUNTER.test(last);
}

// Whether a name is that of a running number, or of the place of a row among others.
/** @param {string} name */
export const namesPlace = (name) => namesCounter(name) || PLACES.has(listWords(name).pop() ?? "");

// Whether a name is that of one who is measured, of which a number is no value.
/** @param {string} name */
export function namesSubject(name) {
  const words = listWords(name);
  return words.length === 1 && SUBJECTS.has(words[0]);
}

// Whether a name is that of labels, for a column with so many values.
/** @type {(name: string, values: number) => boolean} */
function namesLabel(name, values) {
  const words = listWords(name);
  return (words.length === 1 && LABELS.has(words[0])) || (values === 2 && words.some((word) => EVENTS.has(word)));
}

/** @param {string} name */
export const namesCodes = (name) => listWords(name).some((word) => CODES.has(word));

/** @param {string} name */
export function namesArea(name) {
  const words = listWords(name);
  const postal = words.some((word, i) => (word === "post" || word === "postal") && words[i + 1] === "code");
  return postal || words.some((word) => AREAS.has(word) || GLUED_AREA.test(word));
}
