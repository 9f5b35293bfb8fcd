# SPDX-License-Identifier: GPL-2.0-or-later
"""Random changes to a running cluster: what users, operators, files and crashes do to it."""

import random
import re
import threading
from collections import Counter

from nvl72lab import cluster, daemons, hostlist
from nvl72lab.staying import Command
from nvl72lab.trays import Grounds, Tray
from nvl72parity import requests
from nvl72parity.scenes import Scene
from nvl72parity.slurm import COMMANDS
from nvl72parity.worker import SCRIPT

CLIQUE = "b78ed242-7b98-426f-b194-b76b8899f4ea"
PARTITIONS = ("PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE",
              "PartitionName=second Nodes={second} MaxTime=INFINITE OverSubscribe=EXCLUSIVE",
              "PartitionName=urgent Nodes=ALL MaxTime=INFINITE PriorityTier=10")
# slurmctld keeps what is about a job that has ended for two seconds: its memory has to stay flat.
SETTINGS = (("SelectTypeParameters", "CR_Core_Memory"), ("DefMemPerCPU", "0"), ("MinJobAge", "2"), ("MaxJobCount", "20000"),
            ("PreemptType", "preempt/partition_prio"), ("PreemptMode", "CANCEL"))
BAD_FILES = ("BlockSizes=zero\n", "BlockName=r1 Nodes=r1n[01-\nBlockSizes=4\n", "BlockName=r1 Nodes=nobody\nBlockSizes=4\n")
MISSING_FILE = "Include /nowhere\n"  # topology/block waits for it for a minute
NO_ANSWER = re.compile("Unable to contact slurm controller|Zero Bytes were transmitted")
# Lines that the churn itself brings about.
EXPECTED = ("topology.conf", "No node information", "Could not open", "invalid clique")


class Cluster(Grounds):
    """Nodes with an address: slurmctld holds its locks for ten seconds per name that it cannot resolve."""

    def node_lines(self):
        return super().node_lines().replace(" State=", " NodeAddr=127.0.0.1 State=")


def grounds(racks, nodes, cliques):
    """The cluster: racks of equal nodes, blocks of one, two and four racks; `cliques` is the value of Nvl72Clique."""
    settings = (*SETTINGS, ("TopologyParam", f"Nvl72Clique={cliques}"))
    made = Cluster((nodes,) * racks, f"{nodes},{nodes * 2},{nodes * 4}", settings=settings, trays=(Tray(2, 8, 1, 1000, 4),), binding="file")
    second = hostlist.compress(made.nodes()[::3])
    return Cluster(**{**vars(made), "partitions": tuple(line.format(second=second) for line in PARTITIONS)})


class Gone(Exception):
    """slurmctld has ended, and nobody ended it."""


class Churn:
    """What happens next depends on the seed, and on what slurmctld made of all before."""

    def __init__(self, site, seed, release, movable=True):
        self.site, self.dice, self.release = site, random.Random(f"soak/{seed}"), release
        self.seed, self.asked = seed, 0
        self.scene = Scene(0, site)
        self.jobs = {}  # components of each job that was accepted and not cancelled, by its number
        self.reservations, self.drained, self.counts = [], set(), Counter()
        self.outside = set()  # nodes that were moved out of their blocks
        self.movable = movable  # topology/block refuses base blocks of fewer nodes than others have
        self.moved = False  # since the last look
        self.rewired = set()  # nodes that were told a clique since the last look
        self.was_gone = False
        self.replaced = False  # right now: no answer is no fault
        self.unsaved = set()  # jobs that came after slurmctld last saved, before it was killed
        instance = cluster.this_instance()
        self.commands = {name: Command(instance, name) for name in COMMANDS}

    def run(self, program, *words):
        """One of Slurm's commands; what it says when it fails is nothing to worry about here, but that nobody answers."""
        result = self.commands[program].run(*words)
        if result.code and not self.replaced and NO_ANSWER.search(result.err):
            raise Gone(result.err)
        return result

    def step(self):
        """One change, drawn by weight."""
        actions = ((60, self.submit), (25, self.cancel), (5, self.requeue), (4, self.change_job), (6, self.drain), (5, self.undrain),
                   (2, self.fail_node), (3, self.weigh), (2, self.rewire), (1, self.end_reservation))
        weights, choices = zip(*actions)
        action = self.dice.choices(choices, weights)[0]
        self.counts[action.__name__] += 1
        action()

    def submit(self):
        """A job of any shape, or a reservation."""
        request = requests.request(self.seed, self.scene, self.asked, self.release)
        self.asked += 1
        if request.command == requests.RESERVATION:
            self.reserve(request.components[0])
            return
        options = request.options()
        if self.dice.random() < 0.05 and len(request.components) == 1:
            options = ("-p", "urgent", *requests.without(options, "-p"))
        result = self.run("sbatch", "--parsable", "--output=/dev/null", *options, *SCRIPT)
        self.counts["refused" if result.code else "accepted"] += 1
        if not result.code:
            self.jobs[int(result.out.split(";")[0])] = request.components

    def reserve(self, options):
        """At most three at a time."""
        if len(self.reservations) >= 3:
            self.end_reservation()
        name = f"soak{self.asked}"
        made = self.run("scontrol", "create", "reservation", f"ReservationName={name}", "StartTime=now", "Duration=60", "Users=root", *options)
        if not made.code:
            self.reservations.append(name)

    def end_reservation(self):
        """One of them."""
        if self.reservations:
            name = self.reservations.pop(self.dice.randrange(len(self.reservations)))
            self.run("scontrol", "delete", f"reservation={name}")

    def _some_jobs(self, most):
        known = sorted(self.jobs)
        return self.dice.sample(known, min(len(known), self.dice.randint(1, most)))

    def cancel(self):
        """Some jobs, more where many are known."""
        chosen = self._some_jobs(1 + len(self.jobs) // 12)
        for number in chosen:
            del self.jobs[number]
        if chosen:
            self.run("scancel", *map(str, chosen))

    def requeue(self):
        """A job that has its nodes waits again."""
        for number in self._some_jobs(1):
            self.run("scontrol", "requeue", str(number))

    def change_job(self):
        """Held, released, or given another partition, number of nodes or excluded nodes."""
        words = self.dice.choice((["hold"], ["release"], ["update", "partition=main"], ["update", f"numnodes={self.dice.randint(1, 6)}"],
                                  ["update", f"excnodelist={self.dice.choice(self.site.nodes())}"]))
        for number in self._some_jobs(1):
            if words[0] == "update":
                self.run("scontrol", "update", f"jobid={number}", *words[1:])
                self.jobs[number] = ()  # what it asks for now is not known here
            else:
                self.run("scontrol", *words, str(number))

    def _nodes(self, most):
        return self.dice.sample(self.site.nodes(), self.dice.randint(1, min(most, len(self.site.nodes()))))

    def drain(self):
        """Takes nodes out of service."""
        nodes = self._nodes(4)
        self.drained |= set(nodes)
        self.run("scontrol", "update", f"nodename={hostlist.compress(nodes)}", "state=drain", "reason=soak")

    def undrain(self):
        """Brings most of them back."""
        back = [node for node in sorted(self.drained) if self.dice.random() < 0.7]
        if back:
            self.drained -= set(back)
            self.run("scontrol", "update", f"nodename={hostlist.compress(back)}", "state=undrain")

    def fail_node(self):
        """A node fails with its jobs, which are queued again, and returns."""
        node = self._nodes(1)[0]
        self.run("scontrol", "update", f"nodename={node}", "state=down", "reason=soak")
        self.run("scontrol", "update", f"nodename={node}", "state=resume")

    def weigh(self):
        """Other weights."""
        self.run("scontrol", "update", f"nodename={hostlist.compress(self._nodes(30))}", f"weight={self.dice.randint(1, 9)}")

    def rewire(self):
        """A rack, or half of it, says another clique, or none."""
        rack = self.site.rack(self.dice.randint(1, len(self.site.racks)))
        clique = self.dice.choice(("", f",{CLIQUE}.{self.dice.randint(1, 9)}"))
        self._say_clique(rack[self.dice.choice((0, len(rack) // 2)):], clique)

    def _say_clique(self, nodes, clique):
        self.rewired |= set(nodes)
        self.run("scontrol", "update", f"nodename={hostlist.compress(nodes)}", f"availablefeatures=all,big{clique}", f"activefeatures=all,big{clique}")

    def calm(self):
        """No reservation, and all nodes as at the beginning: in service, of one weight, in no clique."""
        while self.reservations:
            self.end_reservation()
        for change in ("state=undrain", "state=resume", "weight=1"):
            self.run("scontrol", "update", "nodename=ALL", change)
        self.drained.clear()
        self._say_clique(self.site.nodes(), "")

    def topology(self):
        """topology.conf as it is meant now: nodes moved out of their blocks are in none."""
        racks = [[node for node in self.site.rack(number) if node not in self.outside] for number in range(1, len(self.site.racks) + 1)]
        lines = [f"BlockName=r{number} Nodes={hostlist.compress(nodes)}" for number, nodes in enumerate(racks, 1)]
        return "\n".join([*lines, f"BlockSizes={self.site.sizes}", ""])

    def move_nodes(self, most=3):
        """Nodes leave their blocks or return to them, by topology.conf and `scontrol reconfigure`."""
        self.counts["move_nodes"] += 1
        self.outside = set(self.dice.sample(self.site.nodes(), self.dice.randint(0, most * self.movable)))
        cluster.write_topology(self.topology())
        self.moved = True
        return cluster.reconfigure().code == 0

    def bad_file(self):
        """A topology.conf that no plugin takes: the reconfigure fails, the old one stays in force."""
        self.counts["bad_file"] += 1
        cluster.write_topology(self.dice.choice((*BAD_FILES, MISSING_FILE) if self.movable else BAD_FILES))
        refused = cluster.reconfigure().code != 0
        cluster.write_topology(self.topology())
        return refused

    def log_decisions(self, wanted):
        """Whether slurmctld's log tells each decision, with its time."""
        self.run("scontrol", "setdebugflags", "+SelectType" if wanted else "-SelectType")

    def _kill(self):
        self.was_gone = not daemons.running_pid(cluster.this_instance().controller_pid)
        cluster.ask("lab-ctl", "restart")

    def crash(self):
        """SIGKILL at some moment after all jobs were saved, while more happens, and a new start."""
        self.counts["crash"] += 1
        # A job of the churn may end, or be preempted, before that.
        held = cluster.submit("--hold", "-N1")
        cluster.wait_saved(held)
        saved = set(self.jobs)
        moment = threading.Timer(self.dice.random(), self._kill)
        self.replaced = True
        moment.start()
        while moment.is_alive():
            self.step()
        self.replaced = False
        if self.was_gone:
            raise Gone("before it was killed")
        self.unsaved = set(self.jobs) - saved
        cluster.cancel(held)
