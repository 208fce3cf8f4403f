// The page: a field, toggles, a list of what was found. Everything else is the book itself, readable without us.
import { blank, fromHash, toHash } from "./address.js";
import { fold, words } from "./fold.js";
import { add, makeIndex, search } from "./index.js";
import { mark } from "./mark.js";
import { TEXT, begin, choose, formsOf, linesOf, makeMatcher, meaning, readNames } from "./names.js";
import { collect, fieldsOf, plain } from "./rulings.js";

const BATCH = 16; // results made at once: more than a screen, less than a frame
const STEP = 8; // milliseconds of indexing at a time, so that typing is never held up
const FEW = 6; // names that a search shows
const MOST_WRITTEN = 8; // rulings: words that more hold name nothing
const LINES = 2000; // of a list
const LONG = 60000; // characters of one: they are in the address, so that a list can be kept as a bookmark
const SETTLE = 250; // milliseconds without a key before the address and the screen reader are told

const $ = (selector) => document.querySelector(selector);
const root = document.documentElement;
const book = $("#book");
const form = $("#search");
const field = $("#q");
const list = $("#results");
const status = $("#count");
const more = $("#more");
let rulings = null;
const index = makeIndex();
let state = blank();
let shown = { order: [], found: null, made: 0 };
let settling = 0;

// ---------------------------------------------------------------- the index, in small steps

/** The rulings, looked up when first needed: the field takes letters before. */
function all() {
  return (rulings ||= collect(book));
}

function indexUntil(due) {
  while (index.size < all().length && performance.now() < due) add(index, fieldsOf(rulings[index.size]));
  return index.size === rulings.length;
}

function indexIdly() {
  if (!indexUntil(performance.now() + STEP)) setTimeout(indexIdly);
  else rulings.filter(({ element }) => element.checkVisibility?.({ contentVisibilityAuto: true })).forEach(({ element }) => addCopy(element));
}

// ---------------------------------------------------------------- searching

function passes(ruling) {
  return (
    (!state.kind.length || state.kind.includes(ruling.kind)) &&
    (!state.verdict.length || state.verdict.includes(ruling.verdict)) &&
    (!state.section.length || state.section.some((chosen) => isUnder(ruling.path, chosen))) &&
    (!state.source.length || state.source.some((source) => ruling.sources.includes(source))) &&
    (!state.changed || ruling.changed)
  );
}

/** A section is named by its chapter, or by its chapter and the heading in it. */
function isUnder(path, chosen) {
  return path[0] === chosen || path.slice(0, 2).join(" › ") === chosen;
}

function update() {
  indexUntil(Infinity);
  const found = search(index, state.q);
  const asked = toHash(state) !== "";
  const page = state.name ? nameOf(state.name) : state.list ? listed(state.list) : null;
  const within = page && new Set(page.order);
  const first = found ? found.order.filter((at) => !within || within.has(at)) : page ? page.order : [...rulings.keys()];
  const order = first.filter((at) => passes(rulings[at]));
  shown = { order: asked ? order : [], found, made: 0, heads: page && !found ? page.heads : new Map() };
  root.classList.toggle("asked", asked);
  list.hidden = !asked;
  list.replaceChildren(...(asked ? (page ? page.lead : namesFor(state.q)) : []));
  extend();
  tell(asked, order.length, found);
  clearTimeout(settling);
  settling = setTimeout(settle, SETTLE);
}

function tell(asked, count, found) {
  const words = status.dataset;
  let said = asked ? (count ? counted(count, words.rulings.split("|")) : words.none) : "";
  if (count && found && found.partly) said = `${words.partly} ${said}`;
  if (count && found && found.guessed.length) said += ` · ${words.near} ${nearest(found.guessed)}`;
  status.textContent = said;
  $("#clear").hidden = !asked;
}

/** "1 ruling", "3 rulings": the browser knows which form a language takes. */
function counted(count, forms) {
  const place = ["one", "few", "many"].indexOf(new Intl.PluralRules(root.lang).select(count));
  return `${count} ${forms[Math.min(place < 0 ? forms.length : place, forms.length - 1)]}`;
}

function nearest(guessed) {
  return guessed.slice(0, 3).join(", ") + (guessed.length > 3 ? "…" : "");
}

function settle() {
  const hash = toHash(state);
  if (hash !== location.hash && (hash || fromHash(location.hash))) {
    history.replaceState(null, "", hash || location.pathname + location.search);
  }
}

function extend() {
  const next = shown.order.slice(shown.made, shown.made + BATCH);
  for (const at of next) {
    if (shown.heads.has(at)) list.append(made("h3", "heading", shown.heads.get(at)));
    list.append(resultOf(rulings[at]));
  }
  if (shown.found) requestAnimationFrame(bringIntoSight);
  shown.made += next.length;
  more.hidden = shown.made >= shown.order.length;
}

/** A result that is cut short shows the paragraph that has the most of what was asked and its heading does not say. */
function bringIntoSight() {
  const asked = words(fold(state.q));
  for (const part of list.querySelectorAll("article:not(.open, .seen) > :is(.answer, .body)")) {
    part.parentNode.classList.add("seen");
    if (part.scrollHeight <= part.clientHeight) continue;
    const heads = [...part.parentNode.children].filter((head) => head !== part);
    const open = asked.filter((word) => !heads.some((head) => told(head, [word])));
    const best = [...part.children].reduce((one, other) => (told(other, open) > told(one, open) ? other : one));
    const down = best.offsetTop - part.offsetTop;
    if (told(best, open) && down + best.offsetHeight > part.clientHeight) part.scrollTop = down;
  }
}

/** How many of the words that were asked are marked in a part of a result. */
function told(part, asked) {
  const found = [...part.querySelectorAll("mark")].map((mark) => fold(mark.textContent));
  return asked.filter((word) => found.some((text) => text.startsWith(word))).length;
}

function resultOf({ element, subject, path, of }) {
  const result = element.cloneNode(true);
  result.removeAttribute("id");
  result.dataset.of = element.id;
  result.tabIndex = -1;
  if (subject) result.prepend(made("h4", "subject", subject));
  if (shown.found) for (const part of result.children) if (!part.matches("footer")) mark(part, shown.found);
  result.prepend(made("p", "path", (of ? [of, ...path] : path).join(" › ")));
  addCopy(result);
  return result;
}

function made(tag, name, text) {
  const element = document.createElement(tag);
  element.className = name;
  element.textContent = text;
  return element;
}

// ---------------------------------------------------------------- pinning

const PINS = `rubricator ${document.title}`;
let pins = readPins();

/** What was pinned in this browser; nothing where it keeps nothing. */
function readPins() {
  try {
    return JSON.parse(localStorage.getItem(PINS)) || [];
  } catch {
    return [];
  }
}

function pin(button) {
  const article = button.closest("article");
  const id = article.dataset.of || article.id;
  pins = pins.includes(id) ? pins.filter((other) => other !== id) : [...pins, id];
  try {
    localStorage.setItem(PINS, JSON.stringify(pins));
  } catch {
    // it is kept as long as the page is open
  }
  showPins();
}

/** The pinned rulings above the contents, and the state of every button. */
function showPins() {
  const known = pins.map((id) => document.getElementById(id)).filter(Boolean);
  $("#pinned").hidden = !known.length;
  $("#pinned ol").replaceChildren(
    ...known.map((article) => {
      const item = made("li", "", "");
      const link = made("a", "", nameOfPinned(article));
      link.href = `#${article.id}`;
      item.append(link);
      return item;
    }),
  );
  for (const button of document.querySelectorAll(".pin")) {
    const article = button.closest("article");
    button.textContent = pins.includes(article.dataset.of || article.id) ? form.dataset.unpin : form.dataset.pin;
  }
}

function nameOfPinned(article) {
  const head = article.querySelector(".term, .target, .title, .question") || article;
  const words = head.textContent.replace(/\s+/g, " ").trim();
  return `${article.id} ${words.length > 60 ? `${words.slice(0, 60)}…` : words}`;
}

// ---------------------------------------------------------------- names, a player's list

let known = null;

/** The names of the book, read from the page when first needed. */
function names() {
  if (!known) {
    const held = readNames($("#names"));
    const forms = formsOf($("#names").dataset);
    known = { held, forms, byName: new Map(held.map((name) => [name.name, name])), match: makeMatcher(held, forms, written) };
  }
  return known;
}

function linkTo(name) {
  const link = made("a", "name", name);
  link.href = `#name=${encodeURIComponent(name)}`;
  return link;
}

/** The names that a search may mean, to open their pages. */
function namesFor(typed) {
  if (!$("#names") || !typed.trim()) return [];
  const { held, forms } = names();
  const found = begin(held, typed, FEW, forms);
  if (!found.length) return [];
  const line = made("p", "names", `${form.dataset.names} `);
  line.append(...found.map(({ name }) => linkTo(name)));
  return [line];
}

/** Groups of places as one order, with the heading over the first of each. */
function grouped(groups) {
  const order = groups.flatMap(([, places]) => places);
  const heads = new Map(groups.filter(([, places]) => places.length).map(([title, places]) => [places[0], title]));
  return { order, heads };
}

/** The page of a name: what is about it, definitions and errata first, then what names it. */
function nameOf(asked) {
  const name = $("#names") && names().byName.get(asked);
  if (!name) return { order: [], heads: new Map(), lead: [] };
  const ranks = ["definition", "erratum", "rule", "qa", "table", "text"];
  const own = [...name.own].sort((one, other) => ranks.indexOf(rulings[one].kind) - ranks.indexOf(rulings[other].kind) || one - other);
  return { ...grouped([[form.dataset.about, own], [form.dataset.naming, name.named]]), lead: [made("h2", "", asked)] };
}

/** What a list asks for; says what each of its lines means. */
function listed(text) {
  const { held, forms, match } = names();
  const told = made("ul", "told", "");
  const asked = [];
  for (const [line, found] of meaning(linesOf(text, forms).slice(0, LINES), match)) {
    asked.push(...found.names);
    told.append(toldOf(line, found));
  }
  const chosen = choose(held, [...new Set(asked)]);
  const made_ = grouped([[form.dataset.of, chosen.of], [form.dataset.naming, chosen.naming], [form.dataset.led, chosen.led]]);
  const rest = made("p", "note", asked.length ? counted(rulings.filter(({ kind }) => kind !== "text").length - made_.order.length, form.dataset.rest.split("|")) : form.dataset.noNames);
  return { ...made_, lead: [made("h2", "", form.dataset.mine), told, rest] };
}

/** Words that are no name of the register and yet stand in a few rulings: what they name is named there. */
function written({ whole, pieces }) {
  return [whole, ...pieces].flatMap((text) => {
    const found = text.length > 3 ? search(index, `"${text}"`) : null;
    const named = found && !found.guessed.length ? found.order : [];
    return named.length && named.length <= MOST_WRITTEN ? [{ name: text, origin: TEXT, own: [], under: [], defined: [], named }] : [];
  });
}

function toldOf(line, { names: found, several = [], near = "" }) {
  const item = made("li", found.length ? "" : "missed", `${line.text} → `);
  const { nothing, nearest: nearestIs, could } = form.dataset;
  if (found.length) found.forEach(({ name }, at) => item.append(at ? ", " : "", names().byName.has(name) ? linkTo(name) : made("b", "", name)));
  else if (several.length) item.append(`${could} ${several.slice(0, FEW).join(", ")}`);
  else item.append(near ? `${nothing}; ${nearestIs} ` : nothing, ...(near ? [linkTo(near)] : []));
  return item;
}

// ---------------------------------------------------------------- copying

function addCopy(article) {
  const foot = article.querySelector("footer");
  if (!foot || article.matches(".text") || foot.querySelector("button")) return; // running text is nobody's to quote
  const button = made("button", "copy", form.dataset.copy);
  button.type = "button";
  button.setAttribute("aria-label", `${form.dataset.copy} ${article.dataset.of || article.id}`);
  const pinning = made("button", "copy pin", pins.includes(article.dataset.of || article.id) ? form.dataset.unpin : form.dataset.pin);
  pinning.type = "button";
  foot.prepend(button, pinning);
}

async function copy(button) {
  const article = button.closest("article");
  const id = article.dataset.of || article.id;
  const text = plain(all().find(({ element }) => element.id === id), document.title);
  const done = (await toClipboard(text)) || oldCopy(text);
  say(button, done ? form.dataset.copied : form.dataset.failed);
  setTimeout(() => say(button, form.dataset.copy, ""), 1600);
}

function say(button, words, aloud = words) {
  button.textContent = words;
  document.querySelector("#said").textContent = aloud;
}

async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // no permission, or a file opened from a stick: the old way still works
  }
}

function oldCopy(text) {
  const held = document.activeElement;
  const area = made("textarea", "aside", "");
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  held?.focus({ preventScroll: true });
  return done;
}

// ---------------------------------------------------------------- filters

function readForm() {
  state.q = field.value;
  for (const name of ["kind", "verdict"]) {
    state[name] = [...form.querySelectorAll(`[data-name=${name}][aria-pressed=true]`)].map((button) => button.value);
  }
  for (const name of ["section", "source"]) state[name] = [$(`#${name}`)?.value].filter(Boolean);
  state.changed = !!form.querySelector("[data-name=changed][aria-pressed=true]");
}

function writeForm() {
  field.value = state.q;
  if ($("#list") && state.list) $("#list").value = state.list;
  for (const button of form.querySelectorAll("[aria-pressed]")) {
    const { name } = button.dataset;
    press(button, name === "changed" ? state.changed : state[name].includes(button.value));
  }
  for (const name of ["section", "source"]) {
    const select = $(`#${name}`);
    if (!select) continue;
    select.value = state[name][0] || "";
    if (select.selectedIndex < 0) select.value = "";
    select.classList.toggle("set", select.value !== "");
  }
}

function press(button, on) {
  button.setAttribute("aria-pressed", String(on));
}

function changed() {
  readForm();
  writeForm();
  update();
  // Up to the first result. The form itself does not tell where: it sticks to the top, wherever that is.
  if (!list.hidden) scrollTo(0, Math.min(scrollY, $(".head").offsetHeight));
}

// ---------------------------------------------------------------- places, keys

/** The address decides: a search is repeated, a ruling is shown in the book. */
function follow() {
  const asked = fromHash(location.hash);
  state = asked || blank();
  writeForm();
  update();
  const place = !asked && location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (place) show(place);
}

function show(place) {
  for (let around = place; around; around = around.parentElement) if (around.matches("details")) around.open = true;
  place.scrollIntoView();
  requestAnimationFrame(() => list.hidden && place.scrollIntoView()); // once more when the heights above are known
  if (!place.matches("article")) return;
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

function walk(step) {
  const results = [...list.querySelectorAll("article")];
  const at = results.indexOf(document.activeElement.closest?.("article")) + step;
  if (at >= results.length - 2) extend();
  if (at < 0) return toField();
  const next = list.querySelectorAll("article")[at];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "nearest" });
}

function toField() {
  field.focus({ preventScroll: true });
  field.select();
}

function open(article) {
  if (article) location.hash = article.dataset.of;
}

function clear() {
  state = blank();
  writeForm();
  update();
  field.focus({ preventScroll: true });
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const on = document.activeElement;
  const inField = on === field;
  const inResult = on.parentNode === list;
  const action = {
    "/": () => !on.matches("input, select, textarea") && toField(),
    ArrowDown: () => (inField || inResult) && !list.hidden && walk(1),
    ArrowUp: () => inResult && walk(-1),
    Enter: () => (inField ? open(list.querySelector("article")) : inResult && open(on)),
    Escape: () => (inField && toHash(state) === "" ? field.blur() : inField ? clear() : toField()),
  }[event.key];
  if (action && action() !== false) event.preventDefault();
}

function onClick(event) {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.matches(".pin")) pin(button);
  else if (button.matches(".copy")) copy(button);
  else if (button.id === "clear") clear();
  else if (button.id === "more") extend();
  else if (button.id === "show") location.hash = toHash({ ...blank(), list: $("#list").value.trim().slice(0, LONG) });
  else if (button.hasAttribute("aria-pressed")) {
    press(button, button.getAttribute("aria-pressed") !== "true");
    changed();
  }
}

// ---------------------------------------------------------------- beginning

root.classList.add("js");
if (matchMedia("(min-width: 68rem)").matches) $("#contents")?.setAttribute("open", "");
form.addEventListener("submit", (event) => event.preventDefault());
field.addEventListener("input", changed);
form.addEventListener("change", (event) => event.target.matches("select") && changed());
document.addEventListener("click", onClick);
// A long result is cut short, and opens where it is touched.
list.addEventListener("click", (event) => {
  if (!event.target.closest("a, button, summary, input")) event.target.closest("article")?.classList.toggle("open");
});
$("#names")?.addEventListener("click", (event) => {
  const link = event.target.closest("[data-k]");
  if (!link) return;
  event.preventDefault();
  location.hash = `name=${encodeURIComponent(link.textContent)}`;
});
document.addEventListener("keydown", onKey);
addEventListener("hashchange", follow);
// The button is made when a ruling is about to be seen: three thousand at once would hold up the first picture.
if ("ContentVisibilityAutoStateChangeEvent" in window) {
  document.addEventListener("contentvisibilityautostatechange", ({ target }) => target.matches("article") && addCopy(target), true);
} else setTimeout(() => all().forEach(({ element }) => addCopy(element)));
new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && !more.hidden && extend(), { rootMargin: "800px" }).observe(more);
if (pins.length) showPins();
// Where one is in the book: the section in the middle of the screen.
const chapters = new Map([...document.querySelectorAll("#contents a")].map((link) => [link.hash.slice(1), link]));
const here = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) chapters.get(target.id)?.setAttribute("aria-current", "true");
    else chapters.get(target.id)?.removeAttribute("aria-current");
  }
}, { rootMargin: "-45% 0px -54% 0px" });
for (const section of book.querySelectorAll(".section")) here.observe(section);
if (location.hash) follow();
else field.focus({ preventScroll: true });
setTimeout(indexIdly);
root.dataset.ready = String(Math.round(performance.now()));
