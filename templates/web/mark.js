// Marking what was found, in a copy of a ruling.
import { spans } from "./fold.js";

const SHOWN_AS_IS = new Set(["BUTTON", "MARK"]);

/** Wrap every found word and phrase under a node in <mark>. Text stays text: nothing is parsed as markup. */
export function mark(root, found) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, (node) =>
    SHOWN_AS_IS.has(node.parentNode.nodeName) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  for (const node of nodes) markNode(node, ranges(node.data, found));
}

/** The stretches of a text to mark: [start, end], in order, apart. */
export function ranges(text, { terms, phrases }) {
  const there = spans(text);
  const hit = there.map(({ word }) => terms.has(word));
  for (const { parts, open } of phrases) {
    for (let at = 0; at + parts.length <= there.length; at++) {
      if (parts.every((part, on) => fits(there[at + on].word, part, open && on === parts.length - 1))) {
        hit.fill(true, at, at + parts.length);
      }
    }
  }
  return there.filter((_, at) => hit[at]).map(({ start, end }) => [start, end]);
}

function fits(word, part, open) {
  return open ? word.startsWith(part) : word === part;
}

function markNode(node, marks) {
  for (const [start, end] of marks.reverse()) {
    const tail = node.splitText(start);
    if (tail.length > end - start) tail.splitText(end - start);
    const made = document.createElement("mark");
    tail.replaceWith(made);
    made.append(tail);
  }
}
