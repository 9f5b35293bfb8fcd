# SPDX-License-Identifier: GPL-2.0-or-later
"""Random clusters whose jobs get whole nodes, states and requests, for comparing where two plugins place a job."""

import random
from dataclasses import dataclass, field, replace

from nvl72lab import hostlist
from nvl72lab.scenario import Site

CASES = 12  # per site: a start of slurmctld costs as much as several questions
TOTAL = ("--gpus=ALL",)  # stands for all GPUs of the job's nodes, as one number
GPUS = 4  # a node
# The default policy would learn from the scene's jobs, more or less of them as time passes.
PACK = (("TopologyParam", "Nvl72Policy=pack"),)
COMPACT = (("TopologyParam", "Nvl72Policy=compact"),)
# What slurmctld learns would change with every job, so the demand is a stated one. All racks have four nodes or more.
DEMAND = (("TopologyParam", "Nvl72Policy=demand,Nvl72Demand=4:0.6+2:0.4"),)


@dataclass
class Request:
    """What a job asks for."""

    nodes: int
    most: int = 0  # of a range
    segment: int = 0
    exclusive: bool = False
    required: tuple = ()
    excluded: tuple = ()
    more: tuple = ()  # options that every node of these sites can meet

    def options(self):
        """Of sbatch."""
        more = [f"--gpus={GPUS * self.nodes}"] if self.more == TOTAL else self.more
        found = [f"-N{self.nodes}-{self.most}" if self.most else f"-N{self.nodes}", *more]
        found += [f"--segment={self.segment}"] if self.segment else []
        found += ["--exclusive=topo"] if self.exclusive else []
        found += ["-w", ",".join(self.required)] if self.required else []
        found += ["-x", ",".join(self.excluded)] if self.excluded else []
        return found


@dataclass
class Case:
    """One scenario of a site: what is drained, one request."""

    drained: tuple
    request: Request


@dataclass
class Scene:
    """A site with its busy jobs and its cases."""

    index: int
    site: Site
    busy: list
    weights: dict  # of slurm.conf: --test-only knows no others
    cases: list = field(default_factory=list)


def _site(dice):
    base = dice.randint(4, 20)
    racks = tuple(dice.choice((base, base, base, min(20, base + dice.randint(0, 2)))) for _ in range(dice.randint(2, 12)))
    # Planned smaller than it is: spares.
    size = dice.choice((base, base, max(2, base - 2)))
    levels = [size] + [size << power for power in range(1, 4) if dice.random() < 0.5]
    outside, policy = dice.choice((0, 0, 0, dice.randint(1, 8))), dice.random()
    return Site(racks, ",".join(map(str, levels)), outside=outside,
                settings=COMPACT if policy < 0.5 else DEMAND if policy < 0.75 else PACK)


def _weighted(site, weights):
    groups = {}
    for node, weight in weights.items():
        groups.setdefault(weight, []).append(node)
    return replace(site, special=tuple((hostlist.compress(nodes), f"Weight={weight}") for weight, nodes in groups.items()))


def _busy(dice, site):
    """One-node jobs where they hurt, and a few that the plugin places."""
    single = [("-N1", "-w", node) for node in dice.sample(site.nodes(), dice.randint(1, 6))]
    return single + [(f"-N{dice.randint(2, min(site.racks))}",) for _ in range(dice.randint(0, 2))]


def _weights(dice, site):
    if dice.random() < 0.6:
        return {}
    heavy = dice.randint(1, 3)
    if dice.random() < 0.5:  # whole racks
        chosen = {number: dice.choice((1, 5, 20)) for number in range(1, len(site.racks) + 1)}
        return {node: weight for number, weight in chosen.items() for node in site.rack(number)}
    return {node: dice.choice((1, 1, 10 * heavy)) for node in site.nodes()}


def _request(dice, site, drained):
    idle = [node for node in site.nodes() if node not in drained]
    kind = dice.choice(("plain", "plain", "segment", "segment", "segment", "large", "range", "required", "excluded",
                        "exclusive"))
    nodes = dice.randint(1, max(1, min(len(idle), 3 * max(site.racks)) * 3 // 4))
    more = dice.choice(((), (), ("--gpus-per-node=4",), ("--gres=gpu:2",), ("--ntasks-per-node=2",), TOTAL))
    if kind in ("segment", "large"):
        base = int(site.sizes.split(",", maxsplit=1)[0])
        size = dice.randint(1, base) if kind == "segment" else dice.randint(base + 1, 2 * base)
        return Request(size * max(1, nodes // size), segment=size, more=more, exclusive=dice.random() < 0.1)
    if kind == "range":
        return Request(nodes, most=nodes + dice.randint(1, 6), more=more if more != TOTAL else ())
    if kind == "required":
        rack = [node for node in site.rack(dice.randint(1, len(site.racks))) if node in idle] or idle
        required = tuple(dice.sample(rack, min(len(rack), dice.randint(1, 3))))
        return Request(max(nodes, len(required)), required=required, more=more)
    excluded = tuple(dice.sample(idle, min(len(idle) // 3, 5))) if kind == "excluded" else ()
    return Request(nodes, excluded=excluded, exclusive=kind == "exclusive", more=more)


def scene(seed, index):
    """The scene of that number; it depends on nothing else."""
    dice = random.Random(f"{seed}/{index}")
    site = _site(dice)
    weights = _weights(dice, site)
    made = Scene(index, _weighted(site, weights), _busy(dice, site), weights)
    for _ in range(CASES):
        share = dice.choice((0, 0.1, 0.2, 0.4))
        outside = site.outside > 1 and dice.random() < 0.4  # little is left in blocks, and the job fits beside them
        drained = tuple(node for node in site.nodes()
                        if dice.random() < (share if not outside else 0 if node.startswith("out") else 0.9))
        request = Request(dice.randint(2, site.outside)) if outside else _request(dice, site, drained)
        made.cases.append(Case(drained, request))
    return made
