"""What is drawn on a page, what a reader cannot see, and files that cannot be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pdfplumber
import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdfs import Paper
from reportlab.lib.pdfencrypt import StandardEncryption

from pipeline.errors import NoTextError, PasswordError, SourceError
from pipeline.extract import extract
from pipeline.extract.clean import COMBINING_MAX, clean, unclean
from pipeline.layout.lines import fragments, into_lines
from pipeline.records import Extract

LINE = "Une ligne que chacun peut lire sans peine."


def read(paper: Paper, path: Path) -> Extract:
    return extract(paper.save(path / "case.pdf"))


def codes(made: Extract) -> list[tuple[str, int | None]]:
    return [(finding.code, finding.page) for finding in made.findings]


def test_runs_know_place_font_size_style_and_colour(tmp_path: Path) -> None:
    paper = Paper()
    paper.text(50, 100, "Gras", size=14, bold=True, colour="#ec008c")
    paper.text(50, 130, "Penché", size=9, italic=True)
    big, small = read(paper, tmp_path).pages[0].runs
    assert (big.text, big.size, big.bold, big.italic, big.colour) == ("Gras", 14, True, False, "#ec008c")
    assert (small.bold, small.italic, small.colour) == (False, True, "#000000")
    assert big.x0 == pytest.approx(50, abs=1)
    assert big.baseline == pytest.approx(100, abs=0.1)
    assert big.top < big.baseline < small.top


def test_words_drawn_twice_are_bold_or_what_is_seen_of_them(tmp_path: Path) -> None:
    paper = Paper()
    for x, y, mode in ((50, 100, 0), (50.3, 100, 0), (50, 130, 3), (50, 130, 0), (50, 160, 0), (50, 160, 0)):
        paper.text(x, y, LINE, mode=mode)
    page = read(paper, tmp_path).pages[0]
    assert [(run.text, run.bold) for run in page.runs] == [(LINE, True), (LINE, False), (LINE, False)]
    assert not page.hidden


def test_white_words_on_a_gradient_are_seen(tmp_path: Path) -> None:
    paper = Paper()
    paper.text(50, 100, LINE, colour="#ffffff")
    paper.text(50, 300, "caché aux yeux", colour="#ffffff")
    with pikepdf.open(paper.save(tmp_path / "plain.pdf")) as file:
        page, high = file.pages[0], float(file.pages[0].MediaBox[3])
        page.Resources.Pattern = pikepdf.Dictionary(P=pikepdf.Object.parse(
            b"<</PatternType 2 /Shading <</ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 600 0] /Extend [true true]"
            b" /Function <</FunctionType 2 /Domain [0 1] /C0 [0 .2 0] /C1 [.5 .6 .5] /N 1>>>>>>"))  # fmt: skip
        drawn = f"q /Pattern cs /P scn 40 {high - 110} 300 20 re f 1 g 40 {high - 310} 300 20 re f Q"
        page.contents_add(file.make_stream(drawn.encode()), prepend=True)
        file.save(tmp_path / "case.pdf")
    page = extract(tmp_path / "case.pdf").pages[0]
    assert [run.text for run in page.runs] == [LINE]
    assert [run.text for run in page.hidden] == ["caché aux yeux"]


def test_shapes_and_links(tmp_path: Path) -> None:
    paper = Paper()
    paper.box(40, 90, 300, 120, fill="#ffee00")
    paper.text(50, 110, LINE)
    paper.link(40, 95, 300, 120, "https://example.org/faq")
    paper.text(50, 210, LINE)
    paper.link(40, 195, 300, 220, "javascript:alert(1)")
    page = read(paper, tmp_path).pages[0]
    assert [run.link for run in page.runs] == ["https://example.org/faq", None]
    [shape] = page.shapes
    assert shape.fill == "#ffee00"
    assert shape.box.top == pytest.approx(90, abs=1)


def test_a_line_that_turns_corners_is_no_box(tmp_path: Path) -> None:
    def leader(board: Any) -> None:
        path = board.beginPath()
        path.moveTo(60, 700)
        for x, y in ((400, 700), (400, 650), (420, 650)):
            path.lineTo(x, y)
        board.drawPath(path, stroke=1, fill=0)

    paper = Paper()
    paper.text(50, 110, LINE)
    paper.pages[-1].append(leader)
    boxes = [shape.box for shape in read(paper, tmp_path).pages[0].shapes]
    assert [(round(box.x1 - box.x0), round(box.bottom - box.top)) for box in boxes] == [(340, 0), (0, 50), (20, 0)]


def clipped(paper: Paper, x: float, y: float, words: str, box: tuple[float, float, float, float]) -> None:
    """Words of which only those inside of a box are seen."""

    def draw(board: Any) -> None:
        path = board.beginPath()
        path.rect(box[0], paper.height - box[3], box[2] - box[0], box[3] - box[1])
        board.saveState()
        board.clipPath(path, stroke=0, fill=0)
        board.drawString(x, paper.height - y, words)
        board.restoreState()

    paper.pages[-1].append(draw)


def test_text_that_a_clip_cuts_but_does_not_hide_is_read(tmp_path: Path) -> None:
    paper = Paper()
    clipped(paper, 50, 100, LINE, (40, 80, 120, 110))
    clipped(paper, 50, 200, LINE, (40, 180, 590, 210))
    assert [run.text for run in read(paper, tmp_path).pages[0].runs] == [LINE, LINE]


@pytest.mark.parametrize(
    "hide",
    [
        lambda paper: paper.text(50, 200, "caché aux yeux", mode=3),
        lambda paper: paper.text(50, 200, "caché aux yeux", colour="#ffffff"),
        lambda paper: paper.text(50, 2000, "caché aux yeux"),
        lambda paper: paper.text(50, 200, "caché aux yeux", size=0.5),
        lambda paper: clipped(paper, 50, 200, "caché aux yeux", (40, 220, 400, 260)),
        lambda paper: clipped(paper, 300, 240, "caché aux yeux", (40, 220, 280, 260)),
    ],
    ids=["invisible", "white", "off the page", "tiny", "above what it is clipped to", "beside it"],
)
def test_hidden_text_is_reported_and_not_printed(hide: object, tmp_path: Path) -> None:
    paper = Paper()
    paper.text(50, 100, LINE)
    hide(paper)  # type: ignore[operator]
    made = read(paper, tmp_path)
    assert [run.text for run in made.pages[0].runs] == [LINE]
    assert [run.text for run in made.pages[0].hidden] == ["caché aux yeux"]
    [finding] = made.findings
    assert (finding.code, finding.page) == ("hidden-text", 1)
    assert "3 words" in finding.message


def test_white_text_on_a_dark_bar_is_no_hidden_text(tmp_path: Path) -> None:
    paper = Paper()
    paper.box(40, 85, 400, 110, fill="#112233")
    paper.text(50, 100, LINE, colour="#ffffff")
    made = read(paper, tmp_path)
    assert [run.text for run in made.pages[0].runs] == [LINE]
    assert not made.findings


def test_words_drawn_twice_are_read_once(tmp_path: Path) -> None:
    paper = Paper()
    paper.text(50, 100, LINE)
    paper.text(50.3, 100, LINE)
    assert [run.text for run in read(paper, tmp_path).pages[0].runs] == [LINE]


def test_glyphs_of_symbol_fonts_are_icons_and_bullets_stay_bullets(tmp_path: Path) -> None:
    paper = Paper()
    x = paper.text(50, 100, "Lancez ")
    x = paper.text(x, 100, "\u2741", family="ZapfDingbats")
    paper.text(x, 100, " et relancez.")
    icons = [run.icon for run in read(paper, tmp_path).pages[0].runs if run.icon]
    assert len(icons) == 1
    assert icons[0].startswith("ZapfDingbats:")


def _disc(paper: Paper, x: float, y: float, radius: float, colour: str) -> None:
    paper.pages[-1].append(
        lambda board: (board.setFillColor(colour), board.circle(x, paper.height - y, radius, stroke=0, fill=1))
    )


def test_a_dot_in_a_small_picture_is_no_bullet(tmp_path: Path) -> None:
    paper = Paper()
    _disc(paper, 40, 97, 9, "#204060")  # a head with an eye
    _disc(paper, 40, 97, 2, "#ffffff")
    paper.text(60, 100, LINE)
    _disc(paper, 52, 137, 2, "#204060")
    paper.text(60, 140, LINE)
    runs = read(paper, tmp_path).pages[0].runs
    assert sorted((run.baseline, run.text) for run in runs) == [(100.0, LINE), (140.0, LINE), (140.0, "•")]


def _triangle(paper: Paper, x: float, y: float, colour: str) -> None:
    def draw(board: Any) -> None:
        board.setFillColor(colour)
        path = board.beginPath()
        path.moveTo(x, paper.height - y)
        path.lineTo(x + 7, paper.height - y)
        path.lineTo(x + 3.5, paper.height - y + 7)
        path.close()
        board.drawPath(path, stroke=0, fill=1)

    paper.pages[-1].append(draw)


def test_a_gap_with_a_drawing_in_it_is_an_icon_and_different_ones_are_different(tmp_path: Path) -> None:
    paper = Paper()
    for line, colour in enumerate(("#204060", "#a03020", "#204060")):
        y = 100 + 14 * line
        end = paper.text(50, y, "Advance by up to")
        _triangle(paper, end + 2, y, colour)
        paper.text(end + 11, y, "towards the lamp.")
    paper.text(50, 156, "A figure that is bound may not move, whatever its")
    _triangle(paper, 50, 170, "#204060")
    paper.text(59, 170, "says.")
    held = read(paper, tmp_path).pages[0]
    icons = {run.baseline: run.icon for run in held.runs if run.icon}
    assert sorted(icons) == [100.0, 114.0, 128.0, 170.0]
    assert icons[100.0] == icons[128.0] == icons[170.0] != icons[114.0]
    lines = into_lines(fragments(held.runs))
    assert lines[0].text == "Advance by up to [icon] towards the lamp."
    assert lines[-1].text == "[icon] says."


def test_drawings_beside_and_under_words_are_no_icons(tmp_path: Path) -> None:
    paper = Paper()
    _triangle(paper, 20, 100, "#204060")  # an ornament in the margin
    paper.text(50, 100, LINE)
    paper.box(50, 130, 59, 139, fill="#ffee88")  # behind a letter
    paper.text(52, 138, "A box behind its first letter.")
    assert not [run for run in read(paper, tmp_path).pages[0].runs if run.icon]


# ---------------------------------------------------------------- files that cannot be read


def test_what_is_no_pdf_is_a_source_error(tmp_path: Path) -> None:
    for name, content in (("empty.pdf", b""), ("page.pdf", b"<html></html>"), ("cut.pdf", b"%PDF-1.7\n1 0 obj\n<<")):
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(SourceError) as caught:
            extract(path)
        assert caught.value.exit_code == 3
        assert name in str(caught.value)
        assert "\n" not in str(caught.value)
    with pytest.raises(SourceError):
        extract(tmp_path / "missing.pdf")


def test_no_pages_is_a_source_error(tmp_path: Path) -> None:
    with pikepdf.new() as made:
        made.save(tmp_path / "none.pdf")
    with pytest.raises(SourceError):
        extract(tmp_path / "none.pdf")


def test_a_password_is_asked_for_by_name(tmp_path: Path) -> None:
    paper = Paper()
    paper.text(50, 100, LINE)
    locked = StandardEncryption("secret", ownerPassword="owner", canPrint=1)
    with pytest.raises(PasswordError) as caught:
        extract(paper.save(tmp_path / "locked.pdf", encrypt=locked))
    assert caught.value.exit_code == 8
    open_to_read = StandardEncryption("", ownerPassword="owner", canPrint=0)
    assert extract(paper.save(tmp_path / "owner.pdf", encrypt=open_to_read)).pages[0].runs[0].text == LINE


def test_a_scan_has_no_text(tmp_path: Path) -> None:
    paper = Paper()
    paper.box(0, 0, 595, 842, fill="#eeeeee")
    with pytest.raises(NoTextError, match="page 1\\)") as caught:
        extract(paper.save(tmp_path / "scan.pdf"))
    assert caught.value.exit_code == 4


def test_a_page_without_text_beside_others_is_found(tmp_path: Path) -> None:
    paper = Paper()
    paper.text(50, 100, LINE)
    paper.page()
    assert codes(read(paper, tmp_path)) == [("no-text", 2)]


def test_letters_that_cannot_be_known_are_no_text(tmp_path: Path) -> None:
    paper = Paper()
    for number in range(6):
        paper.text(50, 100 + 12 * number, "abcdef ghijklm nopq", family="ZapfDingbats")
    with pytest.raises(NoTextError, match="OCR") as caught:
        extract(paper.save(tmp_path / "riddle.pdf"))
    assert caught.value.exit_code == 4


@pytest.mark.parametrize(
    ("name", "bold", "italic"),
    [
        ("NimbusRomNo9L-Medi", True, False), ("NimbusRomNo9L-MediItal", True, True), ("Avenir-Medium", False, False),
        ("CMBX10", True, False), ("SFBI1000", True, True), ("SFTI1000", False, True), ("CMR10", False, False),
    ],
)  # fmt: skip
def test_fonts_of_tex_tell_their_style(name: str, bold: bool, italic: bool, tmp_path: Path) -> None:
    paper = Paper()
    paper.text(50, 100, LINE)
    with pikepdf.open(paper.save(tmp_path / "case.pdf"), allow_overwriting_input=True) as held:
        for font in held.pages[0].Resources.Font.values():
            font.BaseFont = pikepdf.Name(f"/ABCDEF+{name}")
        held.save()
    [run] = extract(tmp_path / "case.pdf").pages[0].runs
    assert (run.bold, run.italic) == (bold, italic)


def test_letters_drawn_one_by_one_are_not_spread_by_a_column_half_a_line_higher(tmp_path: Path) -> None:
    paper = Paper()
    paper.letters(300, 100.4, "colonne de droite")
    paper.letters(50, 101.1, "brume")
    runs = read(paper, tmp_path).pages[0].runs
    assert "".join(run.text for run in runs if run.x0 < 200) == "brume"


def test_a_bar_over_a_ruled_table_is_no_row_of_it(tmp_path: Path) -> None:
    paper = Paper()
    paper.box(50, 82, 250, 100, fill="#8a4b08")
    paper.text(55, 95, "Prix du sel", colour="#ffffff")
    for y in range(100, 161, 20):
        paper.rule(50, y, 250, y)
    for x in (50, 150, 250):
        paper.rule(x, 82 if x != 150 else 100, x, 160)
    paper.rule(50, 82, 250, 82)
    for row, (town, price) in enumerate((("Ville", "Achat"), ("Azur", "2"), ("Bir", "1"))):
        paper.text(55, 114 + 20 * row, town)
        paper.text(155, 114 + 20 * row, price)
    [table] = read(paper, tmp_path).pages[0].tables
    assert [len(row) for row in table.cells] == [2, 2, 2]
    assert table.box.top == pytest.approx(100, abs=1)


def _priced(paper: Paper) -> Paper:
    """A table of three rows between rules and boxes, one cell over two columns."""
    for y in (100, 120, 160):
        paper.rule(50, y, 350, y)
    for x in (50, 150, 250, 350):
        paper.rule(x, 100 if x != 250 else 120, x, 160)
    for x in (50, 150, 250):
        paper.box(x, 160, x + 100, 180, stroke="#444444")
    paper.box(380, 100, 500, 300, fill="#eeeeee")  # no table
    for x, y, words in ((55, 114, "Ville"), (155, 114, "Prix"), (55, 134, "Azur"), (155, 134, "2"), (255, 134, "3"),
                        (55, 174, "Bir"), (155, 174, "1"), (255, 174, "4"), (60, 400, LINE)):  # fmt: skip
        paper.text(x, y, words)
    return paper


def test_tables_are_those_that_pdfplumber_finds_by_its_own_reading(tmp_path: Path) -> None:
    path = _priced(Paper()).save(tmp_path / "case.pdf")
    with pdfplumber.open(path) as held:
        known = [table for table in held.pages[0].find_tables() if len(table.rows) > 1]
    [table], [other] = extract(path).pages[0].tables, known
    assert [[cell is not None for cell in row] for row in table.cells] == [
        [cell is not None for cell in row.cells] for row in other.rows
    ]
    for row, beside in zip(table.cells, other.rows, strict=True):
        for cell, bounds in zip(row, beside.cells, strict=True):
            assert cell is None or (cell.x0, cell.top, cell.x1, cell.bottom) == pytest.approx(bounds, abs=0.1)


@pytest.mark.parametrize("filled", [False, True])
def test_rules_of_a_table_may_all_be_drawn_in_one_go(filled: bool, tmp_path: Path) -> None:
    """Stroked lines, or thin boxes that are filled."""
    paper = Paper()
    for row, (town, price) in enumerate((("Ville", "Achat"), ("Azur", "2"), ("Bir", "1"))):
        paper.text(55, 114 + 20 * row, town)
        paper.text(155, 114 + 20 * row, price)

    def rules(board: Any) -> None:
        path = board.beginPath()
        for x, y, wide, high in (*((50, y, 200, 0) for y in (742, 722, 702, 682)), *((x, 682, 0, 60) for x in (50, 150, 250))):
            if filled:
                path.rect(x, y, wide or 0.5, high or 0.5)
            else:
                path.moveTo(x, y)
                path.lineTo(x + wide, y + high)
        board.drawPath(path, stroke=int(not filled), fill=int(filled))

    paper.pages[-1].append(rules)
    [table] = read(paper, tmp_path).pages[0].tables
    assert [len(row) for row in table.cells] == [2, 2, 2]


@pytest.mark.parametrize("in_form", [False, True])
def test_tables_are_found_in_forms_and_on_pages_with_another_origin(in_form: bool, tmp_path: Path) -> None:
    path = _priced(Paper()).save(tmp_path / "case.pdf")
    [before] = extract(path).pages[0].tables
    with pikepdf.open(path, allow_overwriting_input=True) as held:
        page = held.pages[0]
        if in_form:
            drawn = held.make_stream(page.obj.Contents.read_bytes(), Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Form,
                                     BBox=page.mediabox, Resources=page.obj.Resources)  # fmt: skip
            page.obj.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(All=drawn))
            page.obj.Contents = held.make_stream(b"q 1 0 0 1 30 10 cm /All Do Q")
        else:
            page.mediabox = [-30, 0, 595, 832]
        held.save(path)
    [after] = extract(path).pages[0].tables
    assert [(cell.x0, cell.top) for row in after.cells for cell in row if cell] == [
        pytest.approx((cell.x0 + 30, cell.top - 10), abs=0.1) for row in before.cells for cell in row if cell
    ]


# ---------------------------------------------------------------- cleaning

_FORBIDDEN = {*range(0x00, 0x09), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF, *range(0x202A, 0x202F),
              *range(0x2066, 0x206A)}  # fmt: skip


@given(st.text(st.characters(exclude_categories=())))
def test_nothing_harmful_passes_the_door(text: str) -> None:
    made = clean(text)
    assert not {ord(letter) for letter in made} & _FORBIDDEN
    assert clean(made) == made
    made.encode("utf-8")


@given(st.lists(st.text(st.sampled_from("ab é’·._…\u00a0\ufffd\ue001\ud800α")), max_size=4))
def test_what_is_called_clean_is_left_as_it_is(texts: list[str]) -> None:
    odd = unclean(" ".join(texts))
    for text in texts:
        if not any(each in text for each in odd):
            assert clean(text) == text.replace("\u00a0", " ")


def test_cleaning_keeps_what_means_something() -> None:
    assert clean("e\u0301te\u0301, ½ ² …") == "été, ½ ² …"
    assert clean("ﬁnal, ﬂeuve, eﬀet, aﬃche") == "final, fleuve, effet, affiche"
    assert clean("昀椀nal, 昀氀euve, e昀昀et, a昀케che, si昀툀er") == "final, fleuve, effet, affiche, siffler"
    assert clean("最爀近, 昀") == "最爀近, 昀"
    assert clean("\U0001d461\U0001d45c\U0001d45d − ½, \u210e") == "top − ½, h"  # the letters of formulas
    assert clean("a" + "\u0300" * 30).count("\u0300") <= COMBINING_MAX
    assert clean("Titre ........................ 12") == "Titre … 12"


def test_letters_that_are_drawings_without_a_meaning_are_found(tmp_path: Path) -> None:
    path = Paper().save(tmp_path / "drawn.pdf")
    with pikepdf.open(path, allow_overwriting_input=True) as held:
        square = held.make_stream(b"1000 0 0 0 750 750 d1 0 0 750 750 re f")
        font = pikepdf.Dictionary(
            Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type3, FontBBox=[0, 0, 750, 750],
            FontMatrix=[0.001, 0, 0, 0.001, 0, 0], CharProcs=pikepdf.Dictionary(sq=square), FirstChar=97, LastChar=97,
            Encoding=pikepdf.Dictionary(Differences=[97, pikepdf.Name.sq]), Widths=[1000],
        )  # fmt: skip
        held.pages[0].Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F1=font))
        held.pages[0].Contents = held.make_stream(b"BT /F1 12 Tf 72 700 Td (aaaa) Tj ET")
        held.save(path)
    assert codes(extract(path)) == [("damaged-text", 1)]


def test_weight_is_known_of_fonts_whose_names_are_elsewhere(tmp_path: Path) -> None:
    path = Paper().save(tmp_path / "drawn.pdf")
    with pikepdf.open(path, allow_overwriting_input=True) as held:
        square = held.make_stream(b"1000 0 0 0 750 750 d1 0 0 750 750 re f")
        letters = held.make_stream(b"1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <61> <0061> endbfchar")
        fonts = {
            f"/F{weight}": held.make_indirect(pikepdf.Dictionary(
                Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type3, FontBBox=[0, 0, 750, 750],
                FontMatrix=[0.001, 0, 0, 0.001, 0, 0], CharProcs=pikepdf.Dictionary(sq=square), FirstChar=97,
                LastChar=97, Encoding=pikepdf.Dictionary(Differences=[97, pikepdf.Name.sq]), Widths=[1000], ToUnicode=letters,
                FontDescriptor=pikepdf.Dictionary(Type=pikepdf.Name.FontDescriptor, FontName=pikepdf.Name("/ABCDEF+Sel"), FontWeight=weight),
            ))
            for weight in (400, 700)
        }  # fmt: skip
        held.pages[0].Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(fonts))
        held.pages[0].Contents = held.make_stream(b"BT /F400 12 Tf 72 700 Td (aaaa) Tj /F700 12 Tf 0 -20 Td (aaa) Tj ET")
        held.save(path)
    read = extract(path)
    assert [(run.text, run.font, run.bold) for run in read.pages[0].runs] == [("aaaa", "Sel", False), ("aaa", "Sel-Bold", True)]


def test_weight_is_known_of_fonts_that_are_only_numbered(tmp_path: Path) -> None:
    weasyprint = pytest.importorskip("weasyprint")
    path = tmp_path / "numbered.pdf"
    weasyprint.HTML(string="<p style='font-family: DejaVu Sans'>Salt <b>Bread</b>").write_pdf(path)
    with pikepdf.open(path, allow_overwriting_input=True) as held:
        for number, font in enumerate(each for each in held.objects if isinstance(each, pikepdf.Dictionary)):
            for key in {"/BaseFont", "/FontName"} & set(font.keys()):
                font[key] = pikepdf.Name(f"/ABCDEF+F{number}")
        held.save(path)
    assert {run.text.strip(): run.bold for run in extract(path).pages[0].runs} == {"Salt": False, "Bread": True}


def test_accents_stand_on_the_letters_behind_them_but_apostrophes_do_not() -> None:
    from pipeline.extract.clean import accented

    assert accented("le pr´esent r`eglement `a c¸a na¨ıf", tex=True) == "le présent règlement à ça naïf"
    assert accented("l´ennemi, `a la fin', bˆatiment", tex=False) == "l´ennemi, `a la fin', bâtiment"


def test_an_accent_that_is_raised_over_a_capital_stands_on_it(tmp_path: Path) -> None:
    paper = Paper()
    paper.text(102, 97.5, "´", size=11)
    paper.text(100, 100, "Eligible gulls fly home.", size=11)
    assert [run.text for run in extract(paper.save(tmp_path / "a.pdf")).pages[0].runs] == ["Éligible gulls fly home."]


def test_greek_and_formulas_of_a_symbol_font_are_letters_and_its_pictures_are_not() -> None:
    from pipeline import extract as stage

    assert stage._NO_SIGN.search("≥ 4 × α → ½") is None
    assert stage._NO_LETTER.findall("α e ☠") == ["e", "☠"]
    assert [name for name in ("Symbol", "SymbolMT", "WHSymbols") if stage._SYMBOL.search(name)] == ["Symbol", "SymbolMT"]


def test_text_that_nobody_sees_over_the_tiles_of_a_scan_was_recognised_by_a_machine() -> None:
    from types import SimpleNamespace

    from pipeline import extract as stage
    from pipeline.records import Box

    texts = [("words", 40.0, 100.0 * n, 90.0, 100.0 * n + 9, 0, 0, None, None, 3, None) for n in range(5)]
    tiles = [SimpleNamespace(picture=True, box=Box(x0=30, top=100 * n - 5, x1=99, bottom=100 * n + 15)) for n in range(5)]
    assert stage._is_ocr(SimpleNamespace(texts=texts, drawings=tiles))
    assert not stage._is_ocr(SimpleNamespace(texts=texts, drawings=tiles[:2]))
