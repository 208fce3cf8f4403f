// The desk: which book, which view, undo and redo, the keys of every view.
import { $, $$, el, fill, get, isTyping, post, quietly, say, turn } from "./dom.js";
import { Reader } from "./read.js";
import { compareView, printView } from "./make.js";
import { eventsView } from "./events.js";
import { booksView } from "./books.js";

export const desk = { about: null, name: "", book: null, view: "read", reader: null };

const VIEWS = { print: printView, compare: compareView, events: eventsView, books: booksView };
const keysOn = () => localStorage.getItem("keys") !== "off";

async function start() {
  desk.about = await get("api/desk");
  const wanted = new URLSearchParams(location.hash.slice(1));
  const first = desk.about.start?.book ?? "";
  const name = wanted.get("book") ?? (first || (desk.about.books.length === 1 ? desk.about.books[0] : ""));
  if (name && desk.about.books.includes(name)) await openBook(name, wanted.get("view") ?? "read", wanted.get("source") ?? desk.about.start?.source);
  else show("books");
  setInterval(watch, 2000);
}

export async function openBook(name, view = "read", source = "") {
  desk.name = name;
  desk.book = await get("api/book", { book: name });
  if (!desk.about.books.includes(name)) desk.about.books.push(name);
  desk.reader = new Reader(desk, source);
  show(desk.book.sources.length ? view : "books");
}

/** What a book is now: after something was made or dropped in. */
export async function refreshBook() {
  if (desk.name) desk.book = await quietly("api/book", { book: desk.name });
  tellUndo(desk.book);
}

export function show(view) {
  desk.view = desk.book ? view : "books";
  for (const button of $$("nav [data-view]")) {
    const here = button.dataset.view === desk.view;
    if (here) button.setAttribute("aria-current", "page"); else button.removeAttribute("aria-current");
    button.disabled = !desk.book && button.dataset.view !== "books";
  }
  fill($("#book"), desk.book ? null : el("option", { value: "" }, "–"),
    desk.about.books.map((name) => el("option", { value: name, selected: name === desk.name }, name)));
  location.replace(`#${new URLSearchParams({ ...(desk.name && { book: desk.name }), view: desk.view })}`);
  const main = $("#main");
  main.className = desk.view;
  if (desk.view === "read") desk.reader.draw(main);
  else VIEWS[desk.view](main, desk);
  tellUndo(desk.book);
  document.title = `${desk.book?.title ?? "Rubricator"} · the desk`;
}

/** What can be taken back, on the buttons. */
export function tellUndo(said) {
  for (const name of ["undo", "redo"]) {
    const button = $(`#${name}`);
    button.disabled = !said?.[name];
    button.title = said?.[name] ? `${name === "undo" ? "Undo (U)" : "Redo (Shift U)"}: ${said[name]}` : name;
  }
}

export async function takeBack(which) {
  try {
    const said = desk.book?.[which] || $(`#${which}`).title;
    const told = await post(`api/${which}`, { book: desk.name, source: desk.view === "read" ? desk.reader.source : "" });
    say(`${which === "undo" ? "Taken back" : "Done again"}: ${said.replace(/^.*?\): /, "")}`);
    Object.assign(desk.book, { undo: told.undo, redo: told.redo, overrides: told.overrides });
    tellUndo(told);
    if (desk.view === "read") desk.reader.read(told);
    else show(desk.view);
  } catch (error) { say(error.message, true); }
}

// Somebody else may be at this book: another desk, or a text editor.
async function watch() {
  if (document.hidden || !desk.book || desk.view !== "read" || desk.reader.dirty || isTyping()) return;
  try {
    const before = turn();
    const { state } = await quietly("api/state", { book: desk.name });
    if (before >= 0 && before === turn() && desk.reader.state && state !== desk.reader.state) {
      await desk.reader.load();
      say("The book was changed elsewhere and read again.");
    }
  } catch { /* the desk was closed */ say("The desk does not answer: is it still open in the terminal?", true); }
}

function help() {
  const all = [...desk.reader?.keys() ?? [], ["U / Shift U", "undo, redo"], ["?", "this list"]];
  fill($("#help-keys"), el("dl", {}, all.map(([key, does]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, does)])));
  $("#keys-on").checked = keysOn();
  $("#help").showModal();
}

addEventListener("keydown", (event) => {
  if (event.target.closest("input, textarea, select, dialog, [contenteditable]")) return;
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
    event.preventDefault();
    takeBack(event.shiftKey ? "redo" : "undo");
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || !keysOn()) return;
  if (event.key === "?") { event.preventDefault(); help(); }
  else if (event.key === "u") takeBack("undo");
  else if (event.key === "U") takeBack("redo");
  else if (desk.view === "read" && desk.reader?.key(event)) event.preventDefault();
});

$("#undo").addEventListener("click", () => takeBack("undo"));
$("#redo").addEventListener("click", () => takeBack("redo"));
$("#keys").addEventListener("click", help);
$("#keys-on").addEventListener("change", (event) => localStorage.setItem("keys", event.target.checked ? "on" : "off"));
$("#book").addEventListener("change", (event) => event.target.value && openBook(event.target.value).catch((error) => say(error.message, true)));
for (const button of $$("nav [data-view]")) button.addEventListener("click", async () => { await refreshBook(); show(button.dataset.view); });

start().catch((error) => say(error.message, true));
