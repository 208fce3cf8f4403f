"""A bar chart of ratios as SVG: one bar a row, on a logarithmic scale, readable in black."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from bench.measure import Row

WIDTH, BAR, GAP, NAMES = 720, 18, 8, 250


def bars(title: str, rows: Sequence[Row]) -> str:
    """The rows of one table as bars; the first is 1."""
    shown = [row for row in rows if row.ratio is not None]
    low = min(0.5, *(row.ratio or 1 for row in shown))
    high = max(2.0, *(row.ratio or 1 for row in shown)) * 1.1
    height = 34 + len(shown) * (BAR + GAP)

    def x(ratio: float) -> float:
        return NAMES + (WIDTH - NAMES - 60) * math.log(ratio / low) / math.log(high / low)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12">',
             f'<text x="0" y="14" font-weight="bold">{escape(title)}</text>']  # fmt: skip
    for place, row in enumerate(shown):
        y = 26 + place * (BAR + GAP)
        ours = "rubricator" in row.name
        parts.append(f'<text x="{NAMES - 8}" y="{y + 13}" text-anchor="end">{escape(row.name)}</text>')
        parts.append(f'<rect x="{x(low):.1f}" y="{y}" width="{max(1.0, x(row.ratio or 1) - x(low)):.1f}" height="{BAR}" '
                     f'fill="{"#a6192e" if ours else "#999"}"/>')  # fmt: skip
        parts.append(f'<text x="{x(row.ratio or 1) + 5:.1f}" y="{y + 13}">{row.ratio:.2f}</text>')
    one = x(1.0)
    parts.append(f'<line x1="{one:.1f}" y1="22" x2="{one:.1f}" y2="{height}" stroke="#000" stroke-dasharray="2 3"/></svg>')
    return "\n".join(parts) + "\n"
