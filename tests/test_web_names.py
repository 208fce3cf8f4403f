"""The web book's names: a page a name, found from search, and a list that asks for what the command gives."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from browser import Browser, chromium, missing
from conftest import ROOT

from pipeline import flow
from pipeline.names import Tier, read_list
from pipeline.names.player_rulings import mine, names_of
from pipeline.render import products, web

LISTS = ROOT / "tests" / "lists"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The web book of a sample game."""
    made, settings = flow.open_book(ROOT / "sources" / "brumes-d-argance")
    out = tmp_path_factory.mktemp("web") / "web.html"
    press = products.Press(made, settings, None, lambda html, pictures: b"")
    out.write_text(press.web(), "utf-8")
    return out


@pytest.fixture(scope="module")
def window(page: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if why := missing():
        pytest.skip(why)
    with chromium(tmp_path_factory.mktemp("profile")) as made:
        made.size(1280, 900)
        yield made


def shown(window: Browser, page: Path, hash_: str) -> list[str]:
    """The codes of all results at an address."""
    window.open("about:blank")
    window.open(f"{page.as_uri()}#{hash_}")
    for _ in range(20):
        if window.run("return document.querySelector('#more').hidden"):
            break
        window.run("document.querySelector('#more').click()")
    codes: list[str] = window.run("return [...document.querySelectorAll('#results article')].map((a) => a.dataset.of)")
    return codes


def test_names_are_links_without_a_script(page: Path) -> None:
    html = page.read_text("utf-8")
    listed = re.search(r'<details id="names".*?</details>', html, re.DOTALL)
    assert listed
    links = {name: anchor for anchor, name in re.findall(r'<a href="#([^"]+)"[^>]*>([^<]+)</a>', listed[0])}
    assert all(f'id="{anchor}"' in html for anchor in links.values())
    assert 'class="term">Lame' in html.partition(f'id="{links["Lame"]}"')[2][:200]


@pytest.mark.browser
def test_a_name_has_a_page_with_its_definition_first(window: Browser, page: Path) -> None:
    codes = shown(window, page, f"name={quote('Cercle de sel')}")
    kinds = window.run("return [...document.querySelectorAll('#results article')].map((a) => a.classList[0])")
    assert kinds[:3] == ["definition", "erratum", "rule"] and len(codes) == 8
    heads = window.run("return [...document.querySelectorAll('#results > h2, #results > h3')].map((h) => h.textContent)")
    assert heads == ["Cercle de sel", "À son sujet", "Qui les citent"]


@pytest.mark.browser
def test_a_search_offers_the_pages_of_names(window: Browser, page: Path) -> None:
    shown(window, page, "q=salicorn")
    assert window.run("return [...document.querySelectorAll('#results .names a')].map((a) => a.textContent)") == ["Mère Salicorne"]
    window.click("#results .names a")
    window.run("return new Promise((done) => setTimeout(done, 100))")
    assert window.run("return document.querySelector('#results h2').textContent") == "Mère Salicorne"


@pytest.mark.browser
@pytest.mark.parametrize("name", ["passeurs.txt", "rumeurs.txt", "noms.txt"])
def test_a_pasted_list_asks_for_what_the_command_gives(window: Browser, page: Path, name: str) -> None:
    made, _ = flow.open_book(ROOT / "sources" / "brumes-d-argance")
    of = mine(names_of(made), read_list(LISTS / name), LISTS / name)
    wanted = {web.NOT_IN_ANCHOR.sub("-", ruling.code) for ruling, tier in zip(made.rulings, of.chosen.tiers, strict=True) if tier >= Tier.LED}
    text = (LISTS / name).read_text("utf-8")
    assert set(shown(window, page, f"list={quote(text.strip(), safe='')}")) == wanted
    told = window.run("return [...document.querySelectorAll('.told li')].map((li) => li.textContent)")
    assert len(told) == len(of.matches) and all("→" in line for line in told)


@pytest.mark.browser
def test_a_list_is_pasted_into_its_field_and_says_what_is_not_there(window: Browser, page: Path) -> None:
    window.open("about:blank")
    window.open(page)
    window.run("document.querySelector('#mine').open = true")
    window.run("document.querySelector('#list').value = 'carte;nombre\\nMere Salicorn;2\\nAérostat;1'")
    window.click("#show")
    window.run("return new Promise((done) => setTimeout(done, 100))")
    assert window.run("return [...document.querySelectorAll('.told li')].map((li) => li.textContent)") == [
        "Mere Salicorn → Mère Salicorne", "Aérostat → rien",
    ]  # fmt: skip
    assert "ne touchent pas votre liste" in window.run("return document.querySelector('#results > .note').textContent")
