"""Reading on many machines: files are handed to a Dask cluster. The only file that knows Dask.

A task is the path of a source; the worker reads it behind its own guard and answers with JSON, checked here like
anything from outside.
"""

from __future__ import annotations

import json
import logging
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from pipeline import store
from pipeline.config import Mends
from pipeline.errors import BY_EXIT_CODE, MissingPartError, RubricatorError, SourceError, UsageError
from pipeline.records import Document

AHEAD = 4  # files in hand a worker's thread: enough to keep it busy, and few to hold in memory
PATIENCE = 10  # seconds for the scheduler to answer and for a worker to be there

Outcome = Document | RubricatorError


def read_all(
    paths: Iterable[Path], address: str, mends: Callable[[Path], Mends | None] = lambda folder: None
) -> Iterator[tuple[Path, Outcome]]:
    """Each source with its document or its error, in the order given; as a person said where one did."""
    client = _connect(address)
    try:
        at_once = AHEAD * max(1, sum(client.nthreads().values()))
        busy: deque[tuple[Path, Any]] = deque()
        for path in paths:
            packed_mends = store.to_json(mends(path.parent)) if path.parent.is_dir() else None
            busy.append((path, client.submit(read_packed, os.path.abspath(path), packed_mends, pure=False)))
            if len(busy) >= at_once:
                yield _answer(*busy.popleft())
        while busy:
            yield _answer(*busy.popleft())
    finally:
        client.close()


def read_packed(path: str, mends: Any = None) -> str:
    """On the worker: the document, or what was wrong with it, as JSON. Nothing of ours is pickled."""
    from pipeline import guard

    try:
        own_mends = store.from_json(Mends, mends) if mends else None
        return json.dumps({"document": store.pack(guard.read(Path(path), mends=lambda folder: own_mends))})
    except RubricatorError as error:
        failure = {"exit_code": error.exit_code, "message": error.message, "hint": error.hint}
        return json.dumps({"error": failure})


def _connect(address: str) -> Any:
    """A client of the scheduler that has at least one worker."""
    try:
        from distributed import Client
        from distributed.comm.addressing import parse_address, parse_host_port
        from distributed.comm.registry import get_backend
    except ImportError:
        hint = "install it: pip install 'rubricator[cluster]'"
        raise MissingPartError("Dask is not installed", where="--scheduler", hint=hint) from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what it has to say, the outcome says
    try:
        scheme, place = parse_address(address)
        get_backend(scheme)
        parse_host_port(place)
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except ValueError:
        raise UsageError("is no address of a scheduler", where=address, hint="try tcp://HOST:8786") from None
    except (OSError, TimeoutError):
        hint = "start one with 'dask scheduler', or correct the address"
        raise MissingPartError("no scheduler answers", where=address, hint=hint) from None
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        client.close()
        hint = f"start some: dask worker {address}"
        raise MissingPartError("the scheduler has no workers", where=address, hint=hint) from None
    return client


def _answer(path: Path, future: Any) -> tuple[Path, Outcome]:
    where = store.printable(str(path))
    try:
        packed = future.result()
    except ModuleNotFoundError as error:
        hint = "install rubricator there too"
        raise MissingPartError(f"a worker of the cluster has no {error.name}", where=where, hint=hint) from None
    except Exception as error:  # its worker died, the cluster went away
        return path, SourceError(f"could not be read on the cluster ({type(error).__name__})", where=where)
    return path, _unpacked(packed, path, where)


def _unpacked(packed: Any, path: Path, where: str) -> Outcome:
    try:
        answer = json.loads(packed)
        if "error" not in answer:
            document = store.unpack_strangers(Document, answer["document"])
            store.be_of(document, document.sha256, path.name)
            return document
        kind = BY_EXIT_CODE.get(answer["error"]["exit_code"], RubricatorError)
        message, hint = (store.printable(str(answer["error"][key])) for key in ("message", "hint"))
        return kind(message, where=where, hint=hint)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        hint = "the same version of rubricator must run everywhere"
        return SourceError("was answered with nonsense by the cluster", where=where, hint=hint)
