# SPDX-License-Identifier: GPL-2.0-or-later
"""Starts, watches and stops an instance's slurmctld and slurmd's."""

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

from . import sanitizer, site_conf
from .places import LabError, say

START_SECONDS = 180
STOP_SECONDS = 180
CLOSING_SECONDS = 45  # when the test has its verdict
REGISTER_SECONDS = 20  # of a node; REGISTRATIONS are tried
REGISTRATIONS = 3
REGISTERED = ("idle", "mix", "alloc")  # states of nodes whose slurmd has, as sinfo prints them
EMULATED = 6  # times as long as on this machine's own architecture
PATIENCE = "NVL72BLOCK_LAB_PATIENCE"  # tells tests how many times as long


def patience(instance):
    """How many times as long as usual this instance may take."""
    return EMULATED if instance.release.cross_root else 1


def tail(path, lines=25):
    """The last lines of a log, indented for a message."""
    try:
        text = path.read_text("utf-8", "replace").splitlines()
    except OSError:
        text = ["(no log)"]
    # One line per node, and no help.
    text = [line for line in text if "Ignoring file-less GPU" not in line]
    return "".join(f"\n  {line}" for line in text[-lines:])


def wait_until(condition, seconds, what):
    """Polls until condition() is true; its last value is returned."""
    end = time.monotonic() + seconds
    pause = 0.01
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > end:
            raise LabError(f"waited {seconds} s in vain until {what}")
        time.sleep(pause)
        pause = min(pause * 1.5, 0.25)


def client(instance, *command):
    """Output of a Slurm client command; raises when it fails."""
    result = subprocess.run(instance.release.command(*command), env=instance.environment(), capture_output=True,
                            text=True, check=False)
    if result.returncode:
        raise LabError(f"{' '.join(command)}: {(result.stderr or result.stdout).strip()}")
    return result.stdout


def _lives(pid):
    """Whether a thread of the process is left.

    The first thread of a killed process can be a zombie while others still hold the files, the listening socket among
    them: a slurmctld started then ends with "Address already in use".
    """
    try:
        state = Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rsplit(")", 1)[1].split()[0]
        return state != "Z" or len(os.listdir(f"/proc/{pid}/task")) > 1
    except OSError:
        return False


def running_pid(path):
    """The process that a pid file names, if it lives. Pids are the instance's own, so no stranger can have it."""
    try:
        pid = int(path.read_text("ascii"))
        os.kill(pid, 0)
    except (OSError, ValueError):
        return None
    return pid if _lives(pid) else None


def _spawn(instance, output, program, *arguments, library=None, environment=None):
    # A session of its own: a terminal's Ctrl-C is for COMMAND, not for the daemons.
    line = instance.release.command_with(library, program, *arguments) if library else instance.release.command(program, *arguments)
    with open(output, "ab") as stream:
        return subprocess.Popen(line, env={**instance.environment(), **sanitizer.preload(), **(environment or {})},
                                stdin=subprocess.DEVNULL, stdout=stream, stderr=stream, start_new_session=True)


def _host(pid):
    """The host that a process runs on, if the lab has made it one."""
    return os.readlink(f"/proc/{pid}/ns/uts")


def _controllers():
    """The slurmctld processes of this instance: /proc shows no others but a backup, which has a host name of its own."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            name = (path / "comm").read_text("ascii").strip()
            if name in ("slurmctld", "slurmctld-wlm") and _host(path.name) == _host("self") and _lives(int(path.name)):
                found.append(int(path.name))
        except OSError:
            continue
    return found


def _none_left():
    # A look in the middle of a daemon's fork sees neither parent nor child: hence several.
    for _ in range(5):
        if _controllers():
            return False
        time.sleep(0.02)
    return True


def _kill_controllers():
    for pid in _controllers():
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return _none_left()


def _answers(instance, launcher):
    if launcher.poll() is not None and (launcher.returncode or _none_left()):
        raise LabError(f"slurmctld did not start; its log ends with:{tail(instance.controller_log)}"
                       f"{tail(instance.controller_output) if launcher.returncode else ''}")
    ping = subprocess.run(instance.release.command("scontrol", "ping"), env=instance.environment(),
                          capture_output=True, text=True, check=False)
    return "is UP" in ping.stdout and running_pid(instance.controller_pid)


def start_controller(instance, *options, library=None, environment=None):
    """Starts slurmctld, as a daemon unless the options say otherwise, and returns when it answers.

    In the foreground (-D) it replaces itself at a reconfigure, and another one goes on only where it can start.
    """
    if _controllers():
        raise LabError("slurmctld is running already")
    instance.answered.unlink(missing_ok=True)
    launcher = _spawn(instance, instance.controller_output, "slurmctld", *options, library=library, environment=environment)
    try:
        wait_until(lambda: _answers(instance, launcher), START_SECONDS * patience(instance), "slurmctld answered")
    except LabError as error:
        if not _controllers():
            raise
        _kill_controllers()
        raise LabError(f"{error}; its log ends with:{tail(instance.controller_log)}") from error
    instance.answered.touch()


def _threads(pid):
    """What each thread of a process waits in, for a message: its name, state, and the kernel's function."""
    lines = []
    for task in sorted(Path(f"/proc/{pid}/task").glob("*")):
        try:
            name, place = (task / "comm").read_text("ascii").strip(), (task / "wchan").read_text("ascii")
            lines.append(f"\n  thread {task.name} {name}: {(task / 'stat').read_text('ascii').rsplit(')', 1)[1].split()[0]} in {place}")
        except OSError:
            continue  # it ended
    return "".join(lines)


def _end(pid_file, number, seconds=STOP_SECONDS, log=None):
    pid = running_pid(pid_file)
    if pid is None:
        return
    # Removed first: an end that was asked for is no crash.
    pid_file.unlink(missing_ok=True)
    os.kill(pid, number)
    alive = pid_file.with_suffix(".ending")
    alive.write_text(str(pid), "ascii")
    try:
        wait_until(lambda: running_pid(alive) is None, seconds, f"{pid_file.stem} ended")
    except LabError as error:
        threads = _threads(pid)
        os.kill(pid, signal.SIGKILL)
        raise LabError(f"{error}: its threads{threads}{f'; its log ends with:{tail(log)}' if log else ''}") from error
    finally:
        alive.unlink()
        pid_file.unlink(missing_ok=True)


def kill_controller(instance):
    """SIGKILL, as a crash would be. There are two daemons while a reconfigure replaces one with the other."""
    killing = instance.controller_pid.with_suffix(".killing")
    killing.touch()  # the second one may write its number after that of the first was removed
    try:
        _end(instance.controller_pid, signal.SIGKILL)
        wait_until(_kill_controllers, STOP_SECONDS, "all of slurmctld was killed")
        instance.controller_pid.unlink(missing_ok=True)
    finally:
        killing.unlink()


def is_killed(instance):
    """Whether slurmctld is being killed right now."""
    return instance.controller_pid.with_suffix(".killing").exists()


def stop_controller(instance, seconds=STOP_SECONDS):
    """An orderly end, state saved."""
    _end(instance.controller_pid, signal.SIGTERM, seconds * patience(instance), instance.controller_log)


def stop_compute(instance):
    """An orderly end of all slurmd's; jobs that run are left alone."""
    for path in instance.run.glob("slurmd-*.pid"):
        _end(path, signal.SIGTERM, STOP_SECONDS * EMULATED)


def _node_states(instance, nodes):
    lines = client(instance, "sinfo", "-h", "-N", "-n", ",".join(nodes), "-o", "%N %t").split("\n")
    return dict(line.split() for line in lines if line.strip())


def start_slurmd(instance, node):
    """Starts a node's slurmd in the foreground."""
    (instance.state / f"slurmd-{node}").mkdir(exist_ok=True)
    return _spawn(instance, instance.log / f"slurmd-{node}.out", "slurmd", "-D", "-N", node)


def _silent(instance, nodes):
    return [node for node, state in _node_states(instance, nodes).items() if state not in REGISTERED]


def start_compute(instance, compute=None):
    """Starts the slurmd's that slurm.conf asks for and returns when all their nodes have registered.

    `compute` is the same instance with another Slurm, whose slurmd's are started.
    """
    wanted = site_conf.real_nodes(instance.slurm_conf.read_text("utf-8"))
    if wanted:
        start_slurmds(instance, client(instance, "scontrol", "show", "hostnames", ",".join(wanted)).split(), compute or instance)


def start_slurmds(instance, nodes, compute):
    """Starts these nodes' slurmd's, of the instance `compute`, and returns when they have registered."""
    say(f"starting {len(nodes)} slurmd's")
    started = {node: start_slurmd(compute, node) for node in nodes}
    for _ in range(REGISTRATIONS - 1):
        try:
            wait_until(lambda: not _silent(instance, nodes), REGISTER_SECONDS * patience(compute), "all nodes had registered")
            return
        except LabError:
            # On a busy machine a registration gets lost now and then; slurmctld would ask again after minutes only.
            for node in _silent(instance, nodes):
                say(f"{node} has not registered: starting its slurmd once more")
                started[node].kill()
                started[node].wait()
                started[node] = start_slurmd(compute, node)
    try:
        wait_until(lambda: not _silent(instance, nodes), START_SECONDS * patience(compute), "all nodes had registered")
    except LabError as error:
        silent = _silent(instance, nodes) or nodes
        raise LabError(f"{error}: {_node_states(instance, nodes)}{tail(instance.log / f'slurmd-{silent[0]}.log')}"
                       ) from error
