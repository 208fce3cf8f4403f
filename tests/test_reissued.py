"""What changed between two issues of a document is found in their PDFs, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.flow import compare
from tests import browser, invented, reissued

pytest.importorskip("weasyprint")
pytest.importorskip("lxml")

# Each is set twice, in two layouts; the marks of the second issue are signs, badges, colours, lines or none.
PRINTED = [
    ("cb-krzywa-wieza-errata-faq", 1), ("wg-ceniza-y-plomo", 1), ("wg-isfjordens-vakt", 2), ("wg-ordre-du-sel", 2),
    ("fd-dossier-nuits-de-verrefort", 2), ("wg-lame-di-vetro", 1), ("wg-piedra-y-polvora", 2), ("wg-brumes-de-kerzal", 1),
    ("fd-official-interpretations-harrowball", 2), ("cb-veilleurs-du-givre-faq", 2),
]  # fmt: skip


@pytest.mark.parametrize(("name", "seed"), PRINTED)
def test_what_changed_is_found_in_print(name: str, seed: int, tmp_path: Path) -> None:
    [path] = invented.documents([name])
    issue = reissued.reissue(path, seed)
    if issue.by == "chromium" and not browser.there():
        pytest.skip("Chromium is not installed")
    assert reissued.score(issue, compare(*reissued.documents(issue, tmp_path))).wrong == []


@pytest.mark.parametrize("path", list(invented.documents()), ids=lambda path: path.stem)
def test_what_changed_is_found_as_it_was_written(path: Path) -> None:
    issue = reissued.reissue(path, 1)
    assert reissued.score(issue, compare(*reissued.as_written(issue))).wrong == []


def test_an_issue_is_made_again() -> None:
    [path] = invented.documents(["wg-lame-di-vetro"])
    assert reissued.truth(reissued.reissue(path, 5)) == reissued.truth(reissued.reissue(path, 5))
