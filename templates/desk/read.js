// Read and mend: the page at one side with its blocks drawn over it, the entries at the other.
import { $, address, el, fill, get, isTyping, post, quietly, say } from "./dom.js";
import { tellUndo } from "./desk.js";
import { aboutForm, fieldsForm, placeForm, tableForm } from "./mend.js";

const KINDS = [["qa", "Question"], ["erratum", "Erratum"], ["definition", "Definition"], ["rule", "Rule"], ["table", "Table"], ["text", "Text"]];
const LETTERS = { qa: "Q", erratum: "E", definition: "D", rule: "R", table: "T", text: "P", heading: "H", furniture: "F" };
const WHY = {
  override: "no longer fits", margin: "not sure", finding: "finding", unread: "not understood", conflict: "conflict",
  near: "nearly the same", icon: "icon", rest: "",
};
const DROP = 1.5; // points that letters hang below the box of their line
const CUT = 110; // letters of a block in the label for a screen reader
const WORD = /[\p{L}\p{N}]+/gu;

export class Reader {
  constructor(desk, source = "") {
    this.desk = desk;
    this.source = source || desk.book.sources[0]?.name || "";
    this.list = "looks"; // looks, all, overrides
    this.looks = [];
    this.page = 1;
    this.zoom = 1;
    this.several = false; // a click adds a block to those that are chosen: for fingers
    this.thing = null; // key of what is chosen
    this.block = null; // number of the block that is chosen
    this.also = new Set(); // numbers of blocks that are chosen with it
    this.wordAt = 0; // number of the word in it
    this.moving = null; // number of the block that is being moved
    this.alike = false; // the next click counts for all that look like this
    this.dirty = false; // somebody is typing
    this.state = "";
  }

  // ------------------------------------------------------------ what is there

  async load() {
    this.read(await get("api/source", { book: this.desk.name, source: this.source }));
  }

  /** A source as it was just read; what was chosen stays chosen, by its place on the page. */
  read(told) {
    const before = this.block === null || !this.told ? null : this.told.blocks[this.block];
    this.told = told;
    this.state = told.state;
    this.dirty = false;
    Object.assign(this.desk.book, { undo: told.undo, redo: told.redo, overrides: told.overrides });
    tellUndo(told);
    if (before) {
      const near = told.blocks.filter((block) => block.address === before.address);
      const same = near.find((block) => block.text === before.text) ?? near.find((block) => before.text.startsWith(block.text)) ?? near[0];
      this.choose(same ?? told.blocks.find((block) => block.page === before.page) ?? told.blocks[0], false);
    } else if (told.blocks.length) {
      this.choose(told.blocks.find((block) => block.thing) ?? told.blocks[0], false);
    }
    this.drawAll();
    this.review();
  }

  async review() {
    try {
      const { looks } = await quietly("api/review", { book: this.desk.name, source: this.source });
      const first = !this.reviewed;
      const same = JSON.stringify(looks) === JSON.stringify(this.looks);
      this.looks = looks;
      this.reviewed = true;
      if (this.desk.view === "read" && (first || !same) && !isTyping()) this.drawList();
    } catch (error) {
      this.reviewed = true;
      say(error.message, true);
    }
  }

  thingOf(key) { return this.told?.things.find((each) => each.key === key) ?? null; }
  blockAt(n) { return this.told?.blocks[n] ?? null; }
  chosen() { return this.thingOf(this.thing); }

  /** Choose a block, and what it belongs to. */
  choose(block, redraw = true, focus = false) {
    if (!block) return;
    this.also.clear();
    this.block = block.n;
    this.thing = block.thing;
    this.wordAt = 0;
    this.page = block.page;
    if (redraw) this.drawAll();
    if (focus) $(`.block[data-n="${block.n}"]`)?.focus();
  }

  /** Choose more: up to this block (with Shift), or this block too (with Ctrl). */
  chooseMore(block, upTo) {
    const from = Math.min(this.block ?? block.n, block.n);
    const to = Math.max(this.block ?? block.n, block.n);
    const more = upTo ? this.told.blocks.slice(from, to + 1).map((each) => each.n) : [this.block ?? block.n, block.n];
    for (const n of more) this.also.add(n);
    this.drawAll();
    say(`${this.also.size} blocks are chosen: join them, or say that each is a heading or furniture.`);
  }

  chooseThing(key) {
    const thing = this.thingOf(key);
    if (!thing) return;
    this.choose(this.blockAt(thing.blocks[0]), false);
    this.thing = key;
    this.page = thing.page;
    this.drawAll();
  }

  // ------------------------------------------------------------ mending

  async mend(act, given = {}, told = act) {
    const many = this.also.size > 1 && ["join", "furniture", "heading"].includes(act) ? { blocks: [...this.also].sort((a, b) => a - b) } : {};
    const asked = { book: this.desk.name, source: this.source, act, thing: this.thing, block: this.block, ...many, ...given };
    const at = performance.now();
    try {
      this.read(await post("api/mend", asked));
      const last = this.desk.book.undo;
      say(`${told}. Written: ${last} (${Math.round(performance.now() - at)} ms). U takes it back.`);
      return true;
    } catch (error) {
      say(error.message, true);
      if (error.stale) await this.load();
      return false;
    }
  }

  async tell(path, given, told) {
    try {
      this.read(await post(path, { book: this.desk.name, source: this.source, ...given }));
      say(`${told}. U takes it back.`);
    } catch (error) {
      say(error.message, true);
      if (error.stale) await this.load();
    }
  }

  heading(level) {
    const told = level ? `Heading of level ${level}` : "No heading";
    return this.alike ? this.mend("convention", { heading: level }, `${told}, and all that look like it`) : this.mend("heading", { level }, told);
  }
  furniture() {
    if (this.block >= this.told.text_blocks) return this.mend("furniture", {}, "Text, no furniture");
    return this.alike ? this.mend("convention", { furniture: true }, "Furniture, and all that look like it") : this.mend("furniture", {}, "Furniture");
  }
  kind(kind) {
    if (this.alike) return this.mend("convention", { kind }, `All that look like this: ${kind}`);
    const thing = this.chosen();
    if (thing?.sort !== "entry") return say("Choose an entry: a heading or a running head has no kind.", true);
    return this.mend("kind", { kind, block: null }, `Now a ${kind}`);
  }
  split() { return this.mend("split", { word: this.wordAt }, "A new entry begins here"); }
  join() { return this.mend("join", {}, "Joined with what stands above"); }
  move() {
    if (this.moving === null) {
      this.moving = { block: this.block, thing: this.thing };
      this.drawAll();
      return say("Now choose the block that it stands before, and press O again. Escape stops it.");
    }
    const { block, thing } = this.moving;
    const before = this.block;
    this.moving = null;
    return this.mend("order", { thing, block: this.chosenAlone ? block : null, before }, "Moved");
  }

  // ------------------------------------------------------------ looking through the list

  rows() {
    const rest = (thing) => ({ key: thing.key, thing: thing.key, why: "rest", text: thing.head, page: thing.page });
    if (this.list === "all") return this.told.things.map(rest);
    const above = new Set(this.looks.map((row) => row.thing));
    return [...this.looks, ...this.told.things.filter((thing) => thing.sort === "entry" && !above.has(thing.key)).map(rest)];
  }
  step(by) {
    const rows = this.rows();
    if (!rows.length) return;
    const at = rows.findIndex((row) => (this.look ? row.key === this.look : row.thing === this.thing));
    this.pick(rows[Math.min(rows.length - 1, Math.max(0, at + by))]);
  }
  pick(row) {
    this.look = row.key;
    if (row.thing && this.thingOf(row.thing)) this.chooseThing(row.thing);
    else { if (row.page) this.page = row.page; this.drawAll(); }
    $(`#list [data-key="${row.key}"]`)?.scrollIntoView({ block: "nearest" });
  }
  async looked() {
    const row = this.looks.find((each) => each.key === this.look) ?? this.looks.find((each) => !each.seen);
    if (!row) return say("Nothing is left to look at: this document is reviewed.");
    try {
      await post("api/seen", { book: this.desk.name, source: this.source, keys: [row.key], looked: true });
    } catch (error) { return say(error.message, true); }
    row.seen = true;
    const left = this.looks.filter((each) => !each.seen);
    const at = this.looks.indexOf(row);
    const next = this.looks.slice(at + 1).find((each) => !each.seen) ?? left[0];
    say(left.length ? `${left.length} left to look at.` : "Reviewed: you have gone through the whole list.");
    if (next) this.pick(next); else this.drawAll();
  }

  keys() {
    return [
      ["J / K", "the next, the previous in the list"], ["N", "looked at; on to the next"], ["[ / ]", "the block before, the block after"], ["{ / }", "and this one too (or Shift click)"],
      ["← / →", "the word before, the word after"], ["S", "a new entry begins at this word"], ["M", "join with what stands above"],
      ["1 – 6", "question, erratum, definition, rule, table, text"], ["Shift 1 – 6", "heading of that level"], ["0", "no heading"],
      ["F", "furniture, or text again"], ["A", "the next click counts for all that look like this"], ["O", "move: choose what, then where"],
      ["E", "put the words right"], ["P / Shift P", "the next page, the page before"], ["+ / −", "larger, smaller"],
    ];
  }

  key(event) {
    if (!this.told) return false;
    const digit = /^Digit([0-6])$/.exec(event.code)?.[1];
    if (digit !== undefined) {
      const number = Number(digit);
      if (!number) this.heading(0);
      else if (event.shiftKey) this.heading(number);
      else this.kind(KINDS[number - 1][0]);
      return true;
    }
    const does = {
      j: () => this.step(1), k: () => this.step(-1), n: () => this.looked(), "[": () => this.nextBlock(-1), "]": () => this.nextBlock(1),
      "{": () => this.reach(-1), "}": () => this.reach(1),
      ArrowLeft: () => this.nextWord(-1), ArrowRight: () => this.nextWord(1), s: () => this.split(), m: () => this.join(), f: () => this.furniture(),
      a: () => { this.alike = !this.alike; this.drawDetail(); say(this.alike ? "The next click counts for all that look like this." : "The next click counts for this alone."); },
      o: () => this.move(), e: () => $("#words-form summary")?.click(), p: () => this.turn(1), P: () => this.turn(-1),
      "+": () => this.zoomed(0.25), "-": () => this.zoomed(-0.25),
      Escape: () => { this.moving = null; this.drawAll(); },
    }[event.key];
    if (!does) return false;
    does();
    return true;
  }
  nextBlock(by) { this.choose(this.blockAt(Math.min(this.told.blocks.length - 1, Math.max(0, (this.block ?? 0) + by)))); }
  reach(by) {
    const ends = [...this.also, this.block];
    const next = this.blockAt(by > 0 ? Math.max(...ends) + 1 : Math.min(...ends) - 1);
    if (next) this.chooseMore(next, true);
  }
  nextWord(by) {
    const many = words(this.blockAt(this.block)?.text ?? "").length;
    this.wordAt = Math.min(Math.max(0, many - 1), Math.max(0, this.wordAt + by));
    this.drawDetail();
    const held = words(this.blockAt(this.block).text)[this.wordAt];
    say(held ? `at “${held.text}”` : "");
  }
  zoomed(by) {
    this.zoom = Math.min(3, Math.max(1, this.zoom + by));
    this.drawPage();
  }
  turn(by) {
    this.page = Math.min(this.told.pages.length, Math.max(1, this.page + by));
    this.drawPage();
  }

  // ------------------------------------------------------------ drawing

  draw(main) {
    fill(main,
      el("section", { class: "sheet", "aria-label": "The page" }, el("div", { class: "bar", id: "page-bar" }), el("div", { id: "page" })),
      el("section", { class: "listing", "aria-label": "What was read" }, el("div", { class: "bar", id: "list-bar" }), el("ol", { id: "list" })),
      el("section", { class: "detail", id: "detail", "aria-label": "What is chosen" }));
    if (this.told && this.told.source === this.source) { this.drawAll(); this.review(); }
    else this.load().catch((error) => say(error.message, true));
  }

  /** All of it anew; who was at a button with the keyboard is there again. */
  drawAll() {
    if (this.desk.view !== "read" || !$("#page")) return;
    const again = place(document.activeElement);
    this.drawPage();
    this.drawList();
    this.drawDetail();
    if (again && document.activeElement === document.body) again()?.focus({ preventScroll: true });
  }

  drawPage() {
    const { pages, blocks } = this.told;
    const [wide, high] = pages[this.page - 1] ?? [595, 842];
    fill($("#page-bar"),
      el("label", {}, el("span", { class: "aside" }, "Source "), el("select", { id: "source", onchange: (event) => this.open(event.target.value) },
        this.desk.book.sources.map(({ name }) => el("option", { value: name, selected: name === this.source }, name)))),
      el("span", { class: "pager" },
        el("button", { type: "button", "aria-pressed": String(this.several), title: "Choose several blocks, as with Shift", onclick: () => { this.several = !this.several; this.drawPage(); } }, "several"),
        el("button", { type: "button", "aria-label": "Smaller", title: "Smaller (−)", disabled: this.zoom <= 1, onclick: () => this.zoomed(-0.25) }, "−"),
        el("button", { type: "button", "aria-label": "Larger", title: "Larger (+)", disabled: this.zoom >= 3, onclick: () => this.zoomed(0.25) }, "+"),
        el("button", { type: "button", "aria-label": "The page before", disabled: this.page <= 1, onclick: () => this.turn(-1) }, "‹"),
        el("span", {}, `page ${this.page} of ${pages.length}`),
        el("button", { type: "button", "aria-label": "The next page", disabled: this.page >= pages.length, onclick: () => this.turn(1) }, "›")));
    const wanted = address("page", { book: this.desk.name, source: this.source, page: this.page, wide: this.zoom > 1.5 ? 2000 : 1200 });
    const held = $("#page img");
    const image = held?.getAttribute("src") === wanted ? held : el("img", { src: wanted, alt: `Page ${this.page} of ${this.source}`, width: Math.round(wide), height: Math.round(high) });
    const here = blocks.filter((block) => block.page === this.page && block.box);
    fill($("#page"), el("div", { class: "paper", style: { width: `${100 * this.zoom}%` } }, image, here.map((block) => this.drawBlock(block, wide, high))));
    $(`.block[aria-current]`)?.scrollIntoView({ block: "nearest" });
  }

  drawBlock(block, wide, high) {
    const [x0, top, x1, bottom] = block.box;
    const own = block.n === this.block;
    const beside = block.thing && block.thing === this.thing;
    const text = block.text.length > CUT ? `${block.text.slice(0, CUT)}…` : block.text;
    return el("button", {
      type: "button", class: `block k-${block.kind}${beside ? " beside" : ""}${this.also.has(block.n) ? " also" : ""}${this.moving?.block === block.n ? " moving" : ""}`, "data-n": block.n,
      "aria-current": own ? "true" : undefined, "aria-label": `Block ${block.n + 1}, ${block.kind}: ${text}`, title: [`${block.n + 1} · ${block.kind}`, ...(this.thingOf(block.thing)?.section ?? [])].join(" › "),
      style: {
        left: `${(100 * x0) / wide}%`, top: `${(100 * top) / high}%`, width: `${(100 * (x1 - x0)) / wide}%`, height: `${(100 * (bottom - top + DROP)) / high}%`,
      },
      onclick: (event) => (event.shiftKey || event.ctrlKey || event.metaKey || this.several ? this.chooseMore(block, event.shiftKey) : this.choose(block, true, true)),
    }, el("span", { class: "tag", "aria-hidden": "true" }, `${block.letter} ${block.n + 1}`));
  }

  async open(source) {
    this.source = source;
    this.told = null;
    this.block = this.thing = this.look = null;
    this.looks = [];
    this.reviewed = false;
    this.page = 1;
    try { await this.load(); } catch (error) { say(error.message, true); }
  }

  drawList() {
    if (!this.told) return;
    const left = this.looks.filter((row) => !row.seen).length;
    const tab = (name, label) => el("button", { type: "button", "aria-pressed": String(this.list === name), onclick: () => { this.list = name; this.drawList(); } }, label);
    fill($("#list-bar"),
      el("div", { class: "tabs", role: "group", "aria-label": "Which list" },
        tab("looks", `To look at ${this.looks.length ? `${this.looks.length - left} / ${this.looks.length}` : ""}`),
        tab("all", `All ${this.told.things.length}`), tab("overrides", `Overrides ${this.desk.book.overrides.length}`)),
      this.list === "looks" ? (left || !this.looks.length
        ? el("button", { type: "button", class: "main", disabled: !left, title: "N", onclick: () => this.looked() }, "Looked at, next")
        : el("span", { class: "reviewed" }, "✓ reviewed")) : null);
    if (this.list === "overrides") return this.drawOverrides();
    const rows = this.rows();
    const first = rows.findIndex((row) => row.why === "rest");
    const between = this.list === "looks" && first >= 0 ? el("li", { class: "between" }, first ? "The rest, in order" : this.reviewed ? "Nothing needs an eye. All entries, in order:" : "Looking it over …") : null;
    fill($("#list"), rows.flatMap((row, at) => (at === first && between ? [between, this.drawRow(row)] : [this.drawRow(row)])));
    return undefined;
  }

  drawRow(row) {
    const thing = this.thingOf(row.thing);
    const kind = thing?.kind ?? "";
    const here = row.why === "rest" ? row.thing === this.thing : row.key === this.look;
    const path = thing?.section?.join(" › ");
    return el("li", { class: `${row.seen ? "seen" : ""} ${thing?.hidden ? "hidden-one" : ""} s-${thing?.sort ?? "none"}`, "data-key": row.key },
      el("button", { type: "button", "aria-current": here ? "true" : undefined, onclick: () => this.pick(row) },
        el("span", { class: `kind k-${kind || "finding"}`, title: kind }, el("span", { "aria-hidden": "true" }, LETTERS[kind] ?? "!"), el("span", { class: "aside" }, kind)),
        el("span", { class: "what" }, row.why !== "rest" ? el("b", {}, `${WHY[row.why]}: `) : null, row.text,
          this.list === "all" && path ? el("small", {}, path) : null),
        el("span", { class: "where" }, row.seen ? el("span", { class: "tick" }, "✓", el("span", { class: "aside" }, " looked at")) : null, row.page ? `p. ${row.page}` : "")),
      here && row.why !== "rest" ? this.drawLook(row) : null);
  }

  drawLook(row) {
    if (row.why === "override") {
      return el("div", { class: "look" }, el("p", {}, "It says ", el("q", {}, row.said), row.near ? [". The nearest text is now ", el("q", {}, row.near), "."] : ". Nothing like it is there now."),
        row.near ? el("button", { type: "button", class: "main", onclick: () => this.tell("api/fit", { table: row.table, number: row.number, said: row.said, near: row.near }, "It is meant for the new text") }, "It means the new one") : null,
        el("button", { type: "button", onclick: () => this.dropNumber(row.table, row.number - 1) }, "Take it out"));
    }
    if (row.pair) {
      return el("div", { class: "look pair" }, row.pair.map((side) => el("blockquote", {}, el("b", {}, side.head), el("p", {}, side.says), el("cite", {}, `${side.source}, p. ${side.page}`))),
        el("button", { type: "button", class: "main", onclick: () => this.tell("api/pair", { table: "merge", entries: row.pair.map((side) => side.id) }, "These two are one ruling") }, "These are one ruling"),
        el("button", { type: "button", onclick: () => this.tell("api/pair", { table: "keep_apart", entries: row.pair.map((side) => side.id) }, "These two never are one") }, "These never are"));
    }
    if (row.why === "icon") {
      const field = el("input", { id: "icon-name", placeholder: "sword", maxlength: 40 });
      return el("form", { class: "look", onsubmit: (event) => { event.preventDefault(); this.tell("api/icon", { glyph: row.glyph, name: field.value }, `The icon is called ${field.value}`); } },
        el("label", {}, "Its name ", field), el("button", { class: "main" }, "Name it"));
    }
    return null;
  }

  drawOverrides() {
    const held = this.desk.book.overrides;
    fill($("#list"), held.length ? held.map((each) => el("li", { class: "said" },
      el("p", {}, el("code", {}, `[[${each.table}]]`), Object.entries(each.values).map(([name, value]) => el("span", { class: "pair" }, el("i", {}, name), " ", Array.isArray(value) ? value.join(" · ") : String(value)))),
      el("button", { type: "button", onclick: () => this.drop(each) }, "Take out"))) : el("li", { class: "none" }, "Nothing was said about this book yet."));
  }
  drop(each) { return this.tell("api/drop", { table: each.table, values: each.values }, "Taken out of overrides.toml"); }
  dropNumber(table, number) {
    const found = this.desk.book.overrides.find((each) => each.table === table && each.number === number);
    return found ? this.drop(found) : say("It is gone already.", true);
  }

  // ------------------------------------------------------------ what is chosen

  drawDetail() {
    const thing = this.chosen();
    const block = this.blockAt(this.block);
    if (!thing && !block) return fill($("#detail"), el("p", { class: "none" }, "Choose a block on the page, or an entry in the list."));
    const furniture = this.block !== null && this.block >= this.told.text_blocks;
    return fill($("#detail"),
      el("h2", {}, thing ? ({ entry: kindName(thing.kind), heading: `Heading ${thing.level}`, furniture: "Furniture" }[thing.sort]) : "Not understood",
        el("small", {}, thing?.section?.length ? thing.section.join(" › ") : "", thing?.subject ? ` · ${thing.subject}` : "", thing?.corrected ? " · corrected" : "", thing?.hidden ? " · not printed" : "")),
      thing?.sort === "entry" ? el("div", { class: "acts", role: "group", "aria-label": "Kind" },
        KINDS.map(([kind, label], at) => el("button", { type: "button", "aria-pressed": String(thing.kind === kind), title: `${label} (${at + 1})`, onclick: () => this.kind(kind) }, label))) : null,
      el("h3", {}, "As it is printed"),
      el("div", { class: "printed" }, this.drawPrinted(thing)),
      el("div", { class: "acts", role: "group", "aria-label": "This block" },
        furniture ? el("button", { type: "button", class: "main", title: "F", onclick: () => this.furniture() }, "It is text") : [
          el("button", { type: "button", title: "S", onclick: () => this.split() }, `New entry at “${words(block?.text ?? "")[this.wordAt]?.text ?? ""}”`),
          el("button", { type: "button", title: "M", onclick: () => this.join() }, this.also.size > 1 ? `Join these ${this.also.size}` : "Join with above"),
          el("button", { type: "button", title: "F", onclick: () => this.furniture() }, "Furniture"),
          el("button", { type: "button", title: "O", "aria-pressed": String(this.moving !== null), onclick: () => this.move() }, this.moving === null ? "Move …" : "… before this"),
        ]),
      furniture ? null : el("div", { class: "acts", role: "group", "aria-label": "Heading" }, el("span", { class: "label" }, "Heading"),
        [1, 2, 3, 4].map((level) => el("button", { type: "button", title: `Shift ${level}`, "aria-pressed": String(thing?.sort === "heading" && depth(this, thing) === level), onclick: () => this.heading(level) }, String(level))),
        el("button", { type: "button", title: "0", onclick: () => this.heading(0) }, "none"),
        el("label", { class: "alike" }, el("input", { type: "checkbox", id: "alike", checked: this.alike, onchange: (event) => { this.alike = event.target.checked; } }), " all that look like this")),
      block?.table ? tableForm(this, block) : null,
      thing?.sort === "entry" ? [fieldsForm(this, thing), placeForm(this, thing)] : null,
      thing?.sort === "entry" ? el("div", { class: "acts" }, el("button", { type: "button", onclick: () => this.mend("hide", { block: null }, "Hidden: it is not printed") }, "Do not print it")) : null,
      this.desk.book.only ? null : aboutForm(this));
  }

  drawPrinted(thing) {
    const numbers = thing?.blocks.length ? thing.blocks : [this.block];
    return numbers.map((n) => {
      const block = this.blockAt(n);
      if (!block) return null;
      const own = n === this.block;
      let at = 0;
      const pieces = [];
      words(block.text).forEach((each, number) => {
        pieces.push(block.text.slice(at, each.start));
        pieces.push(el("span", { class: `w${own && number === this.wordAt ? " at" : ""}`, "data-w": number }, each.text));
        at = each.end;
      });
      pieces.push(block.text.slice(at));
      return el("p", {
        class: own ? "own" : "", "data-n": n, "aria-current": own ? "true" : undefined,
        onclick: (event) => {
          this.choose(block, false);
          if (thing) this.thing = thing.key;
          this.wordAt = Number(event.target.dataset?.w ?? 0);
          this.drawAll();
        },
      }, el("span", { class: `tag k-${block.kind}` }, `${block.letter} ${n + 1}`), pieces);
    });
  }
}

/** How to find an element again after everything was drawn anew. */
function place(element) {
  if (!element || element === document.body) return null;
  if (element.id) return () => $(`#${element.id}`);
  if (element.dataset.n) return () => $(`.block[data-n="${element.dataset.n}"]`) ?? $(".block[aria-current]");
  const row = element.closest("#list > li");
  if (row) return () => $(`#list [data-key="${row.dataset.key}"] > button`) ?? $("#list [aria-current]") ?? $("#list button");
  const home = element.closest("#detail, .bar");
  if (!home?.id) return null;
  const name = element.title || element.textContent;
  return () => [...$(`#${home.id}`).querySelectorAll("button, summary")].find((each) => (each.title || each.textContent) === name) ?? $(`#${home.id} button`);
}

function kindName(kind) { return KINDS.find(([name]) => name === kind)?.[1] ?? kind; }

/** How deep a heading stands in the paths of what is under it. */
function depth(reader, heading) {
  const { things } = reader.told;
  const next = things.slice(things.indexOf(heading)).find((each) => each.sort === "entry");
  const at = next?.section.findIndex((title) => title === heading.head) ?? -1;
  return at + 1;
}

const CAPITAL = /^\p{Lu}$/u;
const SMALL = /^\p{Ll}$/u;

/** Words that a typesetter put together: "MOVINGThe" is two. */
function parts(word, start) {
  for (let at = 1; at < word.length; at += 1) {
    const small = SMALL.test(word[at - 1]) && CAPITAL.test(word[at]);
    const big = at > 1 && CAPITAL.test(word[at]) && SMALL.test(word[at + 1] ?? "") && !/\p{Ll}/u.test(word.slice(0, at)) && /\p{Lu}/u.test(word.slice(0, at));
    if (small || big) return [{ text: word.slice(0, at), start, end: start + at }, ...parts(word.slice(at), start + at)];
  }
  return [{ text: word, start, end: start + word.length }];
}

/** The words of a text as the server counts them: letters and digits, each with its place. */
export function words(text) {
  const found = [...text.matchAll(WORD)];
  const plain = found.length ? found : [...text.matchAll(/\S+/g)];
  return plain.flatMap((each) => parts(each[0], each.index));
}
