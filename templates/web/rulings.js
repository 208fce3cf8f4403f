// The rulings as the page holds them. Nothing is stored twice: the text is read from the page.

const SUBJECT = ".subject, .term, .target, .title";
const REST = ".more, .places, footer";

/** Every ruling of the book, with what filters need; text is read later. */
export function collect(book) {
  const found = [];
  for (const section of book.querySelectorAll("section.section")) {
    for (const element of section.querySelectorAll("article")) {
      const { k: kind, v: verdict = "", s: sources = "" } = element.dataset;
      found.push({ element, kind, verdict, sources: sources.split(" "), section: section.id, changed: "c" in element.dataset });
    }
  }
  return found;
}

/** The five fields of a ruling for the index: code, subject, question, answer, the rest. */
export function fieldsOf({ element }) {
  const fields = [element.id, [headOf(element, "h4"), headOf(element, "h3")].join(" "), "", "", ""];
  for (const part of element.children) {
    if (part.matches(".number")) fields[0] += ` ${part.textContent}`;
    else if (part.matches(SUBJECT)) fields[1] += ` ${part.textContent}`;
    else if (part.matches(".question")) fields[2] += ` ${part.textContent}`;
    else if (part.matches(REST)) fields[4] += ` ${part.textContent}`;
    else fields[3] += ` ${part.textContent}`;
  }
  return fields;
}

const AROUND = { h2: ".section", h3: ".part", h4: ".group" };

/** The text of a heading above a ruling: h2 is its section, h3 the place in it, h4 its subject. */
export function headOf(element, level) {
  const head = element.closest(AROUND[level]).querySelector(`:scope > ${level}`);
  return head ? head.textContent : "";
}

/** A ruling as plain text to paste into a message: subject, text, source and where it stands. */
export function plain(element, title) {
  const lines = [];
  const subject = headOf(element, "h4");
  if (subject) lines.push(subject);
  for (const part of element.children) {
    if (part.matches("footer, details")) continue;
    const blocks = part.querySelectorAll("p, tr");
    for (const block of blocks.length ? blocks : [part]) lines.push(lineOf(block));
  }
  const source = lineOf(element.querySelector("footer .places"));
  lines.push(`— ${[source, title, element.id].filter(Boolean).join(" · ")}`);
  return lines.filter(Boolean).join("\n");
}

function lineOf(block) {
  if (!block) return "";
  const pieces = block.matches("tr") ? [...block.cells].map((cell) => cell.textContent) : [block.textContent];
  return pieces.map((piece) => piece.replace(/\s+/g, " ").trim()).join(" | ");
}
