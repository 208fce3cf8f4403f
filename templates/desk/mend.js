// Forms of what is chosen: its words, its place, the columns and rows of a table.
import { $$, el } from "./dom.js";

/** The words of an entry, field by field; only what changes is written. */
export function fieldsForm(reader, thing) {
  const inputs = [];
  const line = (name, value, place = null) => {
    const long = value.length > 60;
    const input = el(long ? "textarea" : "input", { "data-field": name, rows: long ? Math.min(9, Math.ceil(value.length / 52)) : null, oninput: () => { reader.dirty = true; } });
    input.value = value;
    inputs.push({ name, input, place });
    return el("label", {}, place === null || place === 0 ? name : el("span", { class: "aside" }, `${name} ${place + 1}`), input);
  };
  const rows = Object.entries(flat(thing)).flatMap(([name, value]) => (Array.isArray(value) ? value.map((each, at) => line(name, each, at)) : [line(name, value)]));
  if (!rows.length) return null;
  const send = (event) => {
    event.preventDefault();
    const fields = {};
    for (const [name, value] of Object.entries(flat(thing))) {
      const now = inputs.filter((each) => each.name === name).map((each) => each.input.value);
      const before = Array.isArray(value) ? value : [value];
      if (now.some((each, at) => each !== before[at])) fields[name] = Array.isArray(value) ? now : now[0];
    }
    reader.mend("field", { fields, block: null }, "The words are put right");
  };
  return el("details", { id: "words-form" }, el("summary", { title: "E" }, "Put the words right"),
    el("form", { onsubmit: send }, rows, el("button", { class: "main" }, "Write it down")));
}

/** The fields of an entry that are texts; those inside changes one by one. */
function flat(thing) {
  const { fields } = thing;
  const made = {};
  for (const name of ["question", "term", "number", "title", "target", "text", "answer", "body"]) if (fields[name]?.length) made[name] = fields[name];
  if (fields.changes) made.changes = fields.changes.flatMap((change) => [change.instruction, ...change.new]);
  return made;
}

/** Part of which section and subject. */
export function placeForm(reader, thing) {
  const section = el("input", { id: "section", list: "sections" });
  section.value = thing.section.join(" › ");
  const subject = el("input", { id: "subject" });
  subject.value = thing.subject;
  const known = [...new Set(reader.told.things.filter((each) => each.section?.length).map((each) => each.section.join(" › ")))];
  const send = (event) => {
    event.preventDefault();
    const given = { block: null };
    if (section.value !== thing.section.join(" › ")) given.section = section.value.split("›").map((part) => part.trim()).filter(Boolean);
    if (subject.value !== thing.subject) given.subject = subject.value;
    reader.mend("place", given, "It has another place");
  };
  return el("details", { id: "place-form" }, el("summary", {}, "Where it belongs"),
    el("form", { onsubmit: send },
      el("label", {}, "section, outermost first, › between", section), el("datalist", { id: "sections" }, known.map((path) => el("option", { value: path }))),
      el("label", {}, "subject: card, unit or term", subject), el("button", { class: "main" }, "Write it down")));
}

/** What the document says wrongly, or not at all, about itself. */
export function aboutForm(reader) {
  const told = reader.told;
  const line = (key, value, help) => {
    const input = el("input", { id: `about-${key}` });
    input.value = value ?? "";
    return el("form", {
      class: "line", onsubmit: (event) => {
        event.preventDefault();
        reader.tell("api/about", { key, value: input.value }, `The document's ${key} is “${input.value}”`);
      },
    }, el("label", {}, `${key} `, el("small", {}, help), input), el("button", {}, "Set", el("span", { class: "aside" }, ` the ${key}`)));
  };
  return el("details", { id: "about-form" }, el("summary", {}, "About this document"),
    line("title", told.title, ""), line("version", told.version, ""), line("date", told.date, "2026-07 or 2026-07-22"), line("language", told.language, "a code: fr, en"));
}

/** The columns and rows of a table. */
export function tableForm(reader, block) {
  const wide = Math.max(...block.rows.map((row) => row.length));
  const said = (given, told) => reader.mend("table", { block: block.n, ...given }, told);
  const cells = block.rows.map((row, number) => el("tr", {},
    el("th", { scope: "row" }, number ? el("button", { type: "button", title: "Join with the row above", "aria-label": `Join row ${number + 1} with the row above`, onclick: () => said({ join_rows: [number + 1] }, "Two rows are one") }, "⤒") : null),
    Array.from({ length: wide }, (_, column) => {
      const input = el("input", { "aria-label": `row ${number + 1}, column ${column + 1}`, oninput: () => { reader.dirty = true; } });
      input.value = row[column] ?? "";
      return el("td", {}, input);
    })));
  const heads = Array.from({ length: wide }, (_, column) => el("th", { scope: "col" },
    column ? el("button", { type: "button", title: "Join with the column at the left", "aria-label": `Join column ${column + 1} with the one at its left`, onclick: () => said({ join_columns: [column + 1] }, "Two columns are one") }, "⇤") : null,
    el("button", { type: "button", title: "The last word is a column of its own", "aria-label": `Cut column ${column + 1} before its last word`, onclick: () => said({ split_columns: [column + 1] }, "A column is two") }, "✂")));
  const table = el("table", {}, el("thead", {}, el("tr", {}, el("th", {}), heads)), el("tbody", {}, cells));
  const header = el("input", { type: "number", min: 0, max: block.rows.length, id: "header-rows" });
  header.value = block.header_rows;
  return el("details", { id: "table-form", open: true }, el("summary", {}, "Columns and rows"),
    el("div", { class: "grid" }, table),
    el("div", { class: "acts" },
      el("label", {}, "header rows ", header), el("button", { type: "button", onclick: () => said({ header_rows: Number(header.value) }, "The header is said") }, "Set"),
      el("button", { type: "button", onclick: () => said({ rows: $$("tbody tr", table).map((row) => $$("input", row).map((cell) => cell.value)) }, "The table is as you wrote it") }, "Write all cells down"),
      el("button", { type: "button", onclick: () => said({ is_text: true }, "No table") }, "It is no table")));
}
