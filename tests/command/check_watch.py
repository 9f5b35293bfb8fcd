#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""`nvl72block show --watch` on a terminal: draws again, follows the terminal's size, and leaves the terminal as it was."""

import fcntl
import os
import pathlib
import pty
import select
import signal
import struct
import sys
import tempfile
import termios
import time

ENTER, LEAVE = b"\x1b[?1049h", b"\x1b[?1049l"
SHOW_CURSOR = b"\x1b[?25h"
PATIENCE = 60


class Terminal:
    """The command on a terminal of its own."""

    def __init__(self, command, rows=40, columns=100):
        self.said = b""
        self.child, self.master = pty.fork()
        if self.child == 0:
            os.environ["TERM"] = "xterm"
            os.execv(command[0], command)
        self.resize(rows, columns)

    def resize(self, rows, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read_until(self, wanted, start=0):
        """Reads on until `wanted` was written after position `start`."""
        end = time.monotonic() + PATIENCE
        while wanted not in self.said[start:]:
            ready, _, _ = select.select([self.master], [], [], max(0, end - time.monotonic()))
            assert ready, f"{wanted!r} did not come; the command wrote {self.said!r}"
            try:
                self.said += os.read(self.master, 65536)
            except OSError:
                break
        assert wanted in self.said[start:], f"{wanted!r} is not in {self.said!r}"

    def end(self):
        """Its status, after everything that it wrote was read."""
        self._read_all()
        _, status = os.waitpid(self.child, 0)
        # Linux may tell the reader of the end (EIO) before it hands out what was written last; once the process has ended, nothing
        # is on its way.
        self._read_all()
        os.close(self.master)
        return status

    def _read_all(self):
        try:
            while data := os.read(self.master, 65536):
                self.said += data
        except OSError:
            pass


def check_ends(command, how, status):
    terminal = Terminal(command)
    terminal.read_until(b"Ctrl-C ends")
    terminal.read_until(b"4 free")
    how(terminal)
    ended = terminal.end()
    assert os.WIFEXITED(ended) and os.WEXITSTATUS(ended) == status, (ended, terminal.said)
    assert terminal.said.count(ENTER) == terminal.said.count(LEAVE) == 1, terminal.said
    assert terminal.said.rindex(LEAVE) > terminal.said.rindex(SHOW_CURSOR) > terminal.said.index(ENTER), terminal.said


def check_ends_while_it_draws(command):
    """A signal during a write: that drawing and what restores the terminal are written nevertheless."""
    terminal = Terminal(command, rows=10000)
    terminal.read_until(ENTER)
    # Nothing is read any more, and the drawing is longer than what a terminal holds: it sleeps in its write. The first signal
    # may find a part of it written, the others none.
    for _ in range(3):
        while pathlib.Path(f"/proc/{terminal.child}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "S":
            time.sleep(0.01)
        os.kill(terminal.child, signal.SIGTERM)
    ended = terminal.end()
    assert ended == 0 and len(terminal.said) > 200_000 and terminal.said.endswith(LEAVE), (ended, terminal.said[-1000:])


def check_draws_again(command, topology):
    terminal = Terminal(command)
    terminal.read_until(b"4 free")
    mark = len(terminal.said)
    topology.write_text("BlockName=b Nodes=n[1-3]\n", "utf-8")
    terminal.read_until(b"3 free", mark)
    # What is wrong with the file meanwhile is shown, and ends nothing.
    mark = len(terminal.said)
    topology.write_text("BlockNam=b Nodes=n[1-3]\n", "utf-8")
    terminal.read_until(b"write BlockName", mark)
    mark = len(terminal.said)
    topology.write_text("BlockName=b Nodes=n[1-4]\n", "utf-8")
    terminal.resize(4, 60)
    terminal.read_until(b"more lines; the terminal is too small", mark)
    os.write(terminal.master, b"\x03")
    assert terminal.end() == 0


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        topology = pathlib.Path(folder) / "topology.conf"
        topology.write_text("BlockName=b Nodes=n[1-4]\n", "utf-8")
        command = [program, "show", "--topology", str(topology), "--watch", "1"]
        check_ends(command, lambda terminal: os.write(terminal.master, b"\x03"), 0)
        check_ends(command, lambda terminal: os.kill(terminal.child, signal.SIGTERM), 0)
        check_draws_again(command, topology)
        racks = [f"BlockName=b{rack} Nodes=n[{rack * 18 + 1}-{rack * 18 + 18}]\n" for rack in range(5000)]
        topology.write_text("".join(racks), "utf-8")
        check_ends_while_it_draws(command)
        # An error before the first drawing is an ordinary one: the terminal is not touched.
        topology.write_text("nothing\n", "utf-8")
        terminal = Terminal(command)
        status = terminal.end()
        assert os.WEXITSTATUS(status) == 2 and ENTER not in terminal.said, (status, terminal.said)


if __name__ == "__main__":
    main()
