# SPDX-License-Identifier: GPL-2.0-or-later
"""Faults that are planted into what ours answers, to see that they are found and reduced."""

from dataclasses import replace

from . import seen
from .requests import value

MOST_LINES = 5  # of sbatch, of a reduced failure


class Planted:
    """A runner of trio.py whose plugin has one of FAULTS."""

    def __init__(self, runner, fault):
        self.runner, self.fault = runner, FAULTS[fault][0]
        self.nodes, self.busy = [], {}

    def tell(self, action, *arguments):
        """The runner's answer, with the fault."""
        answer = self.runner.tell(action, *arguments)
        if action == "open":
            self.nodes, self.busy = arguments[0].nodes(), {}
        elif action == "place":
            self.busy = {part.nodes[0]: part.places[0][1] for _, part in answer if part.places}
        elif action in ("attempt", "reserve"):
            return self.fault(self, answer, arguments[0])
        return answer

    def end(self):
        """As the runner."""
        self.runner.end()


def _held(_, answer, options):
    """A job with --cpus-per-task is held, as Slurm holds one that no configuration could start."""
    if not answer.started or value(options, "-c") is None:
        return answer
    part = seen.Part(seen.HELD, "BadConstraints")
    return replace(answer, kind=seen.HELD, parts=(part,) * len(answer.parts))


def _size(planted, answer, options):
    """A job with --gres has a node more than its -N."""
    others = [node for node in planted.nodes if node not in answer.nodes]
    if not answer.started or len(answer.parts) != 1 or not others or value(options, "--gres") is None or value(options, "-N") is None:
        return answer
    first = answer.parts[0]
    return replace(answer, parts=(replace(first, nodes=(*first.nodes, others[0])),))


def _forecast(_, answer, options):
    """A job with --mem is forecast for later, though it starts."""
    if not answer.started or answer.forecast != seen.STARTED or value(options, "--mem") is None:
        return answer
    return replace(answer, forecast=seen.LATER)


def _stray(planted, answer, _):
    """A job on a node with another one has the CPUs of that one, too."""
    def with_others(part):
        places = tuple((names, f"{ids},{planted.busy[names]}" if names in planted.busy else ids, gres) for names, ids, gres in part.places)
        return replace(part, places=places)
    return replace(answer, parts=tuple(with_others(part) for part in answer.parts))


def _reservation(_, answer, options):
    """A reservation of a number of nodes is not made."""
    if not answer.started or value(options, "NodeCnt") is None:
        return answer
    return replace(answer, kind=seen.REFUSED, parts=(), message="planted")


def _log(_, answer, options):
    """slurmctld logs an error for a job with --distribution."""
    wanted = value(options, "--distribution") is not None
    return replace(answer, errors=(*answer.errors, "error: planted: no such distribution")) if wanted else answer


FAULTS = {  # each with what is told of it
    "held": (_held, "ours does not (held)"),
    "size": (_size, " nodes"),
    "forecast": (_forecast, "forecast: later, then started"),
    "stray-cpu": (_stray, "has CPUs of another job"),
    "reservation": (_reservation, "the reservation, ours does not"),
    "log": (_log, "slurmctld's log: error: planted"),
}


def sbatch_lines(files):
    """How many jobs the reduced commands submit."""
    return sum(line.startswith("sbatch ") and "--test-only" not in line for line in files["commands"].splitlines())


def verdict(fault, total, tell):
    """What is wrong with how a run found its planted fault; "" if nothing. Tells the smallest reproducer."""
    meant = [failure for failure in total.reduced if any(FAULTS[fault][1] in words for words in failure.faults)]
    if not meant:
        return f"{fault}: not found among {total.counts['requests']} requests"
    small = min(meant, key=lambda failure: (sbatch_lines(failure.files()), len(str(failure.request))))
    lines = sbatch_lines(small.files())
    tell(f"{fault}: {small.faults[0]}\n{small.files()['commands']}")
    return f"{fault}: reduced to {lines} lines of sbatch only" if lines > MOST_LINES else ""
