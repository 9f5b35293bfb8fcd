# SPDX-License-Identifier: GPL-2.0-or-later
"""A slurmctld that does not make its clients wait, and Slurm's commands beside it that stay."""

import re
import socket
import subprocess

from nvl72lab import daemons, preload
from nvl72lab.places import PROJECT, LabError

PASS = PROJECT / "tests/parity/pass.c"
COMMANDS = ("sbatch", "scancel", "scontrol")
PASS_SECONDS = 120  # without an answer, slurmctld hangs
END_SECONDS = 5  # between a connection's end and slurmctld's, whose memory is dumped
BROKEN = re.compile("Unable to contact|Zero Bytes|authentication|Socket timed out|Connection|Unexpected message")


class Gone(LabError):
    """slurmctld has ended, or no longer answers."""


class Slurmctld:
    """One that runs, from a start without any state to kill()."""

    def __init__(self, instance, commands):
        self.instance, self.commands, self.path = instance, commands, instance.run / "passes"
        self.path.unlink(missing_ok=True)
        with open(instance.controller_output, "ab") as output:
            self.process = subprocess.Popen(  # pylint: disable=consider-using-with
                instance.release.command_with(preload.library(PASS), "slurmctld", "-D"), stdin=subprocess.DEVNULL, stdout=output,
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
