# SPDX-License-Identifier: GPL-2.0-or-later
"""Random requests, each a list of options of sbatch or of `scontrol create reservation`."""

import random
import re
from dataclasses import dataclass, replace

from nvl72lab import hostlist

JOB, RESERVATION = "sbatch", "scontrol create reservation"
UPDATES = {"-x": "ExcNodeList", "-C": "Features", "-t": "TimeLimit", "-N": "NumNodes", "--mincpus": "MinCPUsNode"}
SCRIPT = ("--wrap", "true")  # of a heterogeneous job: it has to stand before the first component


@dataclass(frozen=True)
class Request:
    """Components of a job, more than one if it is heterogeneous; or a reservation."""

    command: str
    components: tuple  # of tuples of options
    late: tuple = ()  # names of options that the job is given while it is held, by `scontrol update`

    def options(self):
        """As the command takes them."""
        if len(self.components) == 1:
            return self.components[0]
        found = list(SCRIPT)
        for number, component in enumerate(self.components):
            found += [*([":"] if number else []), *component]
        return tuple(found)

    def submitted(self):
        """The options that sbatch is given."""
        return (*self.without(*self.late).options(), "--hold") if self.updates() else self.options()

    def updates(self):
        """What the held job is then given."""
        return tuple(f"{UPDATES[name]}={self.value(name)}" for name in self.late if self.has(name))

    def __str__(self):
        late = f"  # after --hold: {' '.join(self.updates())}" if self.updates() else ""
        return self._quoted() + late

    def _quoted(self):
        quoted = [f"'{option}'" if re.search(r"[*&|\[\]()<> ]", option) else option for option in self.options()]
        return " ".join([self.command, *quoted])

    def value(self, *names):
        """What the first component gives to one of these options; None if nothing."""
        return value(self.components[0], *names)

    def has(self, *names):
        """Whether the first component gives one of these options."""
        return self.value(*names) is not None

    def number(self, *names):
        """The same, as a number; 0 if there is none."""
        found = re.search(r"\d+", self.value(*names) or "")
        return int(found[0]) if found else 0

    @property
    def nodes(self):
        """The least and the most of -N, (0, 0) without it."""
        found = [int(word) for word in re.findall(r"\d+", self.value("-N", "--nodes") or "")]
        return (found[0], found[-1]) if found else (0, 0)

    def with_option(self, *options):
        """The same request with more options."""
        return replace(self, components=((*self.components[0], *options), *self.components[1:]))

    def without(self, *names):
        """The same request without these options."""
        return replace(self, components=(without(self.components[0], *names), *self.components[1:]))


def without(options, *names):
    """A list of options without these; a name of two letters may have its value as the next word."""
    kept, skip = [], False
    for option in options:
        if skip:
            skip = False
        elif option in names and len(option) == 2:
            skip = True
        elif value((option,), *names) is None:
            kept.append(option)
    return tuple(kept)


def cpus_a_task(options):
    """CPUs that a list of options gives to each task, one without them."""
    told = value(options, "-c", "--cpus-per-task") or re.sub("^cpu:", "", value(options, "--tres-per-task") or "")
    return max(1, int(told)) if told.isdigit() else 1


def value(options, *names):
    """What a list of options gives to one of these names."""
    for position, option in enumerate(options):
        for name in names:
            if len(name) > 2 and (option == name or option.startswith(f"{name}=")):
                return option[len(name) + 1:]
            if len(name) == 2 and option.startswith(name) and not option.startswith("--"):
                return option[len(name):] or (options[position + 1] if position + 1 < len(options) else "")
    return None


class Draw:
    """The dice of one request, and the cluster that it is for."""

    def __init__(self, dice, scene, release):
        self.dice, self.scene, self.release = dice, scene, release
        self.grounds = scene.grounds
        self.total = len(self.grounds.nodes())
        self.tray = self.grounds.trays[0]

    def chance(self, probability):
        """True so often."""
        return self.dice.random() < probability

    def few(self, most):
        """A number from 1, small ones more often."""
        return self.dice.randint(1, self.dice.randint(1, max(1, most)))

    def nodes(self):
        """-N in its forms, or nothing."""
        if self.chance(0.4):
            return []
        least = self.few(self.total * 2 // 3)
        return [f"-N{least}"] if self.chance(0.7) else [f"-N{least}-{least + self.dice.randint(0, 6)}"]

    def tasks(self):
        """-n, -c and the counts of tasks a node, socket, core or GPU."""
        found = []
        if self.chance(0.6):
            found.append(f"-n{self.few(self.total * self.tray.cpus // 2) if self.chance(0.5) else self.few(12)}")
        if self.chance(0.25):
            found.append(f"-c{self.few(self.tray.cpus)}")
        if self.chance(0.3):
            name, most = self.dice.choice((("node", self.tray.cpus), ("node", 4), ("socket", self.tray.cores), ("core", 2)))
            found.append(f"--ntasks-per-{name}={self.few(most)}")
        return found

    def _gpu(self, count):
        """A number of GPUs, of a type sometimes."""
        names = [name for name in self.grounds.types.split(",") if name]
        return f"{self.dice.choice(names)}:{count}" if names and self.chance(0.4) else f"{count}"

    def gpus(self, has_cpus):
        """GPUs in one of the ways to ask for them, and what goes with GPUs."""
        kind = self.dice.choice(("", "", "", "", "total", "total", "node", "node", "task", "socket", "gres", "gres"))
        own = self.tray.gpus
        found = {"total": [f"--gpus={self._gpu(self.few(self.total * own // 2))}"],
                 "node": [f"--gpus-per-node={self._gpu(self.few(own))}"],
                 "task": [f"--gpus-per-task={self._gpu(self.few(own))}"],
                 "socket": ["--sockets-per-node=" + str(self.few(2)), f"--gpus-per-socket={self._gpu(self.few(max(1, own // 2)))}"],
                 "gres": [f"--gres=gpu:{self._gpu(self.few(own))}"]}.get(kind, [])
        if kind and not has_cpus and self.chance(0.25):
            found.append(f"--cpus-per-gpu={self.few(4)}")
        if kind and self.chance(0.12):
            found.append(f"--ntasks-per-gpu={self.few(3)}")
        if kind and self.chance(0.15):
            found.append(f"--gres-flags={self.dice.choice(('enforce-binding', 'disable-binding'))}")
        return found

    def memory(self, gpus):
        """One of the ways to ask for memory."""
        if self.chance(0.7):
            return []
        ways = [f"--mem={self.few(self.tray.memory)}", f"--mem-per-cpu={self.few(self.tray.memory // self.tray.cpus)}", "--mem=0"]
        ways += [f"--mem-per-gpu={self.few(self.tray.memory // self.tray.gpus)}"] if gpus else []
        return [self.dice.choice(ways)]

    def _names(self, most):
        return hostlist.compress(self.dice.sample(self.grounds.nodes(), min(self.total, self.few(most))))

    def _features(self):
        return self.dice.choice(("all", "big", "little", "big|little", "[big|little]", "big*1&little*1", "all&big", "all*2",
                                 "(big|little)&all"))

    def placing(self):
        """Options about which nodes, each rarely."""
        release = self.release
        distribution = self.dice.choice(("block", "cyclic", "plane=2", "block:cyclic", "cyclic:cyclic", "block:fcyclic",
                                         "*:block", "block:block:cyclic", "pack", "block,nopack", "nopack"))
        offers = (
            (0.06, [f"--hint={self.dice.choice(('compute_bound', 'memory_bound', 'nomultithread', 'multithread'))}"]),
            (0.10, [f"--distribution={distribution}"]), (0.06, ["--contiguous"]), (0.06, ["--spread-job"]),
            (0.06, ["--use-min-nodes"]),
            (0.12, [self.dice.choice(("--exclusive", "--exclusive", "--exclusive=user", "--exclusive=topo", "--exclusive=mcs"))]),
            (0.05, ["--overcommit"]), (0.05, ["--oversubscribe"]), (0.08, ["-w", self._names(3)]), (0.08, ["-x", self._names(4)]),
            (0.08, ["-C", self._features()]),
            (0.05, [f"--switches={self.few(3)}" + self.dice.choice(("", "@0", "@5:00"))]),
            (0.14, self._segment(release)), (0.10, ["-p", self.dice.choice(("second", "second", "main,second"))]),
            (0.03, [f"--mincpus={self.few(self.tray.cpus)}"]), (0.03, [f"--cores-per-socket={self.few(self.tray.cores)}"]),
            (0.03, [f"--threads-per-core={self.few(2)}"]), (0.02, [f"--core-spec={self.few(2)}"]),
            (0.10 if self.scene.standing else 0, ["--reservation=standing"]))
        return [option for probability, options in offers if self.chance(probability) for option in options]

    def _segment(self, release):
        found = [f"--segment={self.few(int(self.grounds.sizes.split(',', maxsplit=1)[0]) * 2)}"]
        if release >= (25, 11) and self.chance(0.3):
            found.append(self.dice.choice(("--spread-segments", "--consolidate-segments")))
        return found

    def component(self):
        """The options of one job, or of one component of a heterogeneous one."""
        tasks = self.tasks()
        gpus = self.gpus(value(tasks, "-c") is not None)
        found = self.nodes() + tasks + gpus + self.memory(gpus) + self.placing()
        segment = value(found, "--segment")
        if segment and self.chance(0.8):  # most should be possible: a multiple
            found = [option for option in found if not option.startswith("-N")]
            found.insert(0, f"-N{int(segment) * self.few(3)}")
        if value(found, "--gpus-per-task", "--ntasks-per-gpu") is not None and value(found, "-n", "-N") is None:
            found.append(f"-n{self.few(6)}")
        return tuple(found or [f"-n{self.few(6)}"])

    def heterogeneous(self):
        """Two components, the first sometimes with fewer nodes of a feature than it has: backfill, which alone starts such jobs, asks for
        these and then for the others."""
        first, second = self.component(), self.component()
        if self.chance(0.3):
            first = without(first, "-C", "-N")
            nodes = 1 + self.few(self.total // 2)
            first = (f"-N{nodes}", *first, "-C", f"all*{self.few(nodes - 1)}")
        return first, second

    def reservation(self):
        """A reservation of nodes, cores or TRES, with flags or without."""
        amounts = [f"NodeCnt={self.few(self.total)}", f"CoreCnt={self.few(self.total * self.tray.cpus // 2)}",
                   f"TRES=cpu={self.few(self.total * self.tray.cpus // 2)}", f"TRES=node={self.few(self.total)}"]
        found = [self.dice.choice(amounts)]
        if self.chance(0.5):
            flags = ["IGNORE_JOBS", "MAINT", "OVERLAP", "PART_NODES", "ANY_NODES", "FLEX", "REPLACE", "REPLACE_DOWN", "SPEC_NODES"]
            found.append(f"Flags={','.join(self.dice.sample(flags, self.few(2)))}")
        if self.chance(0.3):
            found.append(f"PartitionName={self.dice.choice(('main', 'second'))}")
        if self.chance(0.2):
            found.append("Features=all")
        return tuple(found)


def request(seed, scene, number, release):
    """The request of that number for a scene; it depends on nothing else."""
    draw = Draw(random.Random(f"space/{seed}/{scene.index}/{number}"), scene, release)
    roll = draw.dice.random()
    if roll < 0.08:
        return Request(RESERVATION, (draw.reservation(),))
    if roll < 0.12:
        return Request(JOB, draw.heterogeneous())
    if roll < 0.16:
        return Request(JOB, ((*draw.component(), f"--array=0-{draw.few(3)}"),))
    return Request(JOB, (draw.component(),))
