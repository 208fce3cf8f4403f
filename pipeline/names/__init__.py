"""Names: what a book speaks of, where, and which of it a player's list asks for. Pure, but for the list's file.

words      the words of names in all their forms           (vocabulary: [names])
headings   subjects, terms, titles, targets -> names
texts      running text -> names
phrases    questions -> terms without a capital
register   entries -> the register: each name, what is about it, what names it
lists      a player's list -> lines that may name something
match      lines x register -> what each line means
choose     names -> the entries about them, naming them, led to, general
"""

from __future__ import annotations

from pipeline.names.choose import Chosen, Tier, choose
from pipeline.names.lists import asked, read_list
from pipeline.names.match import Match, matches, told
from pipeline.names.register import Name, Origin, Register, register

__all__ = ["Chosen", "Match", "Name", "Origin", "Register", "Tier", "asked", "choose", "matches", "read_list",
           "register", "told"]  # fmt: skip
