"""The codes of findings: what each means and what to do about it. For people, and for programs that filter by them."""

from __future__ import annotations

from collections.abc import Mapping

CODES: Mapping[str, str] = {
    # of reading a PDF
    "damaged-text": "letters are drawn without saying which they are; what stands there may be wrong: look at the page",
    "hidden-text": "words are drawn where nobody sees them (white on white, outside the page); they are not exported",
    "language-unknown": "too few words to tell the language; say it in book.toml (documents)",
    "no-text": "a page has no text, only pictures; run the PDF through OCR if it matters",
    "ocr-text": "the text comes from a scan and may be misread",
    "pages-disagree": "a second reader counts other pages; the PDF may be damaged",
    "repaired": "the file was damaged and was mended for reading; download it again",
    "second-reader-failed": "the second reader, which checks the first, gave up; what was read is not cross-checked",
    "text-cut": "the last lines of a page may be missing",
    "text-disagrees": "a second reader finds other words on this page: look at it",
    "too-complex": "a page draws so much that tables on it were not looked for",
    "unreadable-page": "a page could not be read; the others were",
    "words-lost": "words of a page are in no entry: a bug, please report it",
    # of understanding it
    "colour-differs": "the colour that is said to mark changes is not the colour that is used",
    "question-without-answer": "no answer was found to a question",
    "unsure-place": "an entry could as well stand under another heading: look at its path (check --why says which)",
    "unread": "a passage was not understood; it is exported as text",
    # of printing
    "missing-glyph": "no font here has a letter; it is printed as [?]",
    # of merging
    "conflict": "two sources say different things about the same question, term or passage",
    "near": "two rulings are alike and were not merged; merge them in overrides.toml if they are one",
    "no-date": "a document has no date, so a day that was asked for cannot be checked; it counts",
    "override-ambiguous": "words in overrides.toml fit several entries; nothing was done",
    "override-unmatched": "words in overrides.toml fit nothing; nothing was done",
    "release-order-unknown": "two releases, and nothing says which is newer; say it in book.toml (releases)",
    # of an event
    "after-freeze": "a release is newer than the freeze and does not count",
    "fits-nothing": "the event asks for something that no ruling fits",
    "layer-fits-nothing": "a layer puts aside a ruling that is not in the book",
    "layer-older": "the publisher spoke after a layer that puts its ruling aside: somebody must decide again",
    "near-freeze": "a release of the month of the freeze; it counts",
    # of comparing
    "heading-renamed": "a heading has another name; what stands under it did not change by that",
    "headings-reordered": "headings are in another order",
    "unrelated": "these are not two releases of one document",
}
