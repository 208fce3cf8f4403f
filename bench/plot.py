"""Charts as SVG, on logarithmic scales, readable in black: ratios as bars, growth as lines."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
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


HIGH = 300
MARKS = ("", "6 3", "2 3", "8 3 2 3")  # how a line is dashed, so that no colour is needed


def lines(title: str, series: Mapping[str, Sequence[Row]]) -> str:
    """Seconds against size, both logarithmic: a line that rises like the thin one is linear."""
    points = {name: [(_size(row), row.seconds) for row in rows] for name, rows in series.items()}
    sizes = [size for each in points.values() for size, _ in each]
    times = [seconds for each in points.values() for _, seconds in each]
    low, high, least, most = min(sizes), max(sizes), min(times), max(times)

    def at(size: float, seconds: float) -> str:
        x = 60 + (WIDTH - 280) * math.log(size / low) / math.log(high / low)
        y = 30 + (HIGH - 70) * (1 - math.log(seconds / least) / math.log(most / least))
        return f"{x:.1f},{y:.1f}"

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HIGH}" font-family="sans-serif" font-size="12">',
             f'<text x="0" y="14" font-weight="bold">{escape(title)}</text>']  # fmt: skip
    for number, (name, each) in enumerate(points.items()):
        path = " ".join(at(size, seconds) for size, seconds in each)
        dash = MARKS[number % len(MARKS)]
        parts.append(f'<polyline points="{path}" fill="none" stroke="#a6192e" stroke-width="2" stroke-dasharray="{dash}"/>')
        x, y = at(*each[-1]).split(",")
        parts.append(f'<text x="{float(x) + 6}" y="{float(y) + 4}">{escape(name)}, {each[-1][1]:.1f} s</text>')
    linear = most * low / high
    parts.append(f'<polyline points="{at(low, max(linear, least))} {at(high, most)}" fill="none" stroke="#000" stroke-width="0.5"/>')
    for size in sorted(set(sizes)):
        x = at(size, least).split(",")[0]
        parts.append(f'<text x="{x}" y="{HIGH - 18}" text-anchor="middle" font-size="9">{size:,.0f}</text>')
    return "\n".join([*parts, f'<text x="60" y="{HIGH - 4}">size (entries, pages)</text></svg>']) + "\n"


def _size(row: Row) -> float:
    return float(row.name.split()[0].replace(",", ""))
