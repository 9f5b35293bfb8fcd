# SPDX-License-Identifier: GPL-2.0-or-later
"""A slurmctld that does not make its clients wait, and Slurm's commands beside it that stay."""

import os
import re
import socket
import struct
import subprocess

from nvl72lab import daemons
from nvl72lab.cluster import Result
from nvl72lab.places import LabError

from . import preload

COMMANDS = ("sbatch", "scancel", "scontrol")
PASS_SECONDS = 120  # without an answer, slurmctld hangs
END_SECONDS = 5  # between a connection's end and slurmctld's, whose memory is dumped
BROKEN = re.compile("Unable to contact|Zero Bytes|authentication|Socket timed out|Connection|Unexpected message")
HEAD = struct.Struct("=III")


class Gone(LabError):
    """slurmctld has ended, or no longer answers."""


class Command:
    """One of Slurm's commands as a process that stays (stay.c)."""

    def __init__(self, instance, program):
        # sbatch sends its environment with each job.
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            preload.command(instance.release, preload.STAY, program), env={"SLURM_CONF": str(instance.slurm_conf)},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(self, *arguments):
        """What the command prints with these arguments, and its exit status."""
        text = b"".join(os.fsencode(argument) + b"\0" for argument in arguments)
        self.process.stdin.write(struct.pack("=I", len(text)) + text)
        self.process.stdin.flush()
        code, *sizes = HEAD.unpack(self._read(HEAD.size))
        return Result(code, *(self._read(size).decode("utf-8", "replace") for size in sizes))

    def read_again(self):
        """slurm.conf is another one from now on."""
        self.process.stdin.write(struct.pack("=I", 0))
        self.process.stdin.flush()

    def _read(self, size):
        found = self.process.stdout.read(size)
        if len(found) < size:
            raise LabError("a command of Slurm that should stay has ended")
        return found


class Slurmctld:
    """One that runs, from a start without any state to kill(); `commands` are told its slurm.conf."""

    def __init__(self, instance, commands):
        self.instance, self.commands, self.path = instance, commands, instance.run / "passes"
        for command in commands.values():
            command.read_again()
        self.path.unlink(missing_ok=True)
        with open(instance.controller_output, "ab") as output:
            self.process = subprocess.Popen(  # pylint: disable=consider-using-with
                preload.command(instance.release, preload.PASS, "slurmctld", "-D"), stdin=subprocess.DEVNULL, stdout=output,
                stderr=output, env={**instance.environment(), "PARITY_PASSES": str(self.path)})
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PASS_SECONDS)
        daemons.wait_until(self._connected, daemons.START_SECONDS, "slurmctld's schedulers ran")
        daemons.wait_until(lambda: "is UP" in self.run("scontrol", "ping").out, daemons.START_SECONDS, "slurmctld answered")

    def _connected(self):
        if not self.lives():
            raise LabError(f"slurmctld did not start; its log ends with:{daemons.tail(self.instance.controller_log)}")
        try:
            self.socket.connect(str(self.path))
        except OSError:
            return False
        return True

    def lives(self):
        """Whether it runs."""
        return self.process.poll() is None

    def run(self, program, *arguments):
        """Runs one of COMMANDS; raises Gone where slurmctld ended meanwhile."""
        if not self.lives():
            raise Gone("slurmctld ended after the request before this one")
        result = self.commands[program].run(*arguments)
        if result.code and BROKEN.search(result.err):
            self._expect_end()
        return result

    def _expect_end(self):
        try:
            self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            return
        raise Gone("slurmctld ended")

    def wait_pass(self, scheduler=b"m"):
        """Returns when the main scheduler (or backfill, b"b") has looked at the queue, from now on."""
        try:
            self.socket.sendall(scheduler)
            if self.socket.recv(1) != scheduler:
                raise Gone("slurmctld ended")
        except OSError as error:
            raise Gone(f"slurmctld's scheduler does not answer: {error}") from error

    def kill(self):
        """Ends it, in whatever state it is."""
        self.process.kill()
        self.process.wait()
        self.socket.close()
