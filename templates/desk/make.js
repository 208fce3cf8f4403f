// Print and compare: choose, wait, look at it in the page, take it home.
import { $, $$, address, el, fill, follow, post, say } from "./dom.js";
import { refreshBook, show } from "./desk.js";
import { dropZone } from "./books.js";

const ABOUT = {
  booklet: "A5, to read and to fold", "booklet-print": "the booklet, ready to fold", sheet: "A4 across, dense", reader: "A4, two columns",
  cards: "63 × 88 mm", slips: "errata to cut out and paste in", zine: "one A4, folded to eight pages", web: "for the phone, works offline",
};

const last = new Map(); // what was last chosen for each book

/** Run a piece of work and tell how far it is. */
export async function work(path, asked, told) {
  const line = $("#work");
  fill(line, el("progress", { "aria-label": "At work" }), el("span", {}, "at work …"));
  try {
    const result = await follow(await post(path, asked), (said) => { $("span", line).textContent = said; });
    await refreshBook();
    say(told(result));
    return result;
  } catch (error) {
    say(error.message, true);
    return null;
  } finally { fill(line); }
}

export function printView(main, desk) {
  const settings = { ...desk.book.settings, ...last.get(desk.name) };
  const chosen = new Set(settings.products);
  const pick = (name, label, choices, value) => el("label", {}, label, el("select", { id: name }, choices.map((each) => el("option", { value: each, selected: each === value }, each || "as the sources"))));
  const form = el("form", {
    class: "make", onsubmit: async (event) => {
      event.preventDefault();
      const products = $$("[name=product]:checked", form).map((box) => box.value);
      const asked = { book: desk.name, products, theme: $("#theme").value, language: $("#language").value, keep: $("#keep").checked };
      last.set(desk.name, asked);
      const made = await work("api/build", asked, (result) => `Printed: ${result.files.join(", ")}`);
      if (made) { show("print"); viewer(desk, made.files[0]); }
    },
  },
  el("fieldset", {}, el("legend", {}, "Products"), desk.about.products.filter((name) => name !== "booklet-print").map((name) => el("label", { class: "check" },
    el("input", { type: "checkbox", name: "product", value: name, checked: chosen.has(name) }), el("b", {}, ` ${name} `), el("small", {}, ABOUT[name])))),
  el("div", { class: "line" }, pick("theme", "Theme ", desk.about.themes, settings.theme), pick("language", "Our words in ", ["", ...desk.about.languages], settings.language),
    el("label", { class: "check" }, el("input", { type: "checkbox", id: "keep" }), " keep this for the book")),
  el("button", { class: "main", id: "build" }, "Print"), el("p", { id: "work", role: "status" }));
  fill(main, el("section", { class: "side" }, el("h1", {}, "Print"), form, el("h2", {}, "What was made"), files(desk)), el("section", { class: "viewer", id: "viewer", "aria-label": "What was made" }));
  const first = desk.book.files[0];
  if (first) viewer(desk, first.file);
}

function files(desk) {
  return el("ul", { class: "files", id: "files" }, desk.book.files.length ? desk.book.files.map(({ file, size, pages }) => el("li", {},
    el("button", { type: "button", class: "link", onclick: () => viewer(desk, file) }, file),
    el("span", {}, pages ? `${pages} p. · ` : "", `${Math.ceil(size / 1024)} KB`),
    download(desk, file))) : el("li", { class: "none" }, "Nothing yet."));
}

export function download(desk, file) {
  return el("a", { href: address("file", { book: desk.name, file, download: 1 }), download: file.split("/").at(-1), class: "take" }, "Download", el("span", { class: "aside" }, ` ${file}`));
}

/** A file that was made: its pages as pictures, or the page itself in a frame that reaches nothing. */
export function viewer(desk, file, into = $("#viewer")) {
  const held = desk.book.files.find((each) => each.file === file);
  const head = el("p", { class: "bar" }, el("b", {}, file), download(desk, file));
  if (file.endsWith(".html")) fill(into, head, el("iframe", { src: address("file", { book: desk.name, file }), title: file, sandbox: "allow-scripts", referrerpolicy: "no-referrer" }));
  else fill(into, head, el("div", { class: "pages" }, Array.from({ length: Math.min(held?.pages ?? 1, 60) }, (_, at) => el("img", {
    src: address("made", { book: desk.name, file, page: at + 1, wide: 900, at: held?.size ?? 0 }), alt: `Page ${at + 1} of ${file}`, loading: at ? "lazy" : "eager",
  }))));
}

export function compareView(main, desk) {
  const names = desk.book.sources.map(({ name }) => name);
  const pick = (id, label, at) => el("label", {}, label, el("select", { id }, names.map((name, number) => el("option", { value: name, selected: number === at }, name))));
  const compare = async (old, next) => {
    const made = await work("api/changes", { book: desk.name, old, new: next }, (result) => result.told);
    if (made) { fill($("#told"), made.told); viewer(desk, made.files[0]); fill($("#taken"), made.files.map((file) => el("li", {}, file, " ", download(desk, file)))); }
  };
  const form = el("form", { class: "make", onsubmit: (event) => { event.preventDefault(); compare($("#old").value, $("#new").value); } },
    el("div", { class: "line" }, pick("old", "Old ", 0), pick("new", "New ", Math.min(1, names.length - 1))),
    el("button", { class: "main", id: "compare-now", disabled: names.length < 2 }, "Compare"), el("p", { id: "work", role: "status" }));
  fill(main, el("section", { class: "side" }, el("h1", {}, "What changed"), form,
    desk.book.only ? null : dropZone(desk, "Or drop two releases here, the old one first", async (dropped) => {
      await refreshBook();
      show("compare");
      if (dropped.length >= 2) { $("#old").value = dropped[0]; $("#new").value = dropped[1]; await compare(dropped[0], dropped[1]); }
    }), el("p", { id: "told" }), el("ul", { class: "files", id: "taken" })),
  el("section", { class: "viewer", id: "viewer", "aria-label": "The change sheet" }));
}
