"""Which entry of the old release is which entry of the new one.

Forced pairs, then the same text, then text that was only cut into entries in another way, then likeness: candidates
that share rare words, scored by head, body and place, and the best assignment over all of them. What is left over may
have gone into its neighbour.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from pipeline.diff import entry_text
from pipeline.diff.assignment import assign
from pipeline.diff.exchanged_words import exchange
from pipeline.diff.likeness import Likeness
from pipeline.diff.positions import Place, Places, bare, is_under
from pipeline.diff.recut_entries import Matching, gather, join, recut
from pipeline.fuzzy import share_within
from pipeline.records import AnyEntry, Kind

CANDIDATES = 8  # looked at for each entry: the right one is nearly always among the first three
ENOUGH = 0.58  # of likeness: of 580 questions asked in other words all have more, of 10,000 pairs of two 30 have
BESIDE = 0.04  # less for each neighbour that stands beside both: of 10,000 pairs of two questions 10 have 0.50
OTHER_SUBJECT = (
    0.90  # "Can I play it twice?" under another card is another question: only nearly the same text is the same
)
OTHER_SECTION = 0.70  # under another heading likewise, a little less
OTHER_NAME = 0.66  # a term, title or target that is another: what is said of it must be the same by itself
SAME_NAME = 0.85  # of likeness: a name that was mended ("Lantern", "Lanterns") is the same
SHARED = 2  # entries of one release that go by one name: it says nothing of which it is
OTHER_KIND = 0.85  # a text that was read as another kind
HEAD_SHARE = 0.7  # of a score; the body has the rest when it is long enough to say something ...
NAME_SHARE = 0.3  # ... but under another name the body says which it is
LONG_BODY = 100  # letters: "Oui." says nothing about which question it answers
WHOLE = 8  # words that a question and its answer have at least, to be found again ...
NUMBERED = 4  # ... or a rule that keeps its number ...
TIMES = 4  # ... in one that is at most so many times as long, ...
HELD = 0.9  # ... nearly all of them in their order
NEAR = 0.04  # bonus each for the same place and the same neighbours: it only decides between those that are alike
LOOKED = 400  # places of rare words looked at for each entry: enough for a chapter, and time stays short
MANY = 20_000  # pairs of one text: beyond, they are taken in order


def match(old: Sequence[AnyEntry], new: Sequence[AnyEntry], forced: Iterable[tuple[str, str]] = ()) -> Matching:
    """The best matching of the entries of two releases."""
    matching = Matching()
    _forced(old, new, forced, matching)
    _same_text(old, new, matching)
    recut(old, new, matching)
    _alike(old, new, matching)
    gather(old, new, matching)
    join(old, new, matching)
    exchange(old, new, matching)
    return matching


# ---------------------------------------------------------------- what is certain


def _forced(
    old: Sequence[AnyEntry], new: Sequence[AnyEntry], forced: Iterable[tuple[str, str]], matching: Matching
) -> None:
    for first, second in forced:
        left, right = find(old, first), find(new, second)
        if (
            left is not None
            and right is not None
            and left not in matching.pairs
            and right not in matching.pairs.values()
        ):
            matching.pairs[left] = right


def find(entries: Sequence[AnyEntry], name: str) -> int | None:
    """The place of the entry with this id, or the only one that holds these words."""
    for at, entry in enumerate(entries):
        if entry.id == name:
            return at
    words = entry_text.folded(name)
    holding = [at for at, entry in enumerate(entries) if words in entry_text.folded(entry_text.whole(entry))]
    return holding[0] if words and len(holding) == 1 else None


def _same_text(old: Sequence[AnyEntry], new: Sequence[AnyEntry], matching: Matching) -> None:
    """Pairs of one text; where it stands more than once, the places decide."""
    free_old, free_new = matching.free(len(old), len(new))
    known: dict[str, str] = {}  # most texts stand in both releases, letter by letter
    lefts, rights = _by_text(old, free_old, known), _by_text(new, free_new, known)
    for text, left in lefts.items():
        right = rights.get(text, [])
        if len(left) == len(right) == 1:
            matching.pairs[left[0]] = right[0]
        elif right:
            matching.pairs.update(_twins(old, new, left, right))


def _by_text(entries: Sequence[AnyEntry], free: list[int], known: dict[str, str]) -> dict[str, list[int]]:
    texts: dict[str, list[int]] = defaultdict(list)
    for at in free:
        text = entry_text.whole(entries[at])
        if text not in known:
            known[text] = entry_text.key(text)
        texts[known[text]].append(at)
    return texts


def _twins(old: Sequence[AnyEntry], new: Sequence[AnyEntry], left: list[int], right: list[int]) -> dict[int, int]:
    if len(left) * len(right) > MANY:
        return dict(zip(left, right, strict=False))
    return assign({
        i: {j: 1 + _twin_context(old[i], new[j]) - abs(a - b) / 1000 for b, j in enumerate(right)}
        for a, i in enumerate(left)
    })  # fmt: skip


def _twin_context(old: AnyEntry, new: AnyEntry) -> float:
    return (
        0.2 * (old.section == new.section)
        + 0.2 * (old.subject == new.subject)
        + 0.2 * (entry_text.number(old) == entry_text.number(new))
    )


# ---------------------------------------------------------------- likeness


def _alike(old: Sequence[AnyEntry], new: Sequence[AnyEntry], matching: Matching) -> None:
    free_old, free_new = matching.free(len(old), len(new))
    if not free_old or not free_new:
        return
    likeness, places = Likeness((*old, *new)), Places(old, new, matching.pairs)
    names = _Names(old, places.old), _Names(new, places.new)
    neighbours = set(matching.pairs.items())
    gains: dict[int, dict[int, float]] = {}
    for i, candidates in _candidates(old, new, free_old, free_new).items():
        row: dict[int, float] = {}
        for j in candidates:
            here, stays = places.is_here(i, j), places.may_stay(i, j)
            beside = ((i - 1, j - 1) in neighbours) + ((i + 1, j + 1) in neighbours)
            alone = here and entry_text.number(old[i]) == entry_text.number(new[j])
            certain = names[0].tell(old[i], places.old[i], here=alone) and names[1].tell(
                new[j], places.new[j], here=alone
            )
            named = certain and _same_name(old[i], new[j], likeness)
            score = _score(old[i], new[j], likeness, named=named)
            if score >= _least(old[i], new[j], named=named, here=here, stays=stays, beside=beside):
                row[j] = score + NEAR * (here + bool(beside))
        if row:
            gains[i] = row
    matching.pairs.update(assign(gains))


def _least(old: AnyEntry, new: AnyEntry, *, named: bool, here: bool, stays: bool, beside: int) -> float:
    """How alike two entries must be to be one; ``named``: they go by one name; ``here``: they stand in the same place,
    or only ``stays`` there, with so many of their neighbours ``beside`` them."""
    if old.kind != new.kind:
        return ENOUGH if is_under(old, new) else OTHER_KIND
    if not here and old.subject and new.subject and bare(old.subject) != bare(new.subject):
        return OTHER_SUBJECT
    if not named:
        return OTHER_NAME
    return ENOUGH - BESIDE * beside if stays else OTHER_SECTION


def _score(old: AnyEntry, new: AnyEntry, likeness: Likeness, *, named: bool) -> float:
    """How alike two entries are, 0 to 1."""
    if is_under(old, new):
        return HEAD_SHARE + (1 - HEAD_SHARE) * likeness.of(entry_text.body(old), entry_text.body(new))
    if old.kind != new.kind or old.kind is Kind.TEXT:
        return likeness.of(entry_text.whole(old), entry_text.whole(new))
    head = [entry_text.head(old), entry_text.head(new)]
    rest = [entry_text.body(old), entry_text.body(new)]
    if all(head) and not named:
        return NAME_SHARE * likeness.of(*head) + (1 - NAME_SHARE) * likeness.of(*rest)
    score = _by_head_and_body(head, rest, likeness) if all(head) else likeness.of(*rest)
    return max(score, OTHER_SECTION) if (old.kind is Kind.QA or not all(head)) and _holds(old, new) else score


def _by_head_and_body(head: Sequence[str], rest: Sequence[str], likeness: Likeness) -> float:
    share = (1 - HEAD_SHARE) * min(1.0, min(len(text) for text in rest) / LONG_BODY)
    return (HEAD_SHARE * likeness.of(*head) + share * likeness.of(*rest)) / (HEAD_SHARE + share)


def _holds(old: AnyEntry, new: AnyEntry) -> bool:
    """Whether one is nearly whole in the other: two questions became one, or one two, or a rule lost its sentences."""
    shorter, within = sorted((entry_text.vocables(entry_text.whole(each)) for each in (old, new)), key=len)
    enough = NUMBERED if entry_text.number(old) and entry_text.number(old) == entry_text.number(new) else WHOLE
    return len(shorter) >= enough and len(within) <= TIMES * len(shorter) and share_within(shorter, within) >= HELD


def _same_name(old: AnyEntry, new: AnyEntry, likeness: Likeness) -> bool:
    """Whether both go by one name; a question is no name, it may be asked in other words."""
    if old.kind in (Kind.QA, Kind.TEXT):
        return True
    names = entry_text.head(old), entry_text.head(new)
    return not all(names) or likeness.of(*names) >= SAME_NAME


class _Names:
    """How many entries of a release go by a name, and how many of them under one heading."""

    def __init__(self, entries: Sequence[AnyEntry], places: Sequence[Place]) -> None:
        named = [(place, entry_text.folded(entry_text.head(entry)))
                 for entry, place in zip(entries, places, strict=True)
                 if entry.kind not in (Kind.QA, Kind.TEXT)]  # fmt: skip
        self._names, self._here = Counter(name for _, name in named), Counter(named)

    def tell(self, entry: AnyEntry, place: Place, *, here: bool) -> bool:
        """Whether a name says which entry it is; one that several have ("Example") does so only ``here``."""
        name = entry_text.folded(entry_text.head(entry))
        return not name or self._names[name] < SHARED or (here and self._here[place, name] < SHARED)


def _candidates(
    old: Sequence[AnyEntry], new: Sequence[AnyEntry], free_old: list[int], free_new: list[int]
) -> dict[int, list[int]]:
    """For each free old entry the free new ones that share most of its rare words, name or number."""
    holders: dict[str, list[int]] = defaultdict(list)
    for j in free_new:
        for word in _marks(new[j]):
            holders[word].append(j)
    return {i: _sharing(_marks(old[i]), holders) for i in free_old}


def _sharing(marks: set[str], holders: dict[str, list[int]]) -> list[int]:
    """The entries that hold most of these marks, rare marks first; common ones only where there are no rarer."""
    weights: dict[int, float] = defaultdict(float)
    looked = 0
    for mark in sorted((mark for mark in marks if mark in holders), key=lambda mark: (len(holders[mark]), mark)):
        hits = holders[mark]
        if looked and looked + len(hits) > LOOKED:
            break
        looked += len(hits)
        for j in hits:
            weights[j] += 1 / len(hits)
    return [j for j, _ in sorted(weights.items(), key=lambda each: (-each[1], each[0]))[:CANDIDATES]]


def _marks(entry: AnyEntry) -> set[str]:
    """Words to find candidates by; the name and the number as one mark each."""
    named = entry_text.folded(entry_text.head(entry))
    marks = set(entry_text.vocables(entry_text.whole(entry)))
    number = entry_text.number(entry)
    return marks | ({f"name {named}"} if named else set()) | ({f"number {number}"} if number else set())
