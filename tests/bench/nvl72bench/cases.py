# SPDX-License-Identifier: GPL-2.0-or-later
"""What is asked of both plugins: a state, a request, a name."""

import random
from dataclasses import dataclass

from .clusters import BY_GPU, MIXED, QUEUES, RACK, UNIFORM, name

JOBS = 100  # of the queue

IDLE, FRAGMENTED, ONE_OUT = "idle", "3 of 18 drained in each rack", "1 of 18 drained in each rack"
DRAINED = {IDLE: None, FRAGMENTED: (1, 3), ONE_OUT: (1, 1)}  # nodes of each rack, from 1


@dataclass(frozen=True)
class Case:
    """One request on one state of a cluster."""

    state: str
    options: tuple
    kind: str = UNIFORM  # of cluster

    @property
    def title(self):
        """As a user would type it."""
        return " ".join(self.options)

    @property
    def group(self):
        """The state, and what is special about the cluster."""
        return f"{self.state}, {self.kind}" if self.kind else self.state


def _plain(state, *counts):
    return [Case(state, (f"-N{count}",)) for count in counts]


def _segments(state, *pairs, kind=UNIFORM):
    return [Case(state, (f"-N{count}", f"--segment={size}"), kind) for count, size in pairs]


def _without_count(*states):
    """Jobs on shared nodes whose node count follows from their tasks, CPUs or GPUs."""
    requests = (("-n64", "--gpus-per-node=1"), ("-n5040",), ("--gpus=140",))
    return [Case(state, ("-p", "shared", *options), BY_GPU) for state in states for options in requests]


def _with(state, nodes, *more):
    return Case(state, (f"-N{nodes}", *more))


def all_cases(nodes):
    """Every case of a cluster of so many nodes, cases of one state together."""
    half = nodes // 2
    idle = _plain(IDLE, 1, 4, 16, 18, 20, 64, 1152, half)
    idle += _segments(IDLE, (16, 16), (64, 16), (1152, 16), (576, 1), (half, 1), (nodes, 18))
    idle += [_with(IDLE, 16, "--gres=gpu:4"), _with(IDLE, 64, "--segment=16", "--gres=gpu:4"),
             _with(IDLE, 1152, "--gres=gpu:4"), _with(IDLE, 576, "--segment=1", "--gres=gpu:4"),
             _with(IDLE, 16, "--exclusive=topo"), _with(IDLE, 64, "--segment=16", "--exclusive=topo")]
    fragmented = _plain(FRAGMENTED, 1, 15, 16, 20, 1152)
    fragmented += _segments(FRAGMENTED, (16, 16), (64, 16), (1152, 16), (576, 1), (half, 1))
    fragmented.append(_with(FRAGMENTED, 16, "--gres=gpu:4"))
    one_out = [_with(ONE_OUT, 18, "-w", name(2)), Case(ONE_OUT, ("-N18-36",)), *_plain(ONE_OUT, 17, 18)]
    mixed = [Case(FRAGMENTED, ("-N16",), MIXED), *_segments(FRAGMENTED, (16, 16), (64, 16), (1152, 16), kind=MIXED)]
    # A cluster may be too small for a case, and two may coincide.
    fitting = [case for case in idle + fragmented + one_out + mixed + _without_count(IDLE, ONE_OUT) if _count(case.options) <= nodes]
    return list(dict.fromkeys(fitting))


def _count(options):
    """Nodes that the request names, if it does."""
    named = [option for option in options if option.startswith("-N")]
    return int(named[0][2:].split("-")[0]) if named else 0


def fits(options, nodes):
    """Whether the cluster could ever hold the job, in segments of 16 too: else it would be refused at submission."""
    return _count(options) <= nodes * 16 // RACK


def queue(nodes):
    """Options of the mixed jobs, in the order of submission; each partition gets its tenth."""
    kinds = [("-N1",), ("-N4",), ("-N16",), ("-N18",), ("-N20",), ("-N64",), ("-N1152",), ("-N64", "--segment=16"),
             ("-N1152", "--segment=16"), ("-N576", "--segment=1")]
    jobs = ([kind for kind in kinds if fits(kind, nodes)] * JOBS)[:JOBS]
    random.Random("queue").shuffle(jobs)
    return [[f"--partition=queue{number % QUEUES}", *options] for number, options in enumerate(jobs)]
