// Names: the register that the page holds, and what a player's list means by it. The same rules as pipeline/names.
import { fold } from "./fold.js";

const STEM = 3; // letters that stay at least
const WHOLE = 4; // letters: a shorter word has no ending that could go
const WORD = /[\p{L}\p{N}]+/gu;

/** The words of the language that names are looked up with. */
export function formsOf(held) {
  const set = (text, sign = " ") => new Set(text.split(sign).filter(Boolean));
  const endings = held.endings.split(" ").filter(Boolean).map((each) => fold(each).split("/"));
  endings.sort((one, other) => other[0].length - one[0].length || (one[0] < other[0] ? -1 : 1));
  return { endings, small: set(held.small), common: set(held.common), kinds: set(held.kinds), heads: set(held.heads, "|"), columns: set(held.columns, "|"), points: held.points };
}

/** A word without the ending of its form. */
export function stem(word, forms) {
  const flat = fold(word);
  if (flat.length < WHOLE || !/^\p{L}+$/u.test(flat)) return flat;
  for (const [ending, put = ""] of forms.endings) {
    if (flat.endsWith(ending) && flat.length - ending.length >= STEM) return flat.slice(0, -ending.length) + put;
  }
  return flat;
}

export function stems(text, forms) {
  return (text.match(WORD) || []).map((word) => stem(word, forms));
}

/** What a name is looked up by: its stems, without an article before them. */
export function keyOf(text, forms) {
  const found = stems(text, forms);
  while (found.length > 1 && forms.small.has(found[0])) found.shift();
  return found;
}

function telling(key, forms) {
  return key.filter((each) => !forms.small.has(each) && !forms.common.has(each));
}

/** The register, from the list of names on the page. */
export function readNames(list) {
  const numbers = (text) => (text ? text.split(" ").map(Number) : []);
  return [...list.querySelectorAll("[data-k]")].map((link) => {
    const { k, a = "", c = "", r, o, n, d, u } = link.dataset;
    return { name: link.textContent, origin: Number(r), key: k.split(" "), also: a.split("|").filter(Boolean), numbers: c.split(" ").filter(Boolean),
             own: numbers(o), named: numbers(n), defined: numbers(d), under: numbers(u) };
  });
}

/** Names whose words all begin with what is typed, the best first. */
export function begin(names, typed, most, forms) {
  const asked = stems(typed, forms);
  if (!asked.length || asked.join("").length < 3) return [];
  const fits = names.filter(({ key, also, own, named }) => (own.length || named.length) && [key, ...also.map((each) => each.split(" "))].some((each) => asked.every((part) => each.some((word) => word.startsWith(part)))));
  return fits.sort((one, other) => one.key.length - other.key.length || other.own.length - one.own.length).slice(0, most);
}

// ---------------------------------------------------------------- a list

const BULLET = /^(?:[\s>|│└├─]+|[•▪▫◦●○■□◆‣⁃*·–—-]+\s*|\[[ xX]\]\s*)+/u;
const COUNT = /^(?:\(?\d{1,3}\s?[x×]?\)?\s+|[x×]\s?\d{1,3}\s+|\d{1,3}[x×]\s?)(?=\S)/i;
const COUNT_AFTER = /\s+(?:[x×]\s?\d{1,3}|\d{1,3}\s?[x×])\s*$/i;
const BRACKET = /\s*[([{][^)\]}]*[)\]}]/g;
const PRINTING = /\s+\([A-Z0-9]{2,6}\)\s+\d+[a-z★]?\s*(?:\*F\*)?\s*$/;
const PLACE = /^[A-Za-zÀ-ÿ]{2,14}\s?\d{0,2}\s*:\s+(?=\S)/;
const RULED = /^[^\p{L}\p{N}]*$|^[+=#~*_-]{1,3}.*[+=#~*_-]{1,3}\s*$|^(?:\/\/|#|;)\s?/u;
const WITH = /\s+(?:w\/|w\.)\s*|\s*[:;,]\s+|\s+[–—-]\s+|\s*[|\t]\s*|\s*\+\s+|,\s*|;/;
const SIGN = "(?:#|n\\s?[°º]|nos?\\.|nr\\.?|№)";
const NUMBER_ONLY = new RegExp(`^${SIGN}\\s*(\\d+[a-z]?)$`, "i");
const EDGES = /^[\s:;,.–—\-+=*#|_"“”«»]+|[\s:;,.–—\-+=*#|_"“”«»]+$/gu;
const LONGEST = 200;

const COST = ({ points }) => `\\d[\\d,. ]*\\s?(?:${points})(?!\\p{L})\\.?|(?:${points})(?!\\p{L})\\.?\\s?:?\\s?\\d+`;

function withoutCosts(name) {
  return name.replace(BRACKET, (held) => (/\d/.test(held) ? "" : held));
}

function plainName(text, forms) {
  const cost = new RegExp(`\\s*[–—:@,-]?\\s*(?:${COST(forms)}).*$`, "iu");
  if (new RegExp(`^(?:${COST(forms)})$`, "iu").test(text.replace(BULLET, "").trim())) return "";
  let name = withoutCosts(text.replace(BULLET, "").trim().replace(PRINTING, "").replace(COUNT, "").replace(COUNT_AFTER, ""));
  name = name.replace(cost, "").replace(/(?:(?:\s*\.){3,}|\s*…|\s{3,}|\t+)\s*[\d.,]*\s*$/, "").replace(/\s+[–—@:-]\s*\d+\s*$/, "");
  return name.replace(COUNT, "").replace(EDGES, "");
}

/** The lines of a list that may name something. */
export function linesOf(text, forms) {
  return rowsOf(text, forms).filter(Boolean).map((line) => {
    const written = line.trim().replace(/\s+/g, " ").slice(0, LONGEST);
    const only = NUMBER_ONLY.exec(written.replace(BULLET, "").replace(COUNT, ""));
    if (only) return { text: written, whole: "", pieces: [], number: only[1], head: false };
    const bare = line.slice(0, LONGEST).replace(BULLET, "").trim().replace(PLACE, "");
    const whole = plainName(bare, forms);
    const pieces = [...new Set(withoutCosts(bare).split(WITH).map((piece) => plainName(piece, forms)))].filter((piece) => /\p{L}/u.test(piece) && piece !== whole);
    const counted = COUNT.test(bare) || COUNT_AFTER.test(bare);
    return { text: written, whole, pieces, number: "", head: isHead(line, whole, forms), counted };
  });
}

/** The lines that hold anything; of a table the cells under the head of its names. */
function rowsOf(text, forms) {
  const lines = text.split(/\r?\n/).filter((line) => line.trim());
  for (const sign of [";", "\t", ","]) {
    const rows = lines.map((line) => cellsOf(line, sign));
    const width = rows[0]?.length;
    if (lines.length < 2 || width < 2 || rows.some((cells) => cells.length !== width)) continue;
    const heads = rows[0].map((cell) => stems(cell, forms).join(" "));
    if (heads.filter((head) => forms.heads.has(head)).length * 2 < width) return rows.map((cells) => cells.join("; "));
    const column = Math.max(0, heads.findIndex((head) => forms.columns.has(head)));
    return rows.slice(1).map((cells) => cells[column]);
  }
  return lines;
}

function cellsOf(line, sign) {
  const cells = [""];
  let quoted = false;
  for (const letter of line) {
    if (letter === '"') quoted = !quoted;
    else if (letter === sign && !quoted) cells.push("");
    else cells[cells.length - 1] += letter;
  }
  return cells.map((cell) => cell.trim());
}

const TERMS = new Set([0, 2, 3]); // terms, titles, what is amended: words of the game
export const TEXT = 5; // a name that only texts have

/** What each line of a list means: [line, {names, several, near}]; headings are left out. */
export function meaning(lines, match) {
  const deck = lines.filter(({ counted }) => counted).length * 2 > lines.length;
  const made = lines.map((line) => [line, match(line)]);
  return made.filter(([line, found]) => {
    if (!found) return false;
    const { names } = found;
    if (line.head && (!names.length || names.every(({ origin }) => origin === TEXT))) return false;
    return !(deck && !line.counted && names.length && names.every(({ origin }) => TERMS.has(origin)));
  });
}

function isHead(line, whole, forms) {
  if (!whole || RULED.test(withoutCosts(line).trim()) || line.trimEnd().endsWith(":") || !/\p{L}/u.test(whole)) return true;
  const found = stems(whole, forms);
  return forms.heads.has(found.join(" ")) || found.every((each) => forms.heads.has(each) || /^\d+$/.test(each));
}

/** Looks names up, as pipeline/names/list_matching.py does: {names, several, near} for a line. */
export function makeMatcher(names, forms, written = () => []) {
  const byKey = new Map();
  const byWords = new Map();
  const holding = new Map();
  const byNumber = new Map();
  const put = (map, at, name) => (map.get(at) || map.set(at, []).get(at)).push(name);
  for (const name of names) for (const other of name.also) byKey.set(other, name);
  for (const name of names) {
    byKey.set(name.key.join(" "), name);
    put(byWords, telling(name.key, forms).sort().join(" "), name);
    for (const word of new Set(telling(name.key, forms))) put(holding, word, name);
    for (const number of name.numbers) put(byNumber, number, name);
  }

  function same(text) {
    let found = keyOf(text.replace(new RegExp(`[([]?\\s*${SIGN}\\s*\\d+[a-z]?\\s*[)\\]]?`, "gi"), " "), forms);
    while (found.length) {
      const held = byKey.get(found.join(" "));
      if (held) return held;
      const said = telling(found, forms);
      const turned = byWords.get([...said].sort().join(" ")) || [];
      if (turned.length === 1 && said.length > 1) return turned[0];
      if (!forms.kinds.has(found[found.length - 1]) || found.length === 1) return null;
      found = found.slice(0, -1);
    }
    return null;
  }

  function nearly(text) {
    const said = keyOf(text, forms).join(" ");
    const most = forgiven(said);
    let best = [];
    let least = most + 1;
    for (const [other, name] of most ? byKey : []) {
      if (Math.abs(other.length - said.length) > most) continue;
      const far = distance(said, other);
      if (far < least) [least, best] = [far, [name]];
      else if (far === least && !best.includes(name)) best.push(name);
    }
    return least <= most && best.length === 1 ? best[0] : null;
  }

  function part(text) {
    const said = telling(keyOf(text, forms), forms);
    if (!said.length || said.some((word) => !holding.has(word))) return null;
    const held = holding.get(said[0]).filter(({ key }) => said.every((word) => key.includes(word)));
    const own = held.filter((name) => name.own.length);
    if (held.length === 1) return { names: held };
    if (own.length === 1) return { names: own };
    return held.length ? { names: [], several: (own.length ? own : held).map(({ name }) => name) } : null;
  }

  function inside(text) {
    const said = stems(text, forms);
    const held = new Set();
    for (let at = 0; at < said.length; ) {
      let name = null;
      for (let end = said.length; end > at && !name; end--) name = byKey.get(said.slice(at, end).join(" ")) || null;
      if (name && (telling(name.key, forms).length > 1 || 2 * name.key.length >= said.length)) held.add(name);
      at += name ? name.key.length : 1;
    }
    return held.size ? { names: [...held] } : null;
  }

  function match(line) {
    if (line.number) {
      const held = byNumber.get(line.number) || [];
      return held.length === 1 ? { names: held } : { names: [], several: held.map(({ name }) => name) };
    }
    const whole = same(line.whole);
    if (whole) return { names: [whole] };
    const listed = new Set(line.pieces.map((piece) => same(piece) || nearly(piece)).filter(Boolean));
    if (listed.size) return { names: [...listed] };
    if (line.head) return null;
    const found = part(line.whole) || inside(line.whole);
    if (found) return found;
    const literal = written(line);
    if (literal.length) return { names: literal };
    const guessed = nearly(line.whole);
    return guessed ? { names: [guessed] } : { names: [], near: nearest(line.whole) };
  }

  function nearest(text) {
    const said = keyOf(text, forms).join(" ");
    let best = null;
    let most = 0.6;
    for (const [other, name] of byKey) {
      const alike = 1 - distance(said, other) / Math.max(said.length, other.length, 1);
      if (alike > most) [most, best] = [alike, name];
    }
    return best ? best.name : "";
  }

  return match;
}

function forgiven(text) {
  if (text.length < 4 || /\p{N}/u.test(text)) return 0;
  return text.length < 8 ? 1 : text.length < 16 ? 2 : 3;
}

/** How many letters are wrong, missing, too many or swapped between two texts. */
export function distance(one, other) {
  let before = [];
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let y = 1; y <= one.length; y++) {
    const row = [y];
    for (let x = 1; x <= other.length; x++) {
      row[x] = Math.min(above[x] + 1, row[x - 1] + 1, above[x - 1] + (one[y - 1] === other[x - 1] ? 0 : 1));
      if (x > 1 && y > 1 && one[y - 1] === other[x - 2] && one[y - 2] === other[x - 1]) row[x] = Math.min(row[x], before[x - 2] + 1);
    }
    [before, above] = [above, row];
  }
  return above[other.length];
}

/** What some names ask for: the places about them, those that name them, and what their words mean. */
export function choose(names, asked) {
  const standing = new Map();
  for (const name of names) for (const at of [...name.own, ...name.named]) (standing.get(at) || standing.set(at, []).get(at)).push(name);
  const of = new Set();
  for (const name of asked) {
    const others = new Set(asked.filter((other) => other !== name).flatMap(({ own }) => own));
    for (const at of name.under.some((place) => others.has(place)) ? name.own : [...name.own, ...name.under]) of.add(at);
  }
  const naming = new Set(asked.flatMap(({ named }) => named).filter((at) => !of.has(at)));
  const led = new Set([...of].flatMap((at) => (standing.get(at) || []).flatMap(({ defined }) => defined)).filter((at) => !of.has(at) && !naming.has(at)));
  const sorted = (set) => [...set].sort((one, other) => one - other);
  return { of: sorted(of), naming: sorted(naming), led: sorted(led) };
}
