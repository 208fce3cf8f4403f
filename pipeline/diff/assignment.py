"""The best assignment over all: which pairs together gain most, each entry used at most once.

Candidates are few for each entry, so the graph is sparse: shortest augmenting paths (Jonker and Volgenant, 1987)
over dictionaries, with a private partner of gain nothing for an entry that stays alone.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping

Gains = Mapping[int, Mapping[int, float]]  # left -> right -> what the pair gains, above nothing


def assign(gains: Gains) -> dict[int, int]:
    """The one-to-one pairs (left -> right) whose gains add up to the most."""
    state = _State(gains)
    for left in sorted(gains):
        state.place(left)
    return {left: right for right, left in sorted(state.held.items()) if right >= 0}


class _State:
    """Prices and holders while entries are placed one after the other; a loner's partner is ``-1 - left``."""

    def __init__(self, gains: Gains) -> None:
        self.costs: dict[int, dict[int, float]] = {
            left: {**{right: -gain for right, gain in row.items() if gain > 0}, -1 - left: 0.0}
            for left, row in gains.items()
        }
        self.held: dict[int, int] = {}  # right -> left
        self.partner: dict[int, int] = {}  # left -> right
        self.price: dict[int, float] = {}  # of a right
        self.debt: dict[int, float] = {left: min(row.values()) for left, row in self.costs.items()}  # of a left

    def place(self, left: int) -> None:
        """Give ``left`` a partner along the cheapest path of changes."""
        reached: dict[int, float] = {}
        came: dict[int, int] = {}
        done: dict[int, float] = {}
        queue: list[tuple[float, int]] = []
        at, cost = left, 0.0
        while True:
            self._relax(at, cost, reached, came, done, queue)
            cost, right = heapq.heappop(queue)
            while right in done:
                cost, right = heapq.heappop(queue)
            done[right] = cost
            if right not in self.held:
                break
            at = self.held[right]
        self._settle(left, cost, done)
        self._turn(left, right, came)

    def _relax(
        self, left: int, cost: float, reached: dict[int, float], came: dict[int, int], done: dict[int, float],
        queue: list[tuple[float, int]],
    ) -> None:  # fmt: skip
        for right, raw in self.costs[left].items():
            way = cost + raw - self.debt[left] - self.price.get(right, 0.0)
            if right not in done and way < reached.get(right, float("inf")):
                reached[right], came[right] = way, left
                heapq.heappush(queue, (way, right))

    def _settle(self, left: int, cost: float, done: dict[int, float]) -> None:
        """New prices, so that every cost stays above nothing and the pairs in use are free."""
        self.debt[left] += cost
        for right, way in done.items():
            if way < cost:
                self.price[right] = self.price.get(right, 0.0) + way - cost
                self.debt[self.held[right]] += cost - way

    def _turn(self, left: int, right: int, came: dict[int, int]) -> None:
        """Give each entry on the path the partner of the next one."""
        while True:
            giver = came[right]
            before = self.partner.get(giver)
            self.held[right], self.partner[giver] = giver, right
            if giver == left or before is None:
                return
            right = before


def longest_rising(places: list[int]) -> set[int]:
    """The positions of a longest rising subsequence: what kept its order; all others moved."""
    tails: list[int] = []  # position of the smallest end of a run of each length
    before: list[int] = []
    for at, place in enumerate(places):
        low, high = 0, len(tails)
        while low < high:
            middle = (low + high) // 2
            if places[tails[middle]] < place:
                low = middle + 1
            else:
                high = middle
        before.append(tails[low - 1] if low else -1)
        tails[low : low + 1] = [at]
    kept: set[int] = set()
    at = tails[-1] if tails else -1
    while at >= 0:
        kept.add(at)
        at = before[at]
    return kept
