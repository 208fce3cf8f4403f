// The rulings as the page holds them. Nothing is stored twice: the text is read from the page.

const SUBJECT = ".subject, .term, .target, .title";
const REST = ".more";
const NOT_READ = "footer"; // the name of a source is for filtering: it would be found everywhere

/** Every ruling of the book, with what filters need and the headings above it; its text is read later. */
export function collect(book) {
  const found = [];
  for (const section of book.querySelectorAll(".section")) {
    const path = [section.querySelector("h2").firstChild.textContent.trimEnd()]; // its document stands behind it
    const known = section.matches(".document") ? 1 : 0; // the name of a document is no place in it
    const { of = "" } = section.dataset; // the document, where its chapter does not say it
    for (const group of section.querySelectorAll(".group")) {
      const subject = followHeads(group, path);
      for (const element of group.querySelectorAll(":scope > article")) {
        const kind = element.classList[0];
        const { v: verdict = "", s: sources = "" } = element.dataset;
        const changed = "c" in element.dataset;
        found.push({ element, kind, verdict, changed, subject, sources: sources.split(" "), path: [...path], known, of });
      }
    }
  }
  return found;
}

/** Keep the path of open headings up to date; the subject of the group. */
function followHeads(group, path) {
  for (const heading of group.querySelectorAll(":scope > .heading")) {
    path.length = Math.min(path.length, Number(heading.nodeName[1]) - 2);
    path.push(heading.textContent);
  }
  const subject = group.querySelector(":scope > .subject");
  return subject ? subject.textContent : "";
}

/** The five fields of a ruling for the index: code, subject, question, answer, the rest. */
export function fieldsOf({ element, subject, path, known }) {
  const fields = [element.id, subject, "", "", path.slice(known).join(" ")];
  for (const part of element.children) {
    if (part.matches(NOT_READ)) continue;
    if (part.matches(".number")) fields[0] += ` ${part.textContent}`;
    else if (part.matches(SUBJECT)) fields[1] += ` ${part.textContent}`;
    else if (part.matches(".question")) fields[2] += ` ${part.textContent}`;
    else if (part.matches(REST)) fields[4] += ` ${part.textContent}`;
    else fields[3] += ` ${part.textContent}`;
  }
  return fields;
}

/** A ruling as plain text to paste into a message: subject, text, source and where it stands. */
export function plain({ element, subject }, title) {
  const lines = [subject];
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
