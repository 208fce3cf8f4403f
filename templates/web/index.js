// The index: which word stands in which field of which ruling. Made from the page itself, in small steps.
import { fold, words } from "./fold.js";
import { allowance, slips } from "./near.js";
import { parse } from "./query.js";

export const FIELDS = ["code", "subject", "question", "answer", "rest"];
const WEIGHT = [24, 16, 4, 1, 0.4]; // subject before question before answer, whatever the rest
const SUBJECT_FIELD = 1;
const EXACT = 1;
const BEGINS = 0.7;
const NEAR = 0.45;
const WHOLE_WORD = 64; // a whole word before any that only begins alike, whatever their fields: "terain" is terrain, not terminator

export function makeIndex() {
  return { postings: new Map(), fields: [], texts: [], lengths: [], terms: null, size: 0 };
}

/** Add a ruling: its five fields as they are printed. */
export function add(index, fields) {
  const number = index.size++;
  const folded = fields.map((text) => words(fold(text)));
  folded[0].push(...joined(fields[0]));
  folded.forEach((list, field) => {
    for (const word of list) {
      const places = index.postings.get(word);
      if (!places) index.postings.set(word, [number * FIELDS.length + field]);
      else if (places[places.length - 1] < number * FIELDS.length) places.push(number * FIELDS.length + field); // the best field counts
    }
  });
  index.fields.push(fields);
  index.lengths.push(folded[SUBJECT_FIELD].length);
  index.terms = null;
}

/** "GEN-12" is also found as "gen12". */
function joined(code) {
  const parts = words(fold(code));
  return parts.length > 1 ? [parts.join("")] : [];
}

/**
 * The rulings that have every word and every phrase, best first: {order, terms, guessed}.
 * Errors are forgiven only where nothing fits as it was typed: a search that is right is never watered down. Where no
 * ruling has all words, those that have the most of them are the nearest (`partly`).
 */
export function search(index, typed) {
  const wanted = parse(typed);
  if (!wanted.words.length && !wanted.phrases.length) return null;
  index.terms ||= [...index.postings.keys()].sort();
  const literal = gather(index, wanted, false);
  if (literal.order.length) return literal;
  const forgiven = gather(index, wanted, true);
  return forgiven.order.length ? forgiven : most(index, wanted);
}

/** The rulings that have the most of the words; one of several is too little to be near. */
function most(index, wanted) {
  const scores = new Float64Array(index.size);
  const hits = new Uint8Array(index.size);
  const terms = new Set();
  for (const word of wanted.words) {
    const matched = matching(index, word);
    weigh(index, matched).forEach((weight, at) => {
      if (weight > 0) hits[at]++;
      scores[at] += weight;
    });
    for (const term of matched.keys()) terms.add(term);
  }
  const best = hits.reduce((one, other) => Math.max(one, other), 0);
  const order = best > 1 || wanted.words.length === 2 ? [...hits.keys()].filter((at) => hits[at] && hits[at] === best) : [];
  order.sort((one, other) => scores[other] - scores[one] || one - other);
  return { order, terms, phrases: [], guessed: [], partly: order.length > 0 };
}

function gather(index, wanted, forgiving) {
  const scores = new Float64Array(index.size).fill(1);
  const terms = new Set();
  const guessed = new Set();
  for (const word of wanted.words) {
    const matched = matching(index, word);
    let weights = weigh(index, matched);
    if (forgiving && !weights.some((weight, at) => weight > 0 && scores[at] > 0)) {
      for (const [term, quality] of guesses(index, word)) {
        if (!matched.has(term)) matched.set(term, quality);
        guessed.add(term);
      }
      weights = weigh(index, matched);
    }
    keep(scores, weights);
    for (const term of matched.keys()) terms.add(term);
  }
  for (const phrase of wanted.phrases) keep(scores, weighPhrase(index, phrase));
  const order = [];
  for (let at = 0; at < scores.length; at++) if (scores[at] > 0) order.push(at);
  order.sort((one, other) => scores[other] - scores[one] || one - other);
  return { order, terms, phrases: wanted.phrases, guessed: order.length ? [...guessed] : [] };
}

function keep(scores, weights) {
  for (let at = 0; at < scores.length; at++) {
    if (scores[at] > 0) scores[at] = weights[at] > 0 ? scores[at] + weights[at] : 0;
  }
}

/** The terms that begin with a word, and how well each fits. */
function matching(index, word) {
  const matched = new Map();
  for (let at = lowest(index.terms, word); at < index.terms.length; at++) {
    const term = index.terms[at];
    if (!term.startsWith(word)) break;
    matched.set(term, term === word ? EXACT : BEGINS + (0.2 * word.length) / term.length);
  }
  return matched;
}

function lowest(terms, word) {
  let low = 0;
  let high = terms.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (terms[middle] < word) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The terms that a slip or two away begin like a word: only the nearest. */
function guesses(index, word) {
  const found = [];
  let most = allowance(word);
  if (!most) return found;
  for (const term of index.terms) {
    if (term.length < word.length - most) continue;
    const far = slips(word, term, most);
    if (far > most) continue;
    if (far < most) {
      most = far;
      found.length = 0;
    }
    const whole = Math.abs(term.length - word.length) <= far ? WHOLE_WORD : 1;
    found.push([term, (whole * (NEAR + (0.2 * word.length) / Math.max(term.length, word.length))) / (1 + far)]);
  }
  return found;
}

function weigh(index, matched) {
  const weights = new Float64Array(index.size);
  for (const [term, quality] of matched) {
    const places = index.postings.get(term);
    const rare = 1 + 0.5 * (1 - places.length / index.size);
    for (const place of places) {
      const at = (place / FIELDS.length) | 0;
      const field = place % FIELDS.length;
      const whole = field === SUBJECT_FIELD ? 1 + 1 / index.lengths[at] : 1; // "Charge" before "Charge of the Mad King"
      const weight = WEIGHT[field] * quality * rare * whole;
      if (weight > weights[at]) weights[at] = weight;
    }
  }
  return weights;
}

/** The fields of a ruling as rows of words, for phrases: made when first needed. */
function textsOf(index, at) {
  return (index.texts[at] ||= index.fields[at].map((text) => ` ${words(fold(text)).join(" ")} `));
}

function weighPhrase(index, { parts, open }) {
  const weights = new Float64Array(index.size);
  const sought = ` ${parts.join(" ")}${open ? "" : " "}`;
  for (const at of holders(index, parts, open)) {
    const field = textsOf(index, at).findIndex((text) => text.includes(sought));
    if (field >= 0) weights[at] = WEIGHT[field] * 1.5;
  }
  return weights;
}

/** The rulings that have the rarest whole word of a phrase: only they are read. */
function holders(index, parts, open) {
  let rarest = null;
  for (const word of open ? parts.slice(0, -1) : parts) {
    const places = index.postings.get(word) || [];
    if (!rarest || places.length < rarest.length) rarest = places;
  }
  return rarest ? rarest.map((place) => (place / FIELDS.length) | 0) : [...index.fields.keys()];
}
