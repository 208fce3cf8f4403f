// Elements and requests. Text from a source only ever becomes text: nothing here takes markup.

/** An element: attributes, "on…" handlers, children (text or elements). */
export function el(tag, given = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "value") made.value = value;
    else if (name === "style") for (const [key, held] of Object.entries(value)) made.style.setProperty(key, held);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return parent;
}

export const $ = (selector, inside = document) => inside.querySelector(selector);
export const $$ = (selector, inside = document) => [...inside.querySelectorAll(selector)];

/** Is somebody writing? Then nothing is drawn anew under their hands. */
export const isTyping = () => Boolean(document.activeElement?.closest("main input:not([type=checkbox]), main textarea"));

/** Say something to everybody, also to who does not see it. */
export function say(message, wrong = false) {
  const line = $("#status");
  line.textContent = message;
  line.classList.toggle("wrong", wrong);
}

// A bar after a while: most answers are there before anybody would see it.
let waiting = 0;
let asked = 0;
/** A number that changes with every request of ours: what came between is not news from elsewhere. */
export const turn = () => (waiting ? -1 : asked);
async function busily(work) {
  waiting += 1;
  asked += 1;
  const late = setTimeout(() => { $("#busy").hidden = false; }, 350);
  try {
    return await work();
  } finally {
    clearTimeout(late);
    waiting -= 1;
    if (!waiting) $("#busy").hidden = true;
  }
}

class Told extends Error {
  constructor(message, stale) { super(message); this.stale = stale; }
}

async function answer(response) {
  const told = await response.json();
  if (!response.ok) throw new Told(told.error ?? response.statusText, told.stale);
  return told;
}

const query = (asked) => new URLSearchParams(asked).toString();
export const address = (path, asked) => `${path}?${query(asked)}`;
export const get = (path, asked = {}) => busily(async () => answer(await fetch(address(path, asked))));
export const quietly = async (path, asked = {}) => answer(await fetch(address(path, asked)));
export const post = (path, asked) => busily(async () => answer(await fetch(path, {
  method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(asked),
})));
export const put = (path, asked, body) => busily(async () => answer(await fetch(address(path, asked), { method: "PUT", body })));

/** Ask until a piece of work is done; what it says on the way goes to ``told``. */
export async function follow(job, told) {
  let held = job;
  while (held.state === "waits" || held.state === "runs") {
    await new Promise((later) => setTimeout(later, 250));
    held = await quietly("api/job", { job: held.job });
    told(held.lines.at(-1) ?? "at work …");
  }
  if (held.state === "failed") throw new Told(held.error);
  return held.result;
}
