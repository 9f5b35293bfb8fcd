# SPDX-License-Identifier: GPL-2.0-or-later
"""lab-ctl: what COMMAND can do with the slurmctld beside it."""

import argparse
import os
import shutil
import sys

from . import daemons
from .instance import Instance
from .places import LabError, say


def _restart(instance):
    daemons.kill_controller(instance)
    daemons.start_controller(instance)


def _reconfigure(instance):
    daemons.client(instance, "scontrol", "reconfigure")


def _forget(instance):
    if daemons.running_pid(instance.controller_pid):
        raise LabError("slurmctld is running: end it first")
    for path in instance.state.iterdir():
        # The slurmd's have theirs beside it.
        if path.name.startswith("slurmd-"):
            continue
        shutil.rmtree(path) if path.is_dir() else path.unlink()


ACTIONS = {
    "restart": ("end slurmctld with SIGKILL, then start it", _restart),
    "kill": ("end slurmctld with SIGKILL", daemons.kill_controller),
    "stop": ("end slurmctld in order", daemons.stop_controller),
    "start": ("start slurmctld, wait until it answers", daemons.start_controller),
    "start-in-foreground": ("the same with slurmctld -D", lambda instance: daemons.start_controller(instance, "-D")),
    "reconfigure": ("scontrol reconfigure", _reconfigure),
    "forget": ("empty the state folder of a slurmctld that does not run: its next start is its first", _forget),
    "log": ("print the path of slurmctld's log", lambda instance: instance.controller_log),
    "conf-dir": ("print the folder of slurm.conf and topology.conf, a copy made for this instance",
                 lambda instance: instance.conf),
    "pid": ("print slurmctld's process id", lambda instance: daemons.running_pid(instance.controller_pid)),
    "version": ("print the release of Slurm", lambda instance: instance.release.version),
}


# These tell something; the others do something.
TOLD = ("log", "conf-dir", "pid", "version")


def do(action, instance):
    """What lab-ctl prints for an action."""
    answer = ACTIONS[action][1](instance)
    return f"{answer}\n" if action in TOLD else ""


def main():
    """Entry of the lab-ctl command."""
    parser = argparse.ArgumentParser(prog="lab-ctl", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter,
                                     epilog="\n".join(f"  {name:20} {text}" for name, (text, _) in ACTIONS.items()))
    parser.add_argument("action", choices=ACTIONS)
    action = parser.parse_args().action
    folder = os.environ.get("NVL72BLOCK_LAB_INSTANCE")
    if not folder:
        parser.error("only a command run by tests/lab/with can use this")
    try:
        print(do(action, Instance(folder).load_release()), end="")
    except LabError as error:
        say(error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
