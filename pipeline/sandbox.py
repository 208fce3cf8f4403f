"""What a process that reads a stranger's PDF may do: nothing but read what it was given and answer.

Three locks of Linux, one behind the other, each where the kernel has it:

namespaces   an empty network, and a folder for temporary files that is small and vanishes      (``enter``, once)
Landlock     files: those of Python and the fonts, what was given, and no other                 (``confine``, each time)
seccomp      no network, no new process or program, no signal to another, no change of rights   (``confine``, each time)

Nothing here raises: a lock that a kernel does not have is left open, and ``tried`` says so, which ``doctor`` prints.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import platform
import signal
import socket
import struct
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

SMALL = 128 << 20  # bytes
ROOM = "size=128m,nr_inodes=4k"  # for temporary files: the fonts of a page have 5 MB

# ---------------------------------------------------------------- namespaces

_NEW_MOUNTS, _NEW_IPC, _NEW_USER, _NEW_NETWORK = 0x00020000, 0x08000000, 0x10000000, 0x40000000
_PRIVATE, _NO_PROGRAMS = 0x4000 | 0x40000, 0x2 | 0x4 | 0x8  # of mounts: not shared; no suid, devices, programs
_NO_NEW_PRIVILEGES, _DEATH_SIGNAL = 38, 1


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def enter(scratch: str) -> None:
    """Go into namespaces of one's own: no network, no shared memory of others, a small ``scratch`` of its own."""
    if sys.platform != "linux":
        return
    user, group, ours = os.geteuid(), os.getegid(), _NEW_MOUNTS | _NEW_IPC | _NEW_NETWORK
    # Root keeps its rights over the files of others; anybody else gets rights in a world of one user.
    if (user != 0 or _libc().unshare(ours) != 0) and _libc().unshare(_NEW_USER | ours) == 0:
        for name, content in (
            ("uid_map", f"{user} {user} 1"),
            ("setgroups", "deny"),
            ("gid_map", f"{group} {group} 1"),
        ):
            with contextlib.suppress(OSError):
                Path("/proc/self", name).write_text(content, encoding="ascii")
    own()
    if seccomp():
        _refusals()  # both are made once, not in each fork
    if _libc().mount(b"none", b"/", None, _PRIVATE, None) == 0:
        _libc().mount(b"none", os.fsencode(scratch), b"tmpfs", _NO_PROGRAMS, f"{ROOM},mode=0700".encode())


def die_with(parent: int) -> None:
    """When the parent dies, however it dies, so does this process."""
    if sys.platform == "linux":
        _libc().prctl(_DEATH_SIGNAL, signal.SIGKILL)
        if os.getppid() != parent:  # it died before we asked
            os._exit(1)


def confine(readable: Iterable[str], writable: Iterable[str] = ()) -> None:
    """From now on, and for good: only these files and folders, beside those of Python, and only this process."""
    if sys.platform == "linux":
        _libc().prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        _close_files(readable, writable)
        _close_calls()


# ---------------------------------------------------------------- Landlock: files

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the numbers are the same on every machine
_READ_FILE, _READ_FOLDER, _WRITE_FILE, _TRUNCATE = 1 << 2, 1 << 3, 1 << 1, 1 << 14
_WRITE_FOLDER = _WRITE_FILE | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8  # and remove and make folders and files
_OF_A_FILE = _READ_FILE | _WRITE_FILE | _TRUNCATE
# What each release of Landlock can forbid: files, then connections, then signals and sockets without a file.
_FILES = {1: 0x1FFF, 2: 0x3FFF, 3: 0x7FFF, 4: 0x7FFF, 5: 0xFFFF}
# Libraries, fonts, the time zone; nothing of a person's.
SYSTEM = (
    "/usr", "/lib", "/lib64", "/bin", "/nix/store", "/gnu/store", "/opt/homebrew", "/etc/fonts", "/etc/ld.so.cache",
    "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime", "/etc/mime.types", "/etc/debian_version",
    "/sys/devices/system/cpu", "/dev/null", "/dev/zero", "/dev/urandom", "/proc/self",
    "/proc/meminfo", "/proc/cpuinfo", "/proc/sys/vm/overcommit_memory",
)  # fmt: skip


def landlock() -> int:
    """The release of Landlock in this kernel; 0 where there is none."""
    if sys.platform != "linux":
        return 0
    return max(0, int(_libc().syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(1))))


@cache
def own() -> tuple[str, ...]:
    """Where Python, our code, its packages, the fonts and the words that a person added are."""
    package = Path(__file__).resolve().parent
    packages = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    variables = ("FONTCONFIG_FILE", "FONTCONFIG_PATH", "RUBRICATOR_LANGUAGES")
    named = [path for name in variables if os.path.isabs(path := os.environ.get(name, ""))]
    prefixes = [prefix for prefix in {sys.prefix, sys.base_prefix} if len(Path(prefix).parts) > 1]
    folders = [*SYSTEM, *prefixes, *packages, str(package), str(package.parent / "templates"), *named, *font_caches()]
    return tuple(dict.fromkeys(folders))


def font_caches() -> tuple[str, ...]:
    """Where fontconfig keeps what it found."""
    kept = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return "/var/cache/fontconfig", os.path.join(kept, "fontconfig")


def _close_files(readable: Iterable[str], writable: Iterable[str]) -> None:
    release = landlock()
    if not release:
        return
    handled = _FILES[min(release, max(_FILES))]
    attributes = struct.pack("=Q", handled)
    if release >= 4:
        attributes += struct.pack("=Q", 0b11)  # no port is bound, none connected to
    if release >= 6:
        attributes += struct.pack("=Q", 0b11)  # no socket without a file, no signal out of here
    ruleset = _libc().syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0))
    if ruleset < 0:
        return
    for path in (*own(), *readable):
        _allow(ruleset, path, _READ_FILE | _READ_FOLDER)
    for path in writable:
        _allow(ruleset, path, (_READ_FILE | _READ_FOLDER | _WRITE_FOLDER | _TRUNCATE) & handled)
    _libc().syscall(_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    os.close(ruleset)


def _allow(ruleset: int, path: str, access: int) -> None:
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (OSError, ValueError):
        return
    if not os.path.isdir(path):
        access &= _OF_A_FILE
    rule = struct.pack("=Qi", access, handle)
    _libc().syscall(_ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(1), rule, ctypes.c_uint32(0))
    os.close(handle)


# ---------------------------------------------------------------- seccomp: calls

# By machine: its name in audits, the first number that we do not know, and the numbers of what is refused.
_MACHINES: dict[str, tuple[int, int, dict[str, tuple[int, ...]]]] = {
    "x86_64": (0xC000003E, 470, {
        "processes and programs": (57, 58, 59, 322),
        "sockets, and rings that make some": (41, 53, 425, 426, 427),
        "other processes": (200, 129, 297, 424, 434, 438, 101, 310, 311, 440, 448, 312),
        "groups and priorities": (112, 109, 141, 251, 144, 142, 314, 203, 256, 279),
        "rights": (105, 106, 113, 114, 117, 119, 122, 123, 116, 126),
        "mounts and namespaces": (165, 166, 155, 161, 272, 308, 442, 429, 428, 430, 431, 432, 433, 467),
        "owners, modes, times, attributes": (90, 91, 268, 452, 92, 93, 94, 260, 132, 235, 280, 261, 188, 189, 190, 197,
                                             198, 199, 463, 466, 469),
        "memory and queues that stay": (29, 30, 68, 64, 240, 241, 447),
        "files without a name": (304, 303, 254, 300, 301),
        "the machine": (179, 443, 163, 167, 168, 169, 164, 227, 159, 305, 170, 171, 175, 313, 176, 246, 320, 103, 153,
                        172, 173, 321, 298, 323, 250, 248, 249),
        "clone": (56,), "clone3": (435,), "kill": (62,), "tgkill": (234,), "prctl": (157,), "fcntl": (72,),
        "ioctl": (16,), "prlimit": (302,),
    }),
    "aarch64": (0xC00000B7, 470, {
        "processes and programs": (221, 281),
        "sockets, and rings that make some": (198, 199, 425, 426, 427),
        "other processes": (130, 138, 240, 424, 434, 438, 117, 270, 271, 440, 448, 272),
        "groups and priorities": (157, 154, 140, 30, 119, 118, 274, 122, 238, 239),
        "rights": (146, 144, 145, 143, 147, 149, 151, 152, 159, 91),
        "mounts and namespaces": (40, 39, 41, 51, 97, 268, 442, 429, 428, 430, 431, 432, 433, 467),
        "owners, modes, times, attributes": (52, 53, 452, 55, 54, 88, 5, 6, 7, 14, 15, 16, 463, 466, 469),
        "memory and queues that stay": (194, 196, 186, 190, 180, 181, 447),
        "files without a name": (265, 264, 27, 262, 263),
        "the machine": (60, 443, 89, 224, 225, 142, 170, 112, 171, 266, 161, 162, 105, 273, 106, 104, 294, 116, 58, 280,
                        241, 282, 219, 217, 218),
        "clone": (220,), "clone3": (435,), "kill": (129,), "tgkill": (131,), "prctl": (167,), "fcntl": (25,),
        "ioctl": (29,), "prlimit": (261,),
    }),
}  # fmt: skip
_WITH_ARGUMENTS = ("clone", "clone3", "kill", "tgkill", "prctl", "fcntl", "ioctl", "prlimit")
_THREAD = 0x00010000  # of clone: not a process; Pango looks for fonts in a thread
_OWNERS = (8, 10, 15, 1024, 1026)  # of fcntl: who gets a signal when a pipe has news; leases; news of folders
_TERMINALS = (0x5410, 0x5412, 0x541C, 0x5452, 0x8901, 0x8902)  # of ioctl: typing into a terminal, and owners again

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOWED, _KILLED, _REFUSED = 0x7FFF0000, 0x80000000, 0x00050000 | errno.EPERM
_UNKNOWN = 0x00050000 | errno.ENOSYS  # libraries then take an older call
_NUMBER, _MACHINE, _FIRST, _SECOND = 0, 4, 16, 24  # where the kernel puts them
_OTHER_NUMBERS = 0x40000000  # of x32, a second set of the same calls

_Step = tuple[int, int, int, int]  # code, steps to skip if true, if false, number
_STEP = struct.Struct("=HBBI")


def seccomp() -> bool:
    """Whether this kernel filters calls, and we know the numbers of this machine."""
    return sys.platform == "linux" and platform.machine() in _MACHINES and _libc().prctl(21, 0, 0, 0, 0) >= 0


def _close_calls() -> None:
    if not seccomp():
        return
    packed = _refusals() + _packed(_looked_into(_MACHINES[platform.machine()][2], os.getpid()))
    buffer = ctypes.create_string_buffer(packed, len(packed))

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))

    program = Program(len(packed) // _STEP.size, ctypes.cast(buffer, ctypes.c_void_p))
    _libc().prctl(22, ctypes.c_ulong(2), ctypes.byref(program), 0, 0)


def _packed(steps: Iterable[_Step]) -> bytes:
    return b"".join(_STEP.pack(*step) for step in steps)


@cache
def _refusals() -> bytes:
    return _packed(_refused(*_MACHINES[platform.machine()]))


def _refused(machine: int, end: int, calls: dict[str, tuple[int, ...]]) -> Iterator[_Step]:
    """The first steps, in the kernel's own words: what is refused whoever asks for it."""
    yield from ((_LOAD, 0, 0, _MACHINE), (_EQUAL, 1, 0, machine), (_RETURN, 0, 0, _KILLED), (_LOAD, 0, 0, _NUMBER))
    yield from ((_AT_LEAST, 0, 1, _OTHER_NUMBERS), (_RETURN, 0, 0, _KILLED))
    yield from ((_AT_LEAST, 0, 1, end), (_RETURN, 0, 0, _UNKNOWN))
    for name, numbers in calls.items():
        for number in numbers if name not in _WITH_ARGUMENTS else ():
            yield from _when(number, [(_RETURN, 0, 0, _REFUSED)])


def _looked_into(calls: dict[str, tuple[int, ...]], process: int) -> Iterator[_Step]:
    """The steps after them: what is refused or allowed by its arguments; all else is allowed."""
    one = {name: calls[name][0] for name in _WITH_ARGUMENTS}
    yield from _when(one["clone3"], [(_RETURN, 0, 0, _UNKNOWN)])
    yield from _when(one["clone"], _decided(_FIRST, _ANY_BIT, [_THREAD], _ALLOWED, _REFUSED))
    yield from _when(one["kill"], _decided(_FIRST, _EQUAL, [process], _ALLOWED, _REFUSED))
    yield from _when(one["tgkill"], _decided(_FIRST, _EQUAL, [process], _ALLOWED, _REFUSED))
    yield from _when(one["prlimit"], _decided(_FIRST, _EQUAL, [0, process], _ALLOWED, _REFUSED))
    yield from _when(one["prctl"], _decided(_FIRST, _EQUAL, [_DEATH_SIGNAL], _REFUSED, _ALLOWED))
    yield from _when(one["fcntl"], _decided(_SECOND, _EQUAL, _OWNERS, _REFUSED, _ALLOWED))
    yield from _when(one["ioctl"], _decided(_SECOND, _EQUAL, _TERMINALS, _REFUSED, _ALLOWED))
    yield (_RETURN, 0, 0, _ALLOWED)


def _when(number: int, steps: Sequence[_Step]) -> Iterator[_Step]:
    yield (_EQUAL, 0, len(steps), number)
    yield from steps


def _decided(place: int, test: int, values: Sequence[int], then: int, otherwise: int) -> list[_Step]:
    """One end when the argument at a place is, or has a bit of, one of the values; another when not."""
    tests = [step for value in values for step in ((test, 0, 1, value), (_RETURN, 0, 0, then))]
    return [(_LOAD, 0, 0, place), *tests, (_RETURN, 0, 0, otherwise)]


# ---------------------------------------------------------------- what holds here


def tried(outside: str, parent: int) -> list[str]:
    """In the guarded child: the acts that ought to be refused, and are not. ``outside`` is a file of somebody's."""
    acts = {
        "read files": lambda: os.close(os.open(outside, os.O_RDONLY)),
        "write files": lambda: os.close(os.open(outside, os.O_WRONLY)),
        "use the network": _connect,
        "start programs": _start,
        "signal other programs": lambda: os.kill(parent, 0),
        "fill the disk with temporary files": _find_room,
    }
    return [name for name, act in acts.items() if _succeeds(act)]


def _succeeds(act: object) -> bool:
    try:
        act()  # type: ignore[operator]
        return True
    except OSError:
        return False


def _connect() -> None:
    """Where there is an empty network, not even an address can be found for a packet."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as connection:
        connection.connect(("192.0.2.1", 9))


def _find_room() -> None:
    """More than the small room is there only where no room of its own could be made."""
    disk = os.statvfs(os.environ.get("TMPDIR", "/tmp"))  # noqa: S108
    if disk.f_blocks * disk.f_frsize <= SMALL:
        raise OSError(errno.ENOSPC, "no room")


def _start() -> None:
    if os.fork() == 0:
        os._exit(0)
    os.wait()
