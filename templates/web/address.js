// The state of the page in its address, after the #: a ruling ("#GEN-12") or a search ("#q=…&kind=qa").

export const CHOICES = ["kind", "verdict", "section", "source"];

/** A search from an address; null when the address names a place in the book. */
export function fromHash(hash) {
  const held = hash.replace(/^#/, "");
  if (!held.includes("=")) return null;
  const given = new URLSearchParams(held);
  const state = blank();
  state.q = given.get("q") || "";
  for (const name of CHOICES) state[name] = given.getAll(name).filter(Boolean);
  state.changed = given.get("changed") === "1";
  state.name = given.get("name") || "";
  state.list = given.get("list") || "";
  return state;
}

/** The address of a search; "" when nothing is asked. */
export function toHash(state) {
  const parts = [];
  if (state.q.trim()) parts.push(`q=${encodeURIComponent(state.q.trim())}`);
  for (const name of CHOICES) for (const chosen of state[name]) parts.push(`${name}=${encodeURIComponent(chosen)}`);
  if (state.changed) parts.push("changed=1");
  for (const name of ["name", "list"]) if (state[name]) parts.push(`${name}=${encodeURIComponent(state[name])}`);
  return parts.length ? `#${parts.join("&")}` : "";
}

export function blank() {
  return { q: "", kind: [], verdict: [], section: [], source: [], changed: false, name: "", list: "" };
}
