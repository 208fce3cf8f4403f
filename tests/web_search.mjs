// The modules of templates/web by themselves: node --test tests/web_search.mjs
import assert from "node:assert/strict";
import { test } from "node:test";
import { blank, fromHash, toHash } from "../templates/web/address.js";
import { fold, spans, words } from "../templates/web/fold.js";
import { add, makeIndex, search } from "../templates/web/index.js";
import { ranges } from "../templates/web/mark.js";
import { allowance, slips } from "../templates/web/near.js";
import { parse } from "../templates/web/query.js";

const made = (...rulings) => {
  const index = makeIndex();
  for (const ruling of rulings) add(index, ["", "", "", "", "", ...[]].map((_, at) => ruling[at] || ""));
  return index;
};
const order = (index, query) => search(index, query)?.order;

test("letters fold as in Python", () => {
  assert.equal(fold("Cœur ÉPÉE Straße L’Ægide Łódź"), "coeur epee strasse l'aegide lodz");
  assert.deepEqual(words(fold("l’arme (n° 12)")), ["l", "arme", "n", "12"]);
});

test("words keep their place in the printed text", () => {
  const text = "Un cœur, l’Épée";
  assert.deepEqual(spans(text).map(({ start, end, word }) => [text.slice(start, end), word]), [
    ["Un", "un"], ["cœur", "coeur"], ["l", "l"], ["Épée", "epee"],
  ]);
});

test("a query is words and phrases", () => {
  assert.deepEqual(parse("l'arme « deux mains »"), { words: ["arme"], phrases: [{ parts: ["deux", "mains"], open: false }] });
  assert.deepEqual(parse("gen-12"), { words: [], phrases: [{ parts: ["gen", "12"], open: true }] });
  assert.deepEqual(parse("a"), { words: ["a"], phrases: [] });
  assert.deepEqual(parse('"deux ma').phrases, [{ parts: ["deux", "ma"], open: true }]);
});

test("slips: one letter wrong, missing, too many, swapped; never in numbers or short words", () => {
  assert.equal(slips("garde", "garde", 1), 0);
  for (const wrong of ["gorde", "grde", "gaarde", "gadre"]) assert.equal(slips(wrong, "garde", 1), 1, wrong);
  assert.equal(slips("xxrde", "garde", 1), 2);
  assert.equal(slips("gard", "gardien", 1), 0);
  assert.equal(allowance("jet"), 0);
  assert.equal(allowance("2024"), 0);
  assert.equal(allowance("attaquer"), 2);
});

test("a whole word with a slip comes before one that only begins alike", () => {
  const index = made(["", "Terminator squad", "May it charge?", "No."], ["", "", "What is a wood?", "It is terrain."]);
  assert.deepEqual(order(index, "terain"), [1, 0]);
});

test("slips agree with a plain table", () => {
  const plain = (word, term) => {
    const d = [...Array(word.length + 1)].map((_, y) => [...Array(term.length + 1)].map((_, x) => (y ? (x ? 0 : y) : x)));
    for (let y = 1; y <= word.length; y++)
      for (let x = 1; x <= term.length; x++) {
        d[y][x] = Math.min(d[y - 1][x - 1] + (word[y - 1] === term[x - 1] ? 0 : 1), d[y - 1][x] + 1, d[y][x - 1] + 1);
        if (x > 1 && y > 1 && word[y - 1] === term[x - 2] && word[y - 2] === term[x - 1]) d[y][x] = Math.min(d[y][x], d[y - 2][x - 2] + 1);
      }
    return Math.min(...d[word.length]);
  };
  let seed = 7;
  const random = (most) => (seed = (seed * 48271) % 2147483647) % most;
  const word = () => [...Array(3 + random(7))].map(() => "abc"[random(3)]).join("");
  for (let round = 0; round < 3000; round++) {
    const [one, other, most] = [word(), word(), 1 + random(2)];
    assert.equal(Math.min(slips(one, other, most), most + 1), Math.min(plain(one, other), most + 1), `${one} ${other} ${most}`);
  }
});

test("subject before question before answer; the whole subject first", () => {
  const index = made(["A-1", "", "", "la charge"], ["A-2", "", "une charge ?", ""], ["A-3", "Charge du roi"], ["A-4", "Charge"]);
  assert.deepEqual(order(index, "charge"), [3, 2, 1, 0]);
  assert.deepEqual(order(index, "char"), [3, 2, 1, 0]);
});

test("every word must be there, in any order; errors are forgiven only where nothing fits", () => {
  const index = made(["", "Marée", "le vent du nord"], ["", "Marais", "le vent"], ["", "Voile", ""]);
  assert.deepEqual(order(index, "vent maree"), [0]);
  assert.deepEqual(order(index, "vent maere"), [0]);
  assert.deepEqual(order(index, "voile vent"), [2, 0, 1], "no ruling has both: the nearest");
  assert.equal(search(index, "voile vent").partly, true);
  assert.deepEqual(order(index, "voile xxxx yyyy"), [], "one word of three is not near");
  assert.deepEqual(order(index, "vent nord penalty"), [0], "two of three are");
  assert.deepEqual(order(index, "viole"), [2]);
  assert.equal(order(index, "  "), undefined);
});

test("a phrase stands together, in one field", () => {
  const index = made(["", "", "jet de garde", ""], ["", "", "garde", "de jet"], ["", "jet", "de garde"]);
  assert.deepEqual(order(index, '"jet de garde"'), [0]);
  assert.deepEqual(order(index, '"jet de ga'), [0]);
});

test("what was found is marked, phrases only where they stand together", () => {
  const text = "Le jet : un jet de garde";
  const marked = (query, given = made(["", "", text])) => ranges(text, search(given, query)).map(([a, b]) => text.slice(a, b));
  assert.deepEqual(marked("jet"), ["jet", "jet"]);
  assert.deepEqual(marked('"jet de garde"'), ["jet", "de", "garde"]);
});

test("an address and a search are the same thing", () => {
  const state = { ...blank(), q: "cœur & épée = 1", kind: ["qa", "rule"], section: ["A, b › c"], source: ["2"], changed: true };
  assert.deepEqual(fromHash(toHash(state)), state);
  assert.equal(toHash(blank()), "");
  assert.equal(fromHash("#GEN-12"), null);
});
