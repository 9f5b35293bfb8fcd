# SPDX-License-Identifier: GPL-2.0-or-later
"""Slurm's commands as processes that stay (stay.c): what a call costs otherwise is shells, chroot, linking and slurm.conf."""

import os
import struct
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path

from . import preload, sanitizer
from .places import LabError

LIBRARY = Path(__file__).parent / "stay.c"
PROGRAMS = ("sbatch", "scancel", "scontrol", "sdiag", "sinfo", "squeue")
HEAD = struct.Struct("=III")
NOT_POSSIBLE = 0xffffffff  # in place of an exit status: slurm.conf could not be read
READ_AGAIN = 0xffffffff  # in place of a length


@dataclass(frozen=True)
class Result:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str


class Command:
    """One of Slurm's commands; its environment is `environment` and SLURM_CONF."""

    def __init__(self, instance, program, environment=None):
        self.conf = instance.slurm_conf
        self.read = self._state()
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            instance.release.command_with(preload.library(LIBRARY), program), env={**(environment or {}), "SLURM_CONF": str(self.conf)},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def _state(self):
        status = self.conf.stat()
        return status.st_mtime_ns, status.st_size, status.st_ino

    def run(self, *arguments):
        """What the command prints with these arguments, and its exit status."""
        state = self._state()
        if state != self.read:
            self.read = state
            self._write(READ_AGAIN)
        text = b"".join(os.fsencode(argument) + b"\0" for argument in arguments)
        self._write(len(text), text)
        code, *sizes = HEAD.unpack(self._read(HEAD.size))
        return Result(code, *(self._read(size).decode("utf-8", "replace") for size in sizes))

    def _write(self, number, text=b""):
        self.process.stdin.write(struct.pack("=I", number) + text)
        self.process.stdin.flush()

    def _read(self, size):
        found = self.process.stdout.read(size)
        if len(found) < size:
            raise LabError("a command of Slurm that should stay has ended")
        return found


class Commands:
    """Those of this process's instance, as they are called for the first time."""

    def __init__(self):
        self.lock, self.known, self.surroundings = threading.Lock(), {}, None

    def run(self, instance, program, *arguments):
        """The command's result, or None where it has to be a process of its own: beside another call, or for a slurm.conf that is wrong."""
        if program not in PROGRAMS or "LD_PRELOAD" in os.environ or sanitizer.chosen() or instance.release.cross_root:
            return None
        if not self.lock.acquire(False):
            return None
        try:
            result = self._command(instance, program).run(*map(str, arguments))
            return None if result.code == NOT_POSSIBLE else result
        except (LabError, OSError):
            self.known.pop(program, None)
            return None
        finally:
            self.lock.release()

    def _command(self, instance, program):
        surroundings = (os.getcwd(), dict(os.environ), instance.folder)
        if surroundings != self.surroundings:
            self.known, self.surroundings = {}, surroundings
        if program not in self.known:
            self.known[program] = Command(instance, program, os.environ)
        return self.known[program]
