// Small typing errors: how far a typed word is from the beginning of another.

/** How many slips are forgiven in a word of this length; a number is never guessed. */
export function allowance(word) {
  if (word.length < 4 || /\p{N}/u.test(word)) return 0;
  return word.length < 8 ? 1 : 2;
}

const SIZE = 64;
const rows = [new Uint8Array(SIZE), new Uint8Array(SIZE), new Uint8Array(SIZE)];

/**
 * The least number of slips (a letter wrong, missing, too many, or two swapped) that turn `word` into a beginning
 * of `term`; more than `most` is `most + 1`. Only the diagonal band that can still win is looked at.
 */
export function slips(word, term, most) {
  const height = word.length;
  const width = Math.min(term.length, height + most);
  if (height - width > most || height >= SIZE || width >= SIZE) return most + 1;
  let [before, above, row] = rows;
  for (let x = 0; x <= width; x++) above[x] = x;
  for (let y = 1; y <= height; y++) {
    const from = Math.max(1, y - most);
    const to = Math.min(width, y + most);
    row.fill(most + 1);
    if (y <= most) row[0] = y;
    let least = row[0];
    const letter = word.charCodeAt(y - 1);
    for (let x = from; x <= to; x++) {
      const other = term.charCodeAt(x - 1);
      let cost = Math.min(above[x - 1] + (letter === other ? 0 : 1), above[x] + 1, row[x - 1] + 1);
      if (x > 1 && y > 1 && letter === term.charCodeAt(x - 2) && word.charCodeAt(y - 2) === other) {
        cost = Math.min(cost, before[x - 2] + 1);
      }
      row[x] = cost;
      if (cost < least) least = cost;
    }
    if (least > most) return most + 1;
    [before, above, row] = [above, row, before];
  }
  let best = most + 1;
  for (let x = Math.max(0, height - most); x <= width; x++) best = Math.min(best, above[x]);
  return best;
}
