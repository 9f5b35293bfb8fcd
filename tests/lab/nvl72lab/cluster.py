# SPDX-License-Identifier: GPL-2.0-or-later
"""What a test or the demo asks of the cluster that tests/lab/with runs beside it.

Nothing here sleeps for a fixed time: every wait polls for what it waits for.
"""

import os
import re
import subprocess
import time
from contextlib import contextmanager
from dataclasses import dataclass

from . import hostlist, lab_ctl
from .daemons import PATIENCE, wait_until
from .instance import Instance
from .places import LabError
from .site_conf import logical_lines
from .staying import Commands, Result

# Much more than anything takes: only a test that fails waits so long.
WAIT_SECONDS = 120 * int(os.environ.get(PATIENCE, 1))


@dataclass(frozen=True)
class Job:
    """A job as squeue shows it."""

    id: int
    state: str
    nodes: tuple
    reason: str

    @property
    def placed(self):
        """Imaginary nodes never boot: their jobs have nodes and stay CONFIGURING."""
        return self.state in ("RUNNING", "CONFIGURING") and bool(self.nodes)


_COMMANDS = Commands()


def this_instance():
    """The instance that the test runs in."""
    return Instance(os.environ["NVL72BLOCK_LAB_INSTANCE"]).load_release()


def _control(action):
    """lab-ctl in this process: to start another Python costs more than what most of its actions do."""
    try:
        return Result(0, lab_ctl.do(action, this_instance()), "")
    except LabError as error:
        return Result(1, "", f"lab: {error}\n")


def run(*command, environment=None):
    """Runs a command and returns all that it said."""
    if command[0] == "lab-ctl":
        return _control(*command[1:])
    if environment is None and (done := _COMMANDS.run(this_instance(), *command)) is not None:
        return done
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
                          env={**os.environ, **(environment or {})})
    return Result(done.returncode, done.stdout, done.stderr)


def ask(*command):
    """Runs a command that has to succeed and returns its output."""
    result = run(*command)
    if result.code:
        raise LabError(f"{' '.join(command)} ended with {result.code}: {(result.err or result.out).strip()}")
    return result.out


def offer(*options, script="sleep 100000"):
    """sbatch; the job's id, or None where sbatch refuses it, and what sbatch said on its error output."""
    result = run("sbatch", "--parsable", "--output=/dev/null", *options, "--wrap", script)
    return None if result.code else int(result.out.split(";")[0]), result.err.strip()


def submit(*options, script="sleep 100000"):
    """sbatch of a job that has to be accepted; returns its id."""
    number, said = offer(*options, script=script)
    if number is None:
        raise LabError(f"sbatch {' '.join(options)}: {said}")
    return number


def refusal(*options):
    """The message with which sbatch refuses a job; an accepted one is cancelled and answers None."""
    number, said = offer(*options, script="true")
    if number is None:
        return said
    cancel(number)
    return None


def job(number):
    """The job as it is now; a job that is gone has state GONE."""
    shown = run("squeue", "-h", "-j", str(number), "-o", "%A|%T|%N|%r")
    if shown.code or not shown.out.strip():
        return Job(number, "GONE", (), "")
    lines = [line.split("|", 3) for line in shown.out.strip().splitlines()]
    # With the first component of a heterogeneous job squeue shows the others, in any order.
    _, state, nodes, reason = next((line for line in lines if line[0] == str(number)), lines[0])
    return Job(number, state, tuple(hostlist.expand(nodes)), reason)


def comment(number):
    """The job's system_comment, as squeue shows it; empty for none."""
    shown = ask("squeue", "-h", "-j", str(number), "-O", "system_comment:1100").split("\n")[0].strip()
    return "" if shown in ("(null)", "null") else shown


def wait_job(number, condition, what):
    """Waits until condition(job) holds."""
    def look():
        seen = job(number)
        return seen if condition(seen) else None
    try:
        return wait_until(look, WAIT_SECONDS, f"job {number} {what}")
    except LabError as error:
        raise LabError(f"{error}: {job(number)}") from error


def place(*options, **more):
    """Submits a job and waits until it has its nodes."""
    return wait_job(submit(*options, **more), lambda seen: seen.placed, "had nodes")


def place_array(count, *options):
    """Places so many equal jobs, the tasks of an array."""
    number = submit(*options, f"--array=1-{count}")
    wait_until(lambda: not ask("squeue", "-h", "-r", "-t", "pending", "-j", str(number), "-o", "%i").strip(), WAIT_SECONDS,
               f"all tasks of job {number} had nodes")
    return number


def _cycles():
    return int(re.search(r"Total cycles:\s+(\d+)", ask("sdiag"))[1])


def scheduler_pass():
    """Returns when the main scheduler has looked at the whole queue once more."""
    before = _cycles()
    # One cycle may have begun before whatever the caller did last.
    wait_until(lambda: _cycles() >= before + 2, WAIT_SECONDS, "the scheduler had run twice")


def tried(number):
    """The job once the scheduler has judged it: with its nodes, or with what it waits for."""
    seen = wait_job(number, lambda job: job.placed or job.reason not in ("None", ""), "was tried")
    if seen.placed:
        return seen
    # Not judged yet: sbatch tries a job at once only where none stands before it, and says "Priority" of the others.
    scheduler_pass()
    return job(number)


def stays_pending(number):
    """Whether a job still waits after the scheduler has tried it."""
    return tried(number).state == "PENDING"


def cancel(*numbers):
    """Cancels jobs and waits until they have left the queue."""
    ask("scancel", *map(str, numbers))
    for number in numbers:
        wait_job(number, lambda seen: seen.state in ("GONE", "CANCELLED"), "left the queue")


def configuration():
    """The folder of this instance's slurm.conf and topology.conf."""
    return this_instance().conf


def log():
    """slurmctld's log."""
    return this_instance().controller_log


def release():
    """The version's first two numbers, as (25, 5)."""
    return this_instance().release.line()


def read_log(mark=0):
    """What slurmctld's log has gained since it had `mark` characters."""
    return log().read_text("utf-8", "replace")[mark:] if log().exists() else ""


@contextmanager
def login_host():
    """Clients get their credentials from a sackd of their own, as on a host without slurmctld."""
    silent = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(["sackd", "-D"], **silent) as service:
        try:
            wait_until(lambda: run("squeue").code == 0, WAIT_SECONDS, "sackd answered")
            yield
        finally:
            service.terminate()


def write_topology(text):
    """Replaces this instance's topology.conf; slurmctld reads it at the next reconfigure or start."""
    (configuration() / "topology.conf").write_text(text, "utf-8")


def reconfigure():
    """What `scontrol reconfigure` says.

    Slurm loses a request that comes right after a reconfigure that failed: its main loop listens again before it sets `reconfig` back
    (controller.c), so that it logs the signal and never begins, and scontrol gives up. Such a request is made anew.
    """
    mark = log().stat().st_size if log().exists() else 0
    said = run("scontrol", "reconfigure")
    with open(log(), "rb") as stream:  # a long log is not read as a whole
        stream.seek(mark)
        gained = stream.read().decode("utf-8", "replace")
    lost = said.code and "Reconfigure signal" in gained and "Attempting to reconfigure" not in gained
    return run("scontrol", "reconfigure") if lost else said


def use_plugin(name):
    """Changes the TopologyPlugin line; slurmctld reads it at the next start."""
    path = configuration() / "slurm.conf"
    path.write_text(re.sub(r"(?m)^TopologyPlugin=.*$", f"TopologyPlugin={name}", path.read_text("utf-8")), "utf-8")


def restart_with(name):
    """Ends slurmctld in order and starts it with another topology plugin."""
    ask("lab-ctl", "stop")
    use_plugin(name)
    ask("lab-ctl", "start")


def wait_saved(number):
    """Returns when slurmctld has written its jobs, with all that happened to them until now.

    The start of a job by the backfill scheduler alone is written minutes later; an update of a job within seconds.
    """
    state_file = this_instance().state / "job_state"
    begin = time.time()
    saved = set()

    def look():
        # A comment that the job has already would be no change.
        ask("scontrol", "update", f"jobid={number}", f"comment=save-{time.time()}")
        try:
            written = state_file.stat()
        except FileNotFoundError:  # slurmctld removes the old file before it gives the new one its name
            return False
        if written.st_mtime > begin:
            saved.add(written.st_mtime_ns)
        # The writing of the first one may have begun before.
        return len(saved) > 1
    wait_until(look, WAIT_SECONDS, "the jobs were saved")


def blocks():
    """Name and nodes of each block of this instance's topology.conf, in its order."""
    text = (configuration() / "topology.conf").read_text("utf-8")
    fields = [dict(part.split("=", 1) for part in line.split()) for line in logical_lines(text)]
    return {line["BlockName"]: hostlist.expand(line.get("Nodes", "")) for line in fields if "BlockName" in line}


def spread(nodes):
    """How many of the nodes each block holds, blocks without one left out."""
    counts = {name: len(set(members) & set(nodes)) for name, members in blocks().items()}
    return {name: count for name, count in counts.items() if count}
