// What was typed -> what is looked for.
import { fold, words } from "./fold.js";

const QUOTES = /["“”„«»]/g;
const JOINED = /[\p{L}\p{N}][-./–][\p{L}\p{N}]/u; // GEN-12, V-A-1, 2.3: one thing, its parts stand together

/**
 * Words in any order, each enough as a prefix; a phrase is a list of words that stand together.
 * A quotation that is still open counts to the end, and its last word may be unfinished.
 */
export function parse(typed) {
  const wanted = { words: [], phrases: [] };
  typed.replace(QUOTES, '"').split('"').forEach((part, at, parts) => {
    if (at % 2) addPhrase(wanted, part, at === parts.length - 1);
    else for (const piece of part.trim().split(/\s+/)) addPiece(wanted, piece);
  });
  const telling = wanted.words.filter((word) => word.length > 1 || /\p{N}/u.test(word));
  if (telling.length || wanted.phrases.length) wanted.words = telling; // "l'arme" is "arme"
  return wanted;
}

function addPiece(wanted, piece) {
  if (JOINED.test(piece)) addPhrase(wanted, piece, true);
  else wanted.words.push(...words(fold(piece)));
}

function addPhrase(wanted, part, open) {
  const parts = words(fold(part));
  if (parts.length === 1 && open) wanted.words.push(parts[0]);
  else if (parts.length) wanted.phrases.push({ parts, open });
}
