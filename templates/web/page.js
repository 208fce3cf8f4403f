// The page: a field, toggles, a list of what was found. Everything else is the book itself, readable without us.
import { blank, fromHash, toHash } from "./address.js";
import { add, makeIndex, search } from "./index.js";
import { mark } from "./mark.js";
import { collect, fieldsOf, plain } from "./rulings.js";

const BATCH = 16; // results made at once: more than a screen, less than a frame
const STEP = 8; // milliseconds of indexing at a time, so that typing is never held up
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
  const order = (found ? found.order : [...rulings.keys()]).filter((at) => passes(rulings[at]));
  shown = { order: asked ? order : [], found, made: 0 };
  root.classList.toggle("asked", asked);
  list.hidden = !asked;
  list.replaceChildren();
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
  list.append(...next.map((at) => resultOf(rulings[at])));
  shown.made += next.length;
  more.hidden = shown.made >= shown.order.length;
}

function resultOf({ element, subject, path }) {
  const result = element.cloneNode(true);
  result.removeAttribute("id");
  result.dataset.of = element.id;
  result.tabIndex = -1;
  if (subject) result.prepend(made("h4", "subject", subject));
  if (shown.found) for (const part of result.children) if (!part.matches("footer")) mark(part, shown.found);
  result.prepend(made("p", "path", path.join(" › ")));
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
