# SPDX-License-Identifier: GPL-2.0-or-later
"""The plugin built with a sanitizer, in a Slurm that is built without: run-tests --sanitizer address|thread.

The sanitizer's library is loaded into daemons and clients first, so that it sees all memory; it checks what the plugin's own code does with
it. A report ends the program, and fails the test. tests/coverage builds the plugin in the same way with a compiler that counts which lines run.
"""

import os
import re

ADDRESS, THREAD, COVERAGE = "address", "thread", "coverage"
KINDS = (ADDRESS, THREAD)
CHOSEN = "NVL72BLOCK_LAB_SANITIZER"  # environment: one of KINDS, or COVERAGE
COVERAGE_FLAGS = "--coverage -fprofile-update=atomic"
OURS = "nvl72block"  # in the names of files and functions
REPORT = "sanitizer"  # in an instance's folder of logs, with a process id behind it
_LIBRARY = {ADDRESS: "libasan.so.8", THREAD: "libtsan.so.2"}
_FLAGS = {ADDRESS: "-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer",
          THREAD: "-fsanitize=thread -fno-omit-frame-pointer",
          COVERAGE: COVERAGE_FLAGS}
# No search for leaks: slurmctld itself frees little of its memory when it ends.
_OPTIONS = {ADDRESS: "detect_leaks=0:abort_on_error=1:detect_stack_use_after_return=1",
            # Slurm's own reports come first, and end nothing.
            THREAD: "halt_on_error=0:exitcode=0:detect_deadlocks=0:report_signal_unsafe=0:die_after_fork=0:"
                    "handle_segv=0"}


def chosen():
    """The sanitizer that the tests run with, or None."""
    return os.environ.get(CHOSEN) or None


def flags():
    """For the compiler."""
    return f"{'-O0' if chosen() == COVERAGE else '-O1'} -g1 {_FLAGS[chosen()]}"


def preload(*more):
    """The variable for each program that loads the plugin, daemons and clients: the sanitizer comes before other libraries."""
    libraries = [*([_LIBRARY[chosen()]] if chosen() in _LIBRARY else []), *map(str, more), *filter(None, [os.environ.get("LD_PRELOAD")])]
    return {"LD_PRELOAD": ":".join(libraries)} if libraries else {}


def options(log):
    """How the sanitizer behaves, whatever program it is in; it reports into the folder `log`."""
    if chosen() not in KINDS:
        return {}
    text = f"log_path={log / REPORT}:{_OPTIONS[chosen()]}"
    return {"ASAN_OPTIONS": text, "TSAN_OPTIONS": text, "UBSAN_OPTIONS": f"log_path={log / REPORT}:print_stacktrace=1:abort_on_error=1"}


def reports(instance):
    """What it has reported: of the plugin, and of Slurm alone."""
    texts = [text for path in sorted(instance.log.glob(f"{REPORT}.*"))
             for text in re.split(r"(?m)^={18}$", path.read_text("utf-8", "replace")) if text.strip()]
    return [text for text in texts if OURS in text], [text for text in texts if OURS not in text]
