"""Names: what a book speaks of, where, and which of it a player's list asks for. Pure, but for the list's file.

name_forms      the words of names in all their forms           (vocabulary: [names])
heading_names   subjects, terms, titles, targets -> names
text_names      running text -> names
phrases         questions -> terms without a capital
register        entries -> the register: each name, what is about it, what names it
player_list     a player's list -> lines that may name something
list_matching   lines x register -> what each line means
selection       names -> the entries about them, naming them, led to, general
player_rulings  a book x a player's list -> what of it is the player's
"""

from __future__ import annotations

from pipeline.names.list_matching import LineMatch, matches, told
from pipeline.names.player_list import asked, read_list
from pipeline.names.register import Name, Origin, Register, register
from pipeline.names.selection import Selection, Tier, choose

__all__ = [
           "LineMatch",
           "Name",
           "Origin",
           "Register",
           "Selection",
           "Tier",
           "asked",
           "choose",
           "matches",
           "read_list",
           "register",
           "told",
]  # fmt: skip
