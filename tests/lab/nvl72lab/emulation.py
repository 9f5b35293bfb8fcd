# SPDX-License-Identifier: GPL-2.0-or-later
"""Lets the kernel run aarch64 programs with qemu-user-static.

The kernel's table of such formats is one for the whole machine. An entry with the flag F keeps its interpreter open, so
that it works in every root; it is removed at the end. A machine that has such an entry keeps its own.
"""

import os
import platform
from contextlib import contextmanager
from pathlib import Path

from . import namespace
from .places import LabError

INTERPRETER = "/usr/bin/qemu-aarch64-static"
TABLE = Path("/proc/sys/fs/binfmt_misc")
# The ELF header of a program or shared object for aarch64; the mask leaves out what may differ.
MAGIC = r"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
MASK = r"\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"
FLAGS = "OCF"
OWN = "nvl72block-lab-"


def _runs_already():
    """Whether the machine has an entry that serves every root; another lab's can be gone the next moment."""
    for path in TABLE.iterdir():
        if path.name in ("register", "status") or path.name.startswith(OWN):
            continue
        entry = path.read_text("utf-8")
        # The magic as the kernel prints it: class, byte order, and at its end the machine.
        if entry.startswith("enabled") and "magic 7f454c460201" in entry and "b700" in entry and "F" in _flags(entry):
            return True
    return False


def _flags(entry):
    return next((line.partition(":")[2] for line in entry.splitlines() if line.startswith("flags:")), "")


def _can_run():
    return platform.machine() == "aarch64"


@contextmanager
def aarch64():
    """aarch64 programs run; to be called in a mount namespace of its own."""
    if _can_run():
        yield
        return
    if not (TABLE / "register").exists():
        namespace.mount("binfmt_misc", TABLE, "binfmt_misc")
    if _runs_already():
        yield
        return
    if not os.access(INTERPRETER, os.X_OK):
        raise LabError(f"{INTERPRETER} is missing (apt-get install qemu-user-static)")
    entry = TABLE / f"{OWN}{os.getpid()}-{os.stat('/proc/self/ns/pid').st_ino}"
    (TABLE / "register").write_text(f":{entry.name}:M::{MAGIC}:{MASK}:{INTERPRETER}:{FLAGS}", "ascii")
    try:
        yield
    finally:
        entry.write_text("-1", "ascii")
