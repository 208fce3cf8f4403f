// Folding and words: case, accents and ligatures do not matter. The same rules as fold() of pipeline/text.py.

const ALIKE = { œ: "oe", æ: "ae", ß: "ss", ł: "l", ø: "o", đ: "d", ı: "i", "’": "'", "ʼ": "'", "‘": "'" };
const ODD = /[œæßłøđı’ʼ‘]/g;
const PLAIN = /^[\x00-\x7f]*$/;
const DRESSING = /[\u00a0\u00ab\u00bb\u2010-\u2026\u2190-\u21ff]/g; // quotes, dashes, arrows: no part of a word
const MARKS = /[\u0300-\u036f\u00ad]/g;
const QUICK = /[a-z0-9]+/g; // most folded text is plain, and this is much faster than asking Unicode
const ANY = /[\p{L}\p{N}]+/gu;

/** Text for comparing: "Cœur Épée" is "coeur epee". */
export function fold(text) {
  const low = text.toLowerCase();
  if (PLAIN.test(low)) return low;
  return low
    .replace(ODD, (letter) => ALIKE[letter])
    .normalize("NFKD")
    .replace(MARKS, "");
}

/** The words of a folded text: letters and digits, nothing else. */
export function words(folded) {
  return folded.match(PLAIN.test(folded.replace(DRESSING, " ")) ? QUICK : ANY) || [];
}

/** Each word of a text as it is printed: where it starts and ends, and how it folds (œuvre -> oeuvre). */
export function spans(text) {
  const found = [];
  for (const match of text.matchAll(/[\p{L}\p{N}\p{M}\u00ad]+/gu)) {
    const folded = words(fold(match[0])).join("");
    if (folded) found.push({ start: match.index, end: match.index + match[0].length, word: folded });
  }
  return found;
}
