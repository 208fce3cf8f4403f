"""What can go wrong: one exception a failure, each with its exit code and a hint that says what to do."""

from __future__ import annotations

import errno
import re

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)
NO_ENTRY = (errno.EACCES, errno.EPERM, errno.ENAMETOOLONG)


class RubricatorError(Exception):
    """A failure that ends the work on one file or command; the message is *what – where – what to do*."""

    exit_code = 1
    hint = ""
    also: tuple[RubricatorError, ...] = ()  # what else failed with it
    told = False  # one that several files share is said once

    def __init__(self, message: str, *, where: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        if hint:
            self.hint = hint

    def __str__(self) -> str:
        what = f"{self.where}: {self.message}" if self.where else self.message
        return " ".join(f"{what} – {self.hint}".split()) if self.hint else " ".join(what.split())


class UsageError(RubricatorError):
    """The arguments do not fit."""

    exit_code = 2


class SourceError(RubricatorError):
    """A source is missing, unreadable, damaged, or used up its time or memory."""

    exit_code = 3


class NoTextError(RubricatorError):
    """A scanned document: pictures of pages, no text layer."""

    exit_code = 4
    hint = "run it through OCR first (for example ocrmypdf) and try again"


class OutputError(RubricatorError):
    """An output could not be written; what was there is untouched."""

    exit_code = 5
    hint = "check the free space and the permissions of that folder"


class MissingPartError(RubricatorError):
    """Something that printing needs is not on this machine."""

    exit_code = 6
    hint = "run 'rubricator doctor' to see what to install"


PANGO = "sudo apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 (macOS: brew install pango)"


class ConfigError(RubricatorError):
    """book.toml, event.toml, overrides.toml, a layer or a template is wrong."""

    exit_code = 7


class PasswordError(RubricatorError):
    """The source is encrypted with a password to open it."""

    exit_code = 8
    hint = "give it with --password, or remove it in a PDF viewer (print to a new PDF) and try again"


DIFFERENCES_FOUND = 9
FINDINGS_FOUND = 10
HUNG_UP = 129
INTERRUPTED = 130
TERMINATED = 143

BY_EXIT_CODE: dict[int, type[RubricatorError]] = {
    error.exit_code: error
    for error in (UsageError, SourceError, NoTextError, OutputError, MissingPartError, ConfigError, PasswordError)
}


def of_the_machine(error: Exception) -> RubricatorError | None:
    """What is no bug: a disk that is full (also the one for temporary files) or broken, too little memory or too few
    open files, or a path that may not be looked at."""
    if isinstance(error, OSError) and error.errno in NO_ROOM:
        hint = "check the free space, also of the folder for temporary files"
        return OutputError(f"the output cannot be written ({error.strerror})", hint=hint)
    if isinstance(error, OSError) and error.errno == errno.EIO:
        where = str(error.filename or "")
        return OutputError(f"the disk has a fault ({error.strerror})", where=where, hint="check the disk")
    if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
        hint = "allow more (ulimit -n), or close other programs"
        return MissingPartError(f"this machine gives no more open files ({error.strerror})", hint=hint)
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno in (errno.ENOMEM, errno.EAGAIN)):
        hint = "close other programs, or do less at once"
        return MissingPartError("this machine has not enough memory for it", hint=hint)
    if isinstance(error, OSError) and error.errno in NO_ENTRY and error.filename:
        return SourceError(f"cannot be read ({error.strerror})", where=str(error.filename))
    return None


# What no text has, and a terminal or a page would obey: controls, lone surrogates, turned directions.
UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069\ufffe\uffff]")


def fit(text: str) -> str:
    """A text that may be shown on a terminal, whoever wrote it: what it would obey is replaced."""
    return UNFIT.sub("\ufffd", text)


def counted(count: int, one: str, many: str = "") -> str:
    """ "1 page", "2 pages", "3 entries": for messages. Here, because every command may say it and start fast."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
