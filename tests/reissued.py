"""Issues a document of tests/invented a second time, as publishers do, and says how much of what changed is found.

The page itself is edited: questions come and go, words, numbers and verdicts change (marked as this document marks its
changes, or silently), entries move, a heading gets another name, questions are counted again, two become one; then it
is set in another layout and typography. The truth of both issues is in their pages (tests/invented.py), so what changed
is known. Both are read from their PDFs and compared.

Run it: python -m tests.reissued [NAME...] [--seed N] [--count K] [--as-written] [--keep FOLDER]
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lxml import html

from pipeline import flow
from pipeline.diff import diff, entry_text
from pipeline.records import Changes, Difference, Document, Fate, Table
from tests import invented, releases
from tests.retypeset import Block

# The words of this file are its own, not the vocabulary's: what the vocabulary lacks must show.
YES_NO = {**releases.YES_NO, "nl": ("Ja", "Nee"), "pl": ("Tak", "Nie"), "pt": ("Sim", "Não"), "sv": ("Ja", "Nej"),
          "cs": ("Ano", "Ne"), "da": ("Ja", "Nej"), "hu": ("Igen", "Nem"), "fi": ("Kyllä", "Ei"), "el": ("Ναι", "Όχι"),
          "ro": ("Da", "Nu"), "nb": ("Ja", "Nei"), "ca": ("Sí", "No"), "ru": ("Да", "Нет"), "uk": ("Так", "Ні"), "hr": ("Da", "Ne"), "sk": ("Áno", "Nie"), "sl": ("Da", "Ne"), "bg": ("Да", "Не"), "tr": ("Evet", "Hayır"), "gl": ("Si", "Non"), "lt": ("Taip", "Ne"), "lv": ("Jā", "Nē"), "et": ("Jah", "Ei"), "is": ("Já", "Nei")}  # fmt: skip
TURNED = {**releases.TURNED,
          "nl": (("mag", "mag niet"), ("kan", "kan niet"), ("wordt", "wordt niet")),
          "pl": (("może", "nie może"), ("jest", "nie jest"), ("mogą", "nie mogą")),
          "pt": (("pode", "não pode"), ("é", "não é"), ("podem", "não podem")),
          "sv": (("får", "får inte"), ("kan", "kan inte"), ("är", "är inte")),
          "cs": (("může", "nemůže"), ("smí", "nesmí"), ("platí", "neplatí")),
          "da": (("må", "må ikke"), ("kan", "kan ikke"), ("er", "er ikke")),
          "hu": (("lehet", "nem lehet"), ("kell", "nem kell"), ("marad", "nem marad")),
          "fi": (("saa", "ei saa"), ("voi", "ei voi"), ("on", "ei ole")),
          "el": (("μπορεί", "δεν μπορεί"), ("είναι", "δεν είναι"), ("μπορούν", "δεν μπορούν")),
          "ro": (("poate", "nu poate"), ("este", "nu este"), ("pot", "nu pot")),
          "nb": (("kan", "kan ikke"), ("må", "må ikke"), ("er", "er ikke")),
          "ca": (("pot", "no pot"), ("és", "no és"), ("poden", "no poden")),
          "ru": (("может", "не может"), ("получает", "не получает"), ("стоит", "не стоит")),
          "uk": (("може", "не може"), ("сплачує", "не сплачує"), ("можуть", "не можуть")),
          "hr": (("može", "ne može"), ("smije", "ne smije"), ("mogu", "ne mogu")),
          "sk": (("môže", "nemôže"), ("smie", "nesmie"), ("platí", "neplatí")),
          "sl": (("lahko", "ne more"), ("sme", "ne sme"), ("šteje", "ne šteje")),
          "bg": (("може", "не може"), ("плаща", "не плаща"), ("могат", "не могат")),
          "tr": (("tutulabilir", "tutulamaz"), ("edebilir", "edemez"), ("olur", "olmaz")),
          "gl": (("pode", "non pode"), ("é", "non é"), ("poden", "non poden")),
          "lt": (("gali", "negali"), ("turi", "neturi"), ("yra", "nėra")),
          "lv": (("var", "nevar"), ("drīkst", "nedrīkst"), ("ir", "nav")),
          "et": (("võib", "ei või"), ("saab", "ei saa"), ("on", "ei ole")),
          "is": (("má", "má ekki"), ("getur", "getur ekki"), ("er", "er ekki"))}  # fmt: skip
COUNTED = {
    "fr": ("deux", "trois", "quatre", "cinq"), "en": ("two", "three", "four", "five"),
    "de": ("zwei", "drei", "vier", "fünf"), "es": ("dos", "tres", "cuatro", "cinco"),
    "it": ("due", "tre", "quattro", "cinque"), "nl": ("twee", "drie", "vier", "vijf"),
    "pl": ("dwa", "trzy", "cztery", "pięć"), "pt": ("dois", "três", "quatro", "cinco"),
    "sv": ("två", "tre", "fyra", "fem"), "cs": ("dva", "tři", "čtyři", "pět"), "da": ("to", "tre", "fire", "fem"),
    "hu": ("két", "három", "négy", "öt"), "fi": ("kaksi", "kolme", "neljä", "viisi"),
    "el": ("δύο", "τρία", "τέσσερα", "πέντε"), "ro": ("două", "trei", "patru", "cinci"),
    "nb": ("to", "tre", "fire", "fem"),
    "ca": ("dos", "tres", "quatre", "cinc"),
    "ru": ("два", "три", "четыре", "пять"),
    "uk": ("два", "три", "чотири", "п’ять"),
    "hr": ("dva", "tri", "četiri", "pet"),
    "sk": ("dva", "tri", "štyri", "päť"),
    "sl": ("dva", "tri", "štiri", "pet"),
    "bg": ("две", "три", "четири", "пет"),
    "tr": ("iki", "üç", "dört", "beş"),
    "gl": ("dous", "tres", "catro", "cinco"),
    "lt": ("du", "trys", "keturi", "penki"),
    "lv": ("divi", "trīs", "četri", "pieci"),
    "et": ("kaks", "kolm", "neli", "viis"),
    "is": ("tveir", "þrír", "fjórir", "fimm"),
}  # fmt: skip
MORE = {
    "fr": ("Cela vaut aussi pour les alliés.", "Le marqueur reste alors où il se trouve.", "Posez la pièce sur sa case de départ, puis poursuivez le tour."),
    "en": ("This applies to allies as well.", "The marker then stays where it is.", "Put the piece back on its starting space, then go on with the turn."),
    "de": ("Das gilt auch für Verbündete.", "Der Marker bleibt dann liegen, wo er ist.", "Stellt die Figur auf ihr Startfeld zurück und setzt den Zug fort."),
    "es": ("Esto vale también para los aliados.", "El marcador queda entonces donde está.", "Devuelve la pieza a su casilla de salida y continúa el turno."),
    "it": ("Questo vale anche per gli alleati.", "Il segnalino resta allora dov’è.", "Rimettete il pezzo sulla casella di partenza e proseguite il turno."),
    "nl": ("Dat geldt ook voor bondgenoten.", "De fiche blijft dan liggen waar zij ligt.", "Zet het stuk terug op zijn beginveld en ga verder met de beurt."),
    "pl": ("Dotyczy to także sojuszników.", "Znacznik pozostaje wtedy na swoim miejscu.", "Odstaw figurkę na jej pole startowe i kontynuuj turę."),
    "pt": ("Isto vale também para os aliados.", "O marcador fica então onde está.", "Volte a pôr a peça na casa de partida e prossiga o turno."),
    "sv": ("Detta gäller också för allierade.", "Markören ligger då kvar där den är.", "Ställ tillbaka pjäsen på dess startruta och fortsätt turen."),
    "cs": ("To platí i pro spojence.", "Žeton pak zůstane na svém místě.", "Vraťte figurku na její výchozí pole a pokračujte v tahu."),
    "da": ("Det gælder også for allierede.", "Brikken bliver da liggende, hvor den er.", "Sæt figuren tilbage på dens startfelt, og fortsæt turen."),
    "hu": ("Ez a szövetségesekre is érvényes.", "A jelző ekkor ott marad, ahol van.", "Tedd vissza a figurát a kezdőmezőjére, majd folytasd a kört."),
    "fi": ("Tämä koskee myös liittolaisia.", "Merkki jää silloin paikalleen.", "Siirrä nappula takaisin lähtöruutuunsa ja jatka vuoroa."),
    "el": ("Αυτό ισχύει και για τους συμμάχους.", "Ο δείκτης μένει τότε εκεί που είναι.", "Βάλτε το πιόνι πίσω στο αρχικό του τετράγωνο και συνεχίστε τον γύρο."),
    "ro": ("Acest lucru este valabil și pentru aliați.", "Marcajul rămâne atunci la locul lui.", "Puneți piesa înapoi pe căsuța de pornire și continuați rândul."),
    "nb": ("Dette gjelder også for allierte.", "Brikken blir da liggende der den er.", "Sett figuren tilbake på startfeltet, og fortsett turen."),
    "ca": ("Això val també per als aliats.", "El marcador es queda llavors on és.", "Torneu la peça a la seva casella de sortida i continueu el torn."),
    "ru": ("Это относится и к союзникам.", "Жетон тогда остаётся на месте.", "Верните фигуру на её начальное поле и продолжайте ход."),
    "uk": ("Це стосується й союзників.", "Жетон тоді лишається на місці.", "Поверніть фігуру на її початкове поле й продовжуйте хід."),
    "hr": ("To vrijedi i za saveznike.", "Žeton tada ostaje gdje jest.", "Vratite figuru na njezino početno polje i nastavite potez."),
    "sk": ("To platí aj pre spojencov.", "Žetón potom ostane na svojom mieste.", "Vráťte figúrku na jej východiskové políčko a pokračujte v ťahu."),
    "sl": ("To velja tudi za zaveznike.", "Žeton tedaj ostane, kjer je.", "Vrnite figuro na njeno začetno polje in nadaljujte potezo."),
    "bg": ("Това важи и за съюзниците.", "Жетонът тогава остава на мястото си.", "Върнете фигурата на началното ѝ поле и продължете хода."),
    "tr": ("Bu, müttefikler için de geçerlidir.", "İşaret o zaman yerinde kalır.", "Taşı başlangıç karesine geri koyun ve tura devam edin."),
    "gl": ("Isto vale tamén para os aliados.", "O marcador queda entón onde está.", "Devolve a peza á súa casa de saída e continúa a quenda."),
    "lt": ("Tai galioja ir sąjungininkams.", "Žetonas tada lieka savo vietoje.", "Grąžinkite figūrą į jos pradinį laukelį ir tęskite ėjimą."),
    "lv": ("Tas attiecas arī uz sabiedrotajiem.", "Žetons tad paliek savā vietā.", "Novietojiet figūru atpakaļ tās sākuma laukā un turpiniet gājienu."),
    "et": ("See kehtib ka liitlaste kohta.", "Žetoon jääb siis oma kohale.", "Pange nupp tagasi algväljale ja jätkake käiku."),
    "is": ("Þetta gildir líka um bandamenn.", "Merkið er þá kyrrt á sínum stað.", "Settu manninn aftur á upphafsreit sinn og haltu áfram með umferðina."),
}  # fmt: skip
RENAMED = {**releases.RENAMED, "nl": "Verdere opmerkingen", "pl": "Dalsze uwagi", "pt": "Outros esclarecimentos",
           "sv": "Ytterligare anmärkningar", "cs": "Další poznámky", "da": "Yderligere bemærkninger", "hu": "További megjegyzések",
           "fi": "Muita huomautuksia", "el": "Περαιτέρω σημειώσεις", "ro": "Alte observații",
           "nb": "Ytterligere merknader",
           "ca": "Altres aclariments",
           "ru": "Дополнительные замечания",
           "uk": "Додаткові зауваження",
           "hr": "Ostale napomene",
           "sk": "Ďalšie poznámky",
           "sl": "Druge opombe",
           "bg": "Други бележки",
           "tr": "Diğer notlar",
           "gl": "Outras aclaracións",
           "lt": "Kitos pastabos",
           "lv": "Citas piezīmes",
           "et": "Muud märkused",
           "is": "Aðrar athugasemdir"}  # fmt: skip
LEAST = 0.75  # of likeness between what was told and what is true
WHOLE = ("question", "target", "title", "term", "instruction", "old", "new", "answer", "body")
SAID = ("answer", "body", "new")
RULINGS = ("qa", "erratum", "definition", "rule")
NEGATED = r"|\b(nem|ei|nu|nimeni|δεν|ne|n.|not?|non|niet|geen|nie|não|inte|ikke|ingen|inget|inga|intet|ne\w+|kein\w*|nicht|ni|nul)\b"

Node = Any  # an element of lxml


@dataclass(slots=True)
class Issue:
    """A page, and the entries of it that went, came, moved or became one."""

    name: str
    by: str
    language: str
    old: Node
    new: Node
    marks: bool = False
    marked: set[str] = field(default_factory=set)  # names of entries
    moved: set[str] = field(default_factory=set)
    merged: dict[str, str] = field(default_factory=dict)
    flipped: set[str] = field(default_factory=set)
    told: list[str] = field(default_factory=list)


# ---------------------------------------------------------------- the tree


def _entries(tree: Node) -> list[Node]:
    return list(tree.xpath("//*[@data-kind]"))


def _called(tree: Node, name: str) -> Node:
    return tree.xpath(f"//*[@data-name='{name}']")[0]


def _alone(entry: Node) -> bool:
    """Nothing of it is printed elsewhere, and it holds no other."""
    return not entry.xpath(".//*[@data-kind] | .//*[@data-apart]") and not entry.xpath("ancestor::*[@data-kind]")


def _take(node: Node) -> None:
    """Out of the page; the text behind it stays."""
    before, parent = node.getprevious(), node.getparent()
    if node.tail:
        if before is not None:
            before.tail = (before.tail or "") + node.tail
        else:
            parent.text = (parent.text or "") + node.tail
        node.tail = None
    parent.remove(node)


def _remove(entry: Node) -> None:
    """With the heading that nothing would stand under, and the list that would be empty."""
    while (before := entry.getprevious()) is not None and before.get("data-is"):
        after = entry.getnext()
        level = {"section": int(before.get("data-level", "1")), "subject": 9}[before.get("data-is")]
        follows = 0 if after is None else int(after.get("data-level", "1")) if after.get("data-is") == "section" else 9
        if after is not None and (not after.get("data-is") or follows > level):
            break
        _take(before)
    _take(entry)


def _fields(entry: Node, names: Sequence[str]) -> list[Node]:
    wanted = " or ".join(f"@data-as='{name}'" for name in names)
    return list(entry.xpath(f".//*[{wanted}] | self::*[{wanted}]"))


def _strings(entry: Node, names: Sequence[str]) -> Iterator[tuple[Node, str]]:
    """The pieces of text of some fields: (element, "text" or "tail")."""
    for each in _fields(entry, names):
        inside = [node for node in each.iter() if not node.xpath("ancestor-or-self::*[@data-not or @data-apart or self::sup]")]
        for node in inside:
            if (node.text or "").strip():
                yield node, "text"
            if node is not each and (node.tail or "").strip():
                yield node, "tail"


# ---------------------------------------------------------------- edits of what an entry says


def _sub(draw: random.Random, entry: Node, pattern: str, new: Callable[[re.Match[str]], str | None]) -> bool:
    """Replace one of the matches."""
    found = [(node, where, each) for node, where in _strings(entry, SAID) for each in re.finditer(pattern, getattr(node, where))]
    draw.shuffle(found)
    for node, where, each in found:
        put = new(each)
        if put is not None:
            text = getattr(node, where)
            setattr(node, where, text[: each.start()] + put + text[each.end() :])
            return True
    return False


def _number(draw: random.Random, issue: Issue, entry: Node) -> bool:
    return _sub(draw, entry, r"(?<![\w.,/§–°-])\d{1,2}(?![\w.,/–°:-])", lambda it: str(int(it[0]) + draw.choice((1, 2, 10))))


def _count(draw: random.Random, issue: Issue, entry: Node) -> bool:
    words = COUNTED[issue.language]
    return _sub(draw, entry, rf"(?<!\w)(?:{'|'.join(words[:-1])})(?!\w)", lambda it: words[words.index(it[0]) + 1])


def _verdict(draw: random.Random, issue: Issue, entry: Node) -> bool:
    first = _fields(entry, ("answer",))[:1]
    yes, no = YES_NO[issue.language]
    for one, other in ((yes, no), (no, yes)):
        if first and re.match(rf"\s*{one}\b[.,]", first[0].text or ""):
            first[0].text = re.sub(one, other, first[0].text, count=1)
            issue.flipped.add(entry.get("data-name"))
            return True
    return False


def _negation(draw: random.Random, issue: Issue, entry: Node) -> bool:
    whole = "".join("".join(each.itertext()) for each in _fields(entry, SAID))
    if re.search(releases.NO_WORD + NEGATED, whole, re.IGNORECASE):
        return False
    for plain, turned in TURNED[issue.language]:
        if _sub(draw, entry, rf"(?<![\w-]){plain}(?![\w-])", lambda _, turned=turned: turned):  # type: ignore[misc]
            issue.flipped.add(entry.get("data-name"))
            return True
    return False


def _word(draw: random.Random, issue: Issue, entry: Node) -> bool:
    pool = _pool(issue)
    return _sub(draw, entry, r"(?<![\w'’-])[a-zß-ÿ]{6,}(?![\w'’-])",
                lambda it: None if _negates(it[0]) else draw.choice([each for each in pool if each[:2] != it[0][:2]] or [it[0]]))  # fmt: skip


def _ask(draw: random.Random, issue: Issue, entry: Node) -> bool:
    """The question is asked in other words: one goes, two come."""
    asked = _fields(entry, ("question",))
    if len(asked) != 1 or len(asked[0]) or len((asked[0].text or "").split()) < 7:
        return False
    words, pool = asked[0].text.split(" "), _pool(issue)
    at = draw.randrange(2, len(words) - 3)
    words[at : at + 1] = [draw.choice(pool), draw.choice(pool)]
    asked[0].text = " ".join(words)
    return True


def _last(entry: Node) -> Node | None:
    """The last paragraph that an entry says, unless it is an item of a list."""
    said = _fields(entry, ("answer", "body"))
    return said[-1] if said and said[-1].tag not in ("li", "s", "del") and said[-1].getparent().tag != "li" else None


def _sentence(draw: random.Random, issue: Issue, entry: Node) -> bool:
    last = _last(entry)
    if last is None:
        return False
    target, where = (last[-1], "tail") if len(last) else (last, "text")
    text = (getattr(target, where) or "").rstrip()
    if text[-1:] in (".", "!", "?", "»", "”"):
        setattr(target, where, f"{text} {draw.choice(MORE[issue.language])}")
        return True
    return False


def _shorten(draw: random.Random, issue: Issue, entry: Node) -> bool:
    last = _last(entry)
    sentences = re.split(r"(?<=[a-zß-ÿ]\.) (?=[A-ZÀ-Ö])", last.text or "") if last is not None and not len(last) else []
    if len(sentences) > 1:
        last.text = " ".join(sentences[:-1])
    return len(sentences) > 1


def _rewrite(draw: random.Random, issue: Issue, entry: Node) -> bool:
    """Another answer to the same question."""
    said = _fields(entry, ("answer",))
    if len(said) != 1 or len(said[0]) or len(said[0].text or "") < 60:
        return False
    said[0].text = " ".join(draw.sample(MORE[issue.language], k=2))
    return True


EDITS = (_number, _count, _verdict, _negation, _word, _ask, _sentence, _shorten, _rewrite)


def _pool(issue: Issue) -> list[str]:
    """Words of the document to put for others."""
    strings = (getattr(node, where) for each in _entries(issue.old) for node, where in _strings(each, SAID))
    return sorted({word for text in strings for word in _long(text)}) or ["xyzzy"]


def _negates(word: str) -> bool:
    return bool(re.match(releases.NO_WORD + r"|zonder|aldrig|nooit|nigdy|sempre|always|toujours|immer|altid", word))


def _long(text: str) -> list[str]:
    return [word for word in re.findall(r"(?<![\w'’-])[a-zß-ÿ]{6,}(?![\w'’-])", text) if not _negates(word)]


# ---------------------------------------------------------------- marks


@dataclass(slots=True)
class _Marks:
    """How a document marks what changed: by a class, an element, or a sign before the name."""

    classes: set[str]
    tags: set[str]
    badges: list[Node]
    signs: set[str]
    on: set[str]  # the elements that have the classes; "entry" for one around all of it


def _marks(tree: Node) -> _Marks:
    changed = tree.xpath("//*[@data-changed]")
    others = tree.xpath("//*[not(ancestor-or-self::*[@data-changed])]")
    plain_classes = {name for each in others for name in (each.get("class") or "").split()}
    plain_tags = {each.tag for each in others}
    plain_signs = {letter for each in others if each.get("data-not") is not None for letter in (each.text or "") if not letter.isalnum()}
    made = _Marks(set(), set(), [], set(), set())
    for entry in changed:
        for each in entry.iter():
            own = set((each.get("class") or "").split()) - plain_classes
            if each.get("data-not") is not None:
                if own and len(each.text or "") < 8:
                    made.badges.append(each)
                elif signs := {letter for letter in each.text or "" if not letter.isalnum() and letter not in " .,;:–-"} - plain_signs:
                    made.signs |= signs
            elif own:
                made.classes |= own
                made.on.add("entry" if each.get("data-kind") else each.tag)
            if each.tag in ("mark", "u", "ins") and each.tag not in plain_tags:
                made.tags.add(each.tag)
    return made


def _unmark(entry: Node, marks: _Marks) -> None:
    entry.attrib.pop("data-changed", None)
    for each in list(entry.iter()):
        kept = [name for name in (each.get("class") or "").split() if name not in marks.classes]
        if each.get("class") is not None and each.get("data-not") is None:
            each.set("class", " ".join(kept))
        if each.get("data-not") is not None:
            if any(each.get("class") and each.get("class") == badge.get("class") for badge in marks.badges):
                _take(each)
            elif each.text:
                each.text = re.sub(rf"[{re.escape(''.join(marks.signs))}]\s*", "", each.text) if marks.signs else each.text
        elif each.tag in marks.tags:
            each.drop_tag() if not each.keys() else setattr(each, "tag", "span")


def _mark(entry: Node, marks: _Marks) -> bool:
    """As this document does it; False where it cannot be told how."""
    entry.set("data-changed", "")
    name = _fields(entry, ("question", "target", "title", "term"))[:1]
    if marks.badges and name:
        badge = html.fromstring(html.tostring(marks.badges[0], encoding="unicode", with_tail=False))
        at = name[0].getprevious()
        behind = marks.badges[0].getprevious() is not None and marks.badges[0].getprevious().get("data-as")
        if behind:
            badge.tail, name[0].tail = name[0].tail, " "
            name[0].addnext(badge)
        elif at is not None and at.getparent() is name[0].getparent():
            at.addprevious(badge)
        else:
            return False
        return True
    if marks.signs:
        label = entry.xpath(".//*[@data-not]")[:1]
        if label:
            label[0].text = f"{min(marks.signs)} {label[0].text or ''}" if "•" not in (label[0].text or "") else f"• {min(marks.signs)}"
        return bool(label)
    if marks.tags:
        for each in [each for each in _fields(entry, WHOLE) if not each.xpath("ancestor::*[@data-as]")]:
            inner = html.Element(min(marks.tags))
            inner.text, each.text = each.text, None
            for child in list(each):
                inner.append(child)
            each.append(inner)
        return True
    if marks.classes:
        return _classed(entry, marks)
    return False


def _classed(entry: Node, marks: _Marks) -> bool:
    if "entry" in marks.on:
        chosen = [entry]
    elif "div" in marks.on:
        return False
    elif marks.on & {"span", "b", "i"}:
        chosen = _fields(entry, WHOLE)
    else:
        chosen = list(entry.iter("p", "h3", "h4", "li", "dt", "dd", "td"))
    for each in chosen:
        each.set("class", f"{each.get('class') or ''} {min(marks.classes)}".strip())
    return True


# ---------------------------------------------------------------- the second issue


def reissue(path: Path, seed: int) -> Issue:
    """Two issues of a document; the same seed gives the same."""
    draw = random.Random(f"{path.stem}{seed}")
    known = invented.invented(path)
    tree = html.document_fromstring(known.page)
    for at, entry in enumerate(_entries(tree)):
        entry.set("data-name", f"n{at}")
    issue = Issue(name=path.stem, by=known.by, language=(tree.get("lang") or "en")[:2], old=tree, new=_copy(tree))
    _come_and_go(draw, issue)
    marks = _marks(tree)
    issue.marks = bool(marks.classes or marks.tags or marks.badges or marks.signs) and bool(tree.xpath("//*[@data-changed]"))
    if issue.marks:
        for entry in issue.new.xpath("//*[@data-changed]"):
            _unmark(entry, marks)
    _edits(draw, issue)
    if draw.random() < 0.6:
        _merge(draw, issue)
    if draw.random() < 0.7:
        _move(draw, issue)
    if draw.random() < 0.5:
        _rename(draw, issue)
    if issue.marks:
        _mark_some(draw, issue, marks)
    for each in (issue.old, issue.new):
        _count_again(each)
    _bump(issue.new)
    _typography(draw, issue)
    _layout(draw, issue.new)
    return issue


def _copy(tree: Node) -> Node:
    return html.document_fromstring(html.tostring(tree, encoding="unicode", doctype="<!doctype html>"))


def _come_and_go(draw: random.Random, issue: Issue) -> None:
    able = [entry.get("data-name") for entry in _entries(issue.old) if entry.get("data-kind") in RULINGS and _alone(entry)]
    few = max(1, len(able) // 9)
    chosen = draw.sample(able, k=min(2 * few, len(able) // 2))
    for name in chosen[:few]:
        _remove(_called(issue.old, name))
        issue.told.append(f"added {name}")
    for name in chosen[few:]:
        _remove(_called(issue.new, name))
        issue.told.append(f"removed {name}")


def _both(issue: Issue) -> list[Node]:
    names = {each.get("data-name") for each in _entries(issue.old)}
    return [each for each in _entries(issue.new) if each.get("data-name") in names]


def _edits(draw: random.Random, issue: Issue) -> None:
    able = [each for each in _both(issue) if each.get("data-kind") in RULINGS]
    draw.shuffle(able)
    for entry in able[: max(2, len(able) // 3)]:
        for edit in draw.sample(EDITS, k=len(EDITS)):
            if edit(draw, issue, entry):
                issue.told.append(f"edited {entry.get('data-name')}")
                break


def _merge(draw: random.Random, issue: Issue) -> None:
    """Two questions that follow each other become one."""
    able = [(one, one.getnext()) for one in _both(issue) if one.get("data-kind") == "qa" and one.getnext() is not None]
    able = [(one, two) for one, two in able if two.get("data-kind") == "qa" and two in _both(issue) and _alone(one) and _alone(two)
            and one.tag == two.tag == "div" and not any(each.get("data-name") in " ".join(issue.told) for each in (one, two))]  # fmt: skip
    for one, two in draw.sample(able, k=len(able)):
        asked, more = (_fields(each, ("question",)) for each in (one, two))
        said, answers = (_fields(each, ("answer",)) for each in (one, two))
        if not (len(asked) == len(more) == len(said) == len(answers) == 1) or len(asked[0]) or len(more[0]) or len(said[0]) or len(answers[0]):
            continue
        asked[0].text = f"{asked[0].text} {more[0].text}"
        said[0].text = f"{said[0].text} {answers[0].text}"
        issue.merged[two.get("data-name")] = one.get("data-name")
        issue.told.append(f"merged {two.get('data-name')} into {one.get('data-name')}")
        _remove(two)
        return


def _move(draw: random.Random, issue: Issue) -> None:
    """An entry goes behind another of its kind that stands under another heading."""
    able = [each for each in _both(issue) if each.get("data-kind") in ("qa", "erratum", "definition") and _alone(each)]
    for one in draw.sample(able, k=len(able)):
        places = [each for each in able if each.get("data-kind") == one.get("data-kind") and each.tag == one.tag
                  and _heading(each) is not None and _heading(one) is not None and _heading(each) is not _heading(one)
                  and each.getparent() is one.getparent()]  # fmt: skip
        kept = any(each is not one and _heading(each) is _heading(one) for each in able)
        if places and kept and one.get("data-subject") is None and one.get("data-section") is None:
            _take(one)
            one.tail = "\n"
            draw.choice(places).addnext(one)
            issue.moved.add(one.get("data-name"))
            issue.told.append(f"moved {one.get('data-name')}")
            return


def _heading(entry: Node) -> Node | None:
    above = entry.xpath("preceding::*[@data-is]")
    return above[-1] if above else None


def _rename(draw: random.Random, issue: Issue) -> None:
    able = [each for each in issue.new.xpath("//*[@data-is='section']") if not len(each) and each.text]
    plain = [each for each in able if not re.match(r"\s*(?:\d|[A-Z]\b|[IVX]+\b|\w+\.? (?:\d|[A-Z]\b|[IVX]+\b))", each.text)]
    if len(able) > 2 and plain:
        chosen = draw.choice(plain)
        new = RENAMED[issue.language]
        was, chosen.text = chosen.text, new.upper() if chosen.text.isupper() else new
        issue.told.append(f"renamed {was}")
        for each in issue.new.iter():
            if isinstance(each.tag, str) and each is not chosen and (each.text or "").strip() == was.strip():
                each.text = chosen.text


def _mark_some(draw: random.Random, issue: Issue, marks: _Marks) -> None:
    edited = {told.split()[1] for told in issue.told if not told.startswith(("removed", "moved", "renamed", "merged"))}
    edited |= {told.split()[-1] for told in issue.told if told.startswith("merged")}
    for name in sorted(edited):
        if draw.random() < 0.7:
            if _mark(_called(issue.new, name), marks):
                issue.marked.add(name)
            else:
                issue.marks = False
    issue.marks = issue.marks and bool(issue.marked)


def _count_again(tree: Node) -> None:
    """Questions and rules that are counted 1, 2, 3 are counted so again."""
    counts: dict[tuple[str, str], int] = {}
    for label in tree.xpath("//*[@data-kind='qa']//*[@data-not]"):
        found = re.search(r"\d+", label.text or "")
        if not found:
            continue
        shape = (str(label.get("class")), re.sub(r"\d+|[^\w\s.]\s", "", label.text))
        counts[shape] = 1 if found[0] == "1" else counts.get(shape, int(found[0]) - 1) + 1
        label.text = label.text.replace(found[0], str(counts[shape]), 1)


def _bump(tree: Node) -> None:
    """The next year's issue, on the title page and in the margins."""
    for each in tree.iter():
        if not isinstance(each.tag, str) or each.xpath("ancestor-or-self::*[@data-kind and @data-kind!='text']"):
            continue
        for where in ("text", "tail"):
            if getattr(each, where):
                setattr(each, where, re.sub(r"\b(20[12]\d)\b", lambda it: str(int(it[0]) + 1), getattr(each, where)))


def _typography(draw: random.Random, issue: Issue) -> None:
    """Other quotes, apostrophes, dashes and spaces, sometimes."""
    changes: list[tuple[str, str]] = []
    if draw.random() < 0.4:
        changes.append(("’", "'"))
    if draw.random() < 0.3:
        changes.append((" – ", " — "))
    if issue.language == "fr" and draw.random() < 0.6:
        changes += [(" ?", "\u202f?"), (" :", "\u00a0:"), (" ;", "\u202f;"), ("« ", "«\u00a0"), (" »", "\u00a0»")]
    for each in issue.new.iter():
        if isinstance(each.tag, str) and each.tag not in ("style", "script"):
            for where in ("text", "tail"):
                if getattr(each, where):
                    text = getattr(each, where)
                    for was, now in changes:
                        text = text.replace(was, now)
                    setattr(each, where, text)


def _layout(draw: random.Random, tree: Node) -> None:
    """Another page: columns, fonts, size of type, edges, paper."""
    for style in tree.iter("style"):
        css = style.text or ""
        if draw.random() < 0.5:
            columns = draw.choice("123")
            css = re.sub(r"(?<![\w-])columns:\s*\d", f"columns: {columns}", css)
        if draw.random() < 0.5:
            css = css.replace("Liberation Serif", "\0").replace("Liberation Sans", "Liberation Serif").replace("\0", "Liberation Sans")
            css = re.sub(r"\$(SERIF|SANS)/Source(?:Serif|Sans)Pro-(Regular|Bold|It|BoldIt)\b",
                         lambda it: f"$SANS/SourceSansPro-{it[2]}" if it[1] == "SERIF" else f"$SERIF/SourceSerifPro-{it[2]}", css)  # fmt: skip
        if draw.random() < 0.5:
            css = _scaled(css, draw.choice((0.9, 0.95, 1.08, 1.15)))
        if draw.random() < 0.4:
            css = re.sub(r"text-align:\s*justify", "text-align: left", css) if "justify" in css else css.replace("body {", "body { text-align: justify; hyphens: auto;", 1)
        if draw.random() < 0.3:
            css = re.sub(r"size:\s*A4(?! l)", "size: Letter", css)
        style.text = css


def _scaled(css: str, times: float) -> str:
    return re.sub(r"(\d*\.?\d+)pt", lambda it: f"{round(float(it[1]) * times, 2)}pt", css)


# ---------------------------------------------------------------- read and compared


def documents(issue: Issue, folder: Path) -> tuple[Document, Document]:
    """Both issues set and read."""
    made = []
    for name, tree in (("old", issue.old), ("new", issue.new)):
        place = folder / name
        place.mkdir(parents=True, exist_ok=True)
        known = replace(_known(issue, tree), name=name)
        (place / "set.pdf").write_bytes(invented.typeset(known, place).pdf)
        made.append(flow.read(place / "set.pdf"))
    return made[0], made[1]


def _known(issue: Issue, tree: Node) -> invented.Invented:
    page = html.tostring(tree, encoding="unicode", doctype="<!doctype html>")
    return invented.Invented(name=issue.name, page=page, by=issue.by, marked=False, blocks=_blocks(page))


def _blocks(page: str) -> list[Block]:
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch, "page.html")
        path.write_text(re.sub("[\ue000-\uf8ff]", " [icon] ", page), encoding="utf-8")
        return invented.invented(path).blocks


def as_written(issue: Issue) -> tuple[Document, Document]:
    """Both issues as the reading would give them, were it never wrong."""
    made = []
    for tree, date in ((issue.old, "2025-03"), (issue.new, "2026-03")):
        entries = tuple(releases.entry(_filled(block), issue.language, at) for at, block in enumerate(_known(issue, tree).blocks))
        made.append(Document(source=f"{date}.pdf", sha256="0" * 64, pages=1, language=issue.language, date=date, entries=entries))
    return made[0], made[1]


def _filled(block: Block) -> Block:
    for name in {"qa": ("answer",), "rule": ("body",), "definition": ("body",)}.get(block["kind"], ()):
        block.setdefault(name, [])
    for name in {"qa": ("question",), "definition": ("term",)}.get(block["kind"], ()):
        block.setdefault(name, "")
    return block


# ---------------------------------------------------------------- the truth and what was told


@dataclass(slots=True)
class Truth:
    change: str
    name: str
    kind: str
    old: str
    new: str
    marked: bool | None
    flipped: bool


def truth(issue: Issue) -> list[Truth]:
    old, new = ({tree_entry.get("data-name"): _whole(block, issue) for tree_entry, block in
                 zip(_entries(tree), _known(issue, tree).blocks, strict=True)} for tree in (issue.old, issue.new))  # fmt: skip
    kinds = {each.get("data-name"): each.get("data-kind") for tree in (issue.old, issue.new) for each in _entries(tree)}
    made = []
    for name in dict.fromkeys([*old, *new]):
        if name in issue.merged:
            continue
        was = "\n".join([old.get(name, ""), *(old[two] for two, one in issue.merged.items() if one == name)]).strip()
        now = new.get(name, "")
        told = "added" if not was else "removed" if not now else "changed" if entry_text.vocables(was) != entry_text.vocables(now) or name in issue.merged.values() else ""
        if not told and name in issue.moved:
            told = "moved"
        if told and not (kinds[name] == "text" and _unyear(was) == _unyear(now)):
            marked = None if not issue.marks or told == "moved" else name in issue.marked
            made.append(Truth(told, name, kinds[name], was, now, marked, name in issue.flipped))
    return made


def _unyear(text: str) -> str:
    return re.sub(r"20[12]\d", "#", entry_text.key(text))


def _whole(block: Block, issue: Issue) -> str:
    return entry_text.whole(releases.entry(_filled(block), issue.language, 0))


def _plain(text: str) -> Counter[str]:
    """Without icons and the numbers of references and notes, which a page writes in another way than its truth."""
    return Counter(word for word in entry_text.vocables(text) if word not in ("icon", "p") and not word.isdigit())


def _net(text: str) -> Counter[str]:
    return Counter(entry_text.vocables(text))


@dataclass(slots=True)
class Score:
    right: int = 0
    wrong: list[str] = field(default_factory=list)


def score(issue: Issue, told: Changes) -> Score:
    """What was told of the truth, and each thing that is wrong about it in a line."""
    made, wanted = Score(), truth(issue)
    pairs = _paired(wanted, told.changes)
    taken = {id(each) for _, each in pairs if each is not None}
    for want, have in pairs:
        faults = _faults(want, have)
        made.right += not faults
        made.wrong += faults
    extra = [each for each in told.changes if id(each) not in taken and not each.about_document and not _is_year(each) and not _is_renamed(each)]
    made.wrong += [f"invented {each.change} {each.kind}: {_shown(each)}" for each in extra]
    made.wrong += [f"left over: {entry_text.whole(each)[:80]!r}" for each in told.left_over if issue.marks]
    return made


def _is_year(told: Difference) -> bool:
    return bool(told.old and told.new) and _unyear(entry_text.whole(told.old)) == _unyear(entry_text.whole(told.new))  # type: ignore[arg-type]


def _is_renamed(told: Difference) -> bool:
    """The heading over a table is its title, too."""
    rows = [each.rows for each in (told.old, told.new) if isinstance(each, Table)]
    return len(rows) == 2 and entry_text.key(str(rows[0])) == entry_text.key(str(rows[1]))


def _sides(told: Difference) -> tuple[str, str]:
    olds = told.olds or ((told.old,) if told.old else ())
    news = told.news or ((told.new,) if told.new else ())
    return "\n".join(map(entry_text.whole, olds)), "\n".join(map(entry_text.whole, news))


def _paired(wanted: list[Truth], told: Sequence[Difference]) -> list[tuple[Truth, Difference | None]]:
    from rapidfuzz.fuzz import ratio

    scores = []
    for a, want in enumerate(wanted):
        for b, have in enumerate(told):
            was, now = _sides(have)
            alike = [ratio(entry_text.key(one), entry_text.key(other)) / 100 for one, other in ((want.old, was), (want.new, now)) if one and other]
            if alike and max(alike) >= LEAST:
                scores.append((max(alike) + (want.change == have.change), a, b))
    found: dict[int, int] = {}
    for _, a, b in sorted(scores, reverse=True):
        if a not in found and b not in found.values():
            found[a] = b
    return [(want, told[found[a]] if a in found else None) for a, want in enumerate(wanted)]


def _faults(want: Truth, have: Difference | None) -> list[str]:
    shown = (want.new or want.old).replace("\n", " / ")[:90]
    if have is None:
        return [f"missed {want.change} {want.kind}: {shown}"]
    if want.change != have.change:
        return [f"kind {want.change} told as {have.change} {want.kind}: {shown}"]
    made = []
    if want.marked is not None and have.marked is not None and want.marked != have.marked:
        made.append(f"mark {want.marked} told as {have.marked} {want.kind} {want.change}: {shown} {have.new.changed_text if have.new else ''}")
    if want.marked is not None and have.marked is None:
        made.append(f"mark {want.marked} told as none: {shown}")
    if want.flipped != have.verdict_flipped and want.change == "changed":
        made.append(f"flip {want.flipped} told as {have.verdict_flipped}: {_line(have)}")
    if want.change == "changed":
        gone, come = (Counter(entry_text.vocables(" ".join(text for sign, text in have.words if sign == each))) for each in "-+")
        before, after = _net(want.old), _net(want.new)
        if (come - gone, gone - come) != (after - before, before - after):
            made.append(f"words {sorted((after - before).elements())} not {sorted((come - gone).elements())}; {sorted((before - after).elements())} not {sorted((gone - come).elements())}: {shown}")
    elif _plain(want.new or want.old) != _plain(_sides(have)[0 if have.change is Fate.REMOVED else 1]):
        made.append(f"read otherwise {want.change} {want.kind}: {shown}")
    return made


def _line(told: Difference) -> str:
    return "".join(text if sign == "=" else f"[{sign}{text}]" for sign, text in told.words).replace("\n", " / ")[:200]


def _shown(told: Difference) -> str:
    return _line(told) if told.change is Fate.CHANGED else entry_text.whole(told.new or told.old).replace("\n", " / ")[:120]  # type: ignore[arg-type]


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--as-written", action="store_true")
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args(arguments)
    total, faults = 0, Counter[str]()
    for path in invented.documents(asked.names):
        for seed in range(asked.seed, asked.seed + asked.count):
            issue = reissue(path, seed)
            with tempfile.TemporaryDirectory() as scratch:
                folder = asked.keep / f"{path.stem}-{seed}" if asked.keep else Path(scratch)
                both = as_written(issue) if asked.as_written else documents(issue, folder)
            found = score(issue, diff(*both))
            total += found.right
            faults.update(each.split()[0] for each in found.wrong)
            print(f"{found.right}/{found.right + len(found.wrong)}  {path.stem} {seed}  {'marks' if issue.marks else ''}", flush=True)
            for each in found.wrong:
                print(f"   {each}", flush=True)
    print(f"{total} right, {faults.total()} wrong: {dict(faults)}")


if __name__ == "__main__":
    main(sys.argv[1:])
