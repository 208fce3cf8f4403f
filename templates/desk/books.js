// Books: those that are there, and a new one from PDFs that are dropped in.
import { el, fill, post, put, say } from "./dom.js";
import { openBook, refreshBook, show } from "./desk.js";

export function booksView(main, desk) {
  const title = el("input", { id: "title", maxlength: 120, placeholder: "My game" });
  const begin = async (event) => {
    event.preventDefault();
    try {
      const { book } = await post("api/new-book", { title: title.value });
      await openBook(book, "books");
      say(`${book} is begun: drop its PDFs in.`);
    } catch (error) { say(error.message, true); }
  };
  fill(main, el("div", { class: "column" },
    desk.book && !desk.book.only ? el("section", {}, el("h1", {}, desk.book.title), dropZone(desk, "Drop PDFs here, or choose them", async (names) => {
      await refreshBook();
      say(`${names.join(", ")}: read.`);
      desk.reader.source ||= names[0];
      show("read");
    }), el("ul", { class: "plain" }, desk.book.sources.map(({ name }) => el("li", {}, name)))) : null,
    el("section", {}, el("h2", {}, "Books of this folder"), el("ul", { class: "plain" }, desk.about.books.map((name) => el("li", {},
      el("button", { type: "button", class: "link", onclick: () => openBook(name).catch((error) => say(error.message, true)) }, name)))),
      desk.about.books.length ? null : el("p", { class: "none" }, "There is none yet.")),
    el("section", {}, el("h2", {}, "Begin a book"), el("form", { class: "line", onsubmit: begin }, el("label", {}, "Its name ", title), el("button", { class: "main" }, "Begin")))));
}

/** A place to drop PDFs; ``done`` is told the names that they got. */
export function dropZone(desk, told, done) {
  const input = el("input", { type: "file", accept: "application/pdf,.pdf", multiple: true, onchange: () => send(input.files) });
  const send = async (files) => {
    const names = [];
    for (const file of files) {
      say(`${file.name} is being read …`);
      try {
        names.push((await put("upload", { book: desk.name, name: file.name }, file)).source);
      } catch (error) { say(`${file.name}: ${error.message}`, true); }
    }
    if (names.length) await done(names);
  };
  const zone = el("label", {
    class: "drop", ondragover: (event) => { event.preventDefault(); zone.classList.add("over"); }, ondragleave: () => zone.classList.remove("over"),
    ondrop: (event) => { event.preventDefault(); zone.classList.remove("over"); send(event.dataTransfer.files); },
  }, el("span", {}, told), input);
  return zone;
}
