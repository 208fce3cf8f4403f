"""Releases of an FAQ of any length, made of words that mean nothing, with repeated and near rulings among them."""

from __future__ import annotations

import hashlib
import random
from functools import cache

from pipeline.records import QA, Document, Kind
from pipeline.text import rich

LETTERS = ("ba", "ce", "di", "fo", "gu", "la", "me", "ni", "po", "ru", "sa", "te", "vi", "zo", "tra", "plo", "cre", "gri")
REPEATED = 0.06  # of the questions stand twice, as in a real FAQ under several cards
NEAR = 0.06  # differ by one word or number from another


@cache
def words(count: int = 4000) -> tuple[str, ...]:
    chance = random.Random(7)
    return tuple(sorted({"".join(chance.choices(LETTERS, k=chance.randint(2, 4))) for _ in range(count)}))


def sentence(chance: random.Random, length: int) -> str:
    return " ".join(chance.choices(words(), k=length))


def release(count: int, *, seed: int = 1, version: str = "1.0", changed: float = 0.0) -> Document:
    """``count`` questions; with ``changed``, that share of them has another word, verdict or number than without."""
    chance, other = random.Random(seed), random.Random(seed + 1)
    made: list[QA] = []
    for number in range(count):
        roll = chance.random()
        if made and roll < REPEATED:
            question, answer = made[-1].question, made[-1].answer[0]
        elif made and roll < REPEATED + NEAR:
            question, answer = rich(f"{made[-1].question} {number}"), made[-1].answer[0]
        else:
            question = rich(f"Si {sentence(chance, 22)}, {sentence(chance, 9)} {chance.randint(1, 9)} ?")
            answer = rich(f"{chance.choice(('Oui', 'Non'))}. {sentence(chance, 14)}.")
        if other.random() < changed:
            answer = rich(f"{answer} {sentence(other, 3)}.")
        digest = hashlib.sha256(f"{question}\0{answer}".encode()).hexdigest()  # hash() is another one in every process
        made.append(QA(id=f"q{digest[:12]}-{number}", kind=Kind.QA,
                       section=(f"Section {number // 40}",), subject=rich(f"Carte {number // 3}"), language="fr",
                       page=number // 20 + 1, source=f"faq-{version}.pdf", question=question, answer=(answer,)))  # fmt: skip
    return Document(source=f"faq-{version}.pdf", sha256=f"{seed:064x}", pages=count // 20 + 1, title="FAQ", version=version,
                    date=f"2026-0{1 + int(float(version) * 10) % 9}", language="fr", entries=tuple(made))  # fmt: skip
