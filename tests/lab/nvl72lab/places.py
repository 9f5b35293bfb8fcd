# SPDX-License-Identifier: GPL-2.0-or-later
"""Where the lab keeps things, and how it speaks and gives up."""

import fcntl
import os
import sys
from contextlib import contextmanager
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[3]
LAB = Path(os.environ.get("NVL72BLOCK_LAB_ROOT") or PROJECT / "build" / "lab").absolute()
ROOT = LAB / "root"
INSTANCES = LAB / "instances"
# Plugin builds belong to the checkout, not to the root: several checkouts may share one root.
PLUGIN_BUILDS = PROJECT / "build" / "lab-plugin"
NOTE = "note: "  # begins a line that is shown although the test passes


class LabError(Exception):
    """Something the user can act on: printed without a traceback."""


def say(text):
    """Progress goes to stderr, so that COMMAND's output stays clean."""
    print(f"lab: {text}", file=sys.stderr, flush=True)


@contextmanager
def locked(path, waiting_for):
    """Holds an exclusive lock on a file; says so when another process has it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a", encoding="utf-8") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"waiting for another lab process: {waiting_for}")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
