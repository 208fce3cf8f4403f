// Events: a form for all of event.toml, the handouts that come of it, what was left out, and dragging it in or out.
import { $, $$, el, fill, get, post, say } from "./dom.js";
import { refreshBook, show } from "./desk.js";
import { viewer, work } from "./make.js";

let open = ""; // the event that is shown

export async function eventsView(main, desk) {
  const { events } = desk.book;
  if (!events.includes(open)) open = events[0] ?? "";
  const name = el("input", { id: "event-name", maxlength: 120, placeholder: "Winter Cup" });
  const date = el("input", { id: "event-date", type: "date" });
  const begin = async (event) => {
    event.preventDefault();
    try {
      open = (await post("api/new-event", { book: desk.name, name: name.value, date: date.value })).event;
      await refreshBook();
      show("events");
    } catch (error) { say(error.message, true); }
  };
  fill(main, el("section", { class: "side wide" }, el("h1", {}, "Events"),
    events.length ? el("label", {}, "Event ", el("select", { id: "event", onchange: (event) => { open = event.target.value; show("events"); } },
      events.map((each) => el("option", { value: each, selected: each === open }, each)))) : null,
    el("details", { open: !events.length }, el("summary", {}, "Begin another"), el("form", { class: "line", onsubmit: begin },
      el("label", {}, "Its name ", name), el("label", {}, "Day ", date), el("button", { class: "main", id: "new-event" }, "Begin"))),
    el("div", { id: "event-form" }), el("p", { id: "work", role: "status" })),
  el("section", { class: "viewer", id: "viewer", "aria-label": "The handout" }));
  if (!open) return;
  try {
    const { values } = await get("api/event", { book: desk.name, event: open });
    drawForm(desk, values);
  } catch (error) { say(error.message, true); }
}

function drawForm(desk, values) {
  const form = el("form", { class: "event", onsubmit: (event) => { event.preventDefault(); make(desk); } },
    desk.about.event.map((field) => drawField(field, values[field.name])),
    el("div", { class: "line sticky" }, el("button", { class: "main", id: "make-handout" }, "Write it down and make the handout"),
      el("button", { type: "button", id: "save-event", onclick: () => save(desk) }, "Write it down")));
  fill($("#event-form"), form);
}

const label = (name) => name.replaceAll("_", " ");

/** One key: its name, its field, its help. The element can tell its value. */
function drawField(field, value) {
  if (field.is === "table") {
    const inner = field.fields.map((each) => drawField(each, value?.[each.name]));
    const made = el("fieldset", { "data-name": field.name }, el("legend", {}, label(field.name)), el("small", {}, field.help), inner);
    made.told = () => Object.fromEntries(inner.map((each) => [each.dataset.name, each.told()]));
    return made;
  }
  if (field.is === "tables") return drawTables(field, value ?? []);
  const id = `f-${field.name}-${Math.random().toString(36).slice(2, 7)}`;
  const input = drawInput(field, value, id);
  const made = el("div", { class: "field", "data-name": field.name }, el("label", { for: id }, label(field.name)), input, el("small", { id: `${id}-help` }, field.help));
  made.told = () => told(field, input.value);
  return made;
}

function drawInput(field, value, id) {
  const given = { id, "data-key": field.name, "aria-describedby": `${id}-help` };
  if (field.is === "choice") return el("select", given, ["", ...field.choices].map((each) => el("option", { value: each, selected: each === value }, each || "–")));
  if (field.is === "yes") return el("select", given, [["", "–"], ["yes", "yes"], ["no", "no"]].map(([each, shown]) => el("option", { value: each, selected: each === ({ true: "yes", false: "no" }[value] ?? "") }, shown)));
  if (field.is === "list" || field.is === "rows") {
    const lines = (value ?? []).map((each) => (Array.isArray(each) ? each.join(" | ") : each));
    const area = el("textarea", { ...given, rows: Math.max(1, Math.min(8, lines.length || 1)) });
    area.value = lines.join("\n");
    return area;
  }
  const input = el("input", { ...given, type: { day: "date", number: "number" }[field.is] ?? "text", step: field.is === "number" ? "any" : null });
  input.value = value ?? "";
  return input;
}

function told(field, text) {
  if (text.trim() === "") return null;
  if (field.is === "list") return text.split("\n").map((line) => line.trim()).filter(Boolean);
  if (field.is === "rows") return text.split("\n").filter((line) => line.trim()).map((line) => line.split("|").map((cell) => cell.trim()));
  if (field.is === "number") return Number(text);
  if (field.is === "yes") return text === "yes";
  return text.trim();
}

function drawTables(field, values) {
  const list = el("div", {});
  const add = (value) => {
    const inner = field.fields.map((each) => drawField(each, value?.[each.name]));
    const one = el("fieldset", { class: "one" }, inner, el("button", { type: "button", onclick: () => one.remove() }, "Take out"));
    one.told = () => Object.fromEntries(inner.map((each) => [each.dataset.name, each.told()]).filter(([, held]) => held !== null));
    list.append(one);
  };
  values.forEach(add);
  const made = el("details", { "data-name": field.name, open: field.name === "handouts" }, el("summary", {}, label(field.name)), el("small", {}, field.help), list,
    el("button", { type: "button", onclick: () => add({}) }, `Add to ${label(field.name)}`));
  made.told = () => [...list.children].map((each) => each.told());
  return made;
}

function told_of_form() {
  return Object.fromEntries([...$("#event-form form").children].filter((each) => each.told).map((each) => [each.dataset.name, each.told()]));
}

async function save(desk, values = told_of_form()) {
  try {
    const kept = await post("api/save-event", { book: desk.name, event: open, values });
    say("Written down.");
    return kept.values;
  } catch (error) {
    say(error.message, true);
    return null;
  }
}

async function make(desk, values) {
  const kept = await save(desk, values);
  if (!kept) return;
  if (values) drawForm(desk, kept);
  const result = await work("api/handout", { book: desk.name, event: open }, (done) => done.handouts.map((each) => `${each.name}: ${pagesOf(each)}, ${each.left_out.length} left out`).join("; "));
  if (result) drawHandouts(desk, kept, result.handouts, 0);
}

const pagesOf = (each) => `${each.pages} ${each.budget ? `of ${each.budget} ` : ""}${each.pages === 1 && !each.budget ? "page" : "pages"}`;

/** One handout: its pages, what is on it and what is not; a ruling can be dragged, or sent by its button. */
function drawHandouts(desk, values, handouts, at) {
  const each = handouts[at];
  const tabs = el("div", { class: "tabs", role: "group", "aria-label": "Which handout" }, handouts.map((one, number) => el("button", {
    type: "button", "aria-pressed": String(number === at), onclick: () => drawHandouts(desk, values, handouts, number),
  }, one.name)));
  const send = (ruling, goesIn) => make(desk, moved(values, ruling, goesIn));
  const list = (title, held, goesIn, id) => el("section", {
    class: "drops", id, ondragover: (event) => event.preventDefault(),
    ondrop: (event) => {
      event.preventDefault();
      const ruling = [...each.in, ...each.left_out].find((one) => one.id === event.dataTransfer.getData("text/plain"));
      if (ruling && !held.includes(ruling)) send(ruling, !goesIn);
    },
  }, el("h3", {}, `${title} (${held.length})`), el("ul", {}, held.map((ruling) => el("li", {
    draggable: "true", ondragstart: (event) => event.dataTransfer.setData("text/plain", ruling.id),
  }, el("span", {}, el("b", {}, ruling.code), " ", ruling.subject ? `${ruling.subject} – ` : "", ruling.head),
  el("button", { type: "button", "aria-label": `${goesIn ? "Put in" : "Leave out"}: ${ruling.head}`, onclick: () => send(ruling, goesIn) }, goesIn ? "put in" : "leave out")))));
  const paper = el("div", { class: "paper-view" });
  fill($("#viewer"), tabs, el("p", { class: "budget" }, el("meter", { min: 0, max: Math.max(each.budget ?? each.pages, each.pages), value: each.pages }), ` ${pagesOf(each)} · ${each.type_size} pt · ${each.columns} columns`),
    el("div", { class: "two" }, list("Left out", each.left_out, true, "left-out"), list("On the sheet", each.in, false, "on-it")), paper);
  viewer(desk, each.file, paper);
}

/** The event with a ruling that never stays out, or that always does. */
function moved(values, ruling, goesIn) {
  const made = structuredClone(values);
  const without = (held) => (held ?? []).filter((name) => ![ruling.code, ruling.id, ruling.head].includes(name));
  made.first = without(made.first);
  made.leave_out = { ...made.leave_out, words: without(made.leave_out?.words) };
  if (goesIn) made.first.push(ruling.head);
  else made.leave_out.words.push(ruling.head);
  return made;
}
