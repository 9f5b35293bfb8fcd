# SPDX-License-Identifier: GPL-2.0-or-later
"""slurmctld's memory: what it has allocated, and what is resident."""

import contextlib
import os
import re
import shutil
import struct
import time
from pathlib import Path
from unittest import mock

from nvl72lab import preload, sanitizer
from nvl72lab.cluster import this_instance

COUNTER = Path(__file__).with_name("heap.c")


def _folder():
    return this_instance().folder / "heap"


def counted():
    """As long as this is open, a slurmctld that starts counts; not with a sanitizer, which has an allocator of its own."""
    if sanitizer.chosen():
        return contextlib.nullcontext()
    shutil.rmtree(_folder(), ignore_errors=True)
    _folder().mkdir()
    return mock.patch.dict(os.environ, LD_PRELOAD=str(preload.library(COUNTER)), NVL72BLOCK_HEAP=str(_folder()))


def allocated(pid):
    """KiB, or None where it does not count."""
    try:
        return struct.unpack("l", (_folder() / str(pid)).read_bytes())[0] // 1024
    except (OSError, struct.error):
        return None


def resident(pid):
    """KiB, or None if it is gone."""
    try:
        return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text("ascii", "replace"))[1])
    except OSError:
        return None


def least(pid, seconds):
    """KiB, within so many seconds; whether they are what it has allocated, which a slurmctld that does not count cannot tell."""
    counted = allocated(pid) is not None
    end, seen = time.monotonic() + seconds, []
    while not seen or time.monotonic() < end:
        seen.append(allocated(pid) if counted else resident(pid))
        time.sleep(min(1, seconds))
    return min(seen), counted
