# SPDX-License-Identifier: GPL-2.0-or-later
"""Random requests that `nvl72block plan` and sbatch both take, on clusters that change between them."""

from dataclasses import dataclass

from . import cluster, hostlist
from .scenario import EXCLUSIVE, Site

REASON = "reason=bad tray"
SHORT = "PartitionName=short Nodes={} OverSubscribe=EXCLUSIVE MaxTime=60 MaxNodes={}"


def sites():
    """Racks of one size, planned below their size, incomplete ones with weights, and of few nodes.

    The demand is a stated one: what slurmctld learns changes with each job, and plan knows of that a little later (test_demand).
    """
    def site(racks, sizes, half, most, policy, **more):
        whole = Site(racks, sizes, **more)
        nodes = whole.nodes()
        blue, fast = nodes[:len(nodes) // 2:2] + nodes[len(nodes) // 2:], nodes[:len(nodes) * 3 // 4]
        both = [(hostlist.compress(names), f"Feature={features}") for names, features in
                ((sorted(set(blue) & set(fast)), "blue,fast"), (sorted(set(blue) - set(fast)), "blue"),
                 (sorted(set(fast) - set(blue)), "fast"))]
        part = hostlist.compress(node for number in half for node in whole.rack(number))
        return Site(racks, sizes, whole.outside, (*both, *whole.special), (EXCLUSIVE, SHORT.format(part, most)),
                    (("TopologyParam", policy),))
    return (site((18,) * 12, "18,36,72", (1, 2, 5), 40, "Nvl72Demand=16:0.7+4:0.3"),
            site((18, 18, 17, 18, 16, 18, 18, 18), "16,32,64", (1, 2, 3, 4), 48, "Nvl72Demand=18:0.5+16:0.5"),
            site((18, 17, 18, 18, 15, 18), "18,36", (2, 3, 6), 30, "Nvl72Demand=17:1", special=(("r1n[01-18]", "Weight=5"), ("r4n[01-09]", "Weight=3"))),
            site((6, 6, 5, 6, 6, 6, 4, 6), "4,8,16", (1, 3, 5, 7), 12, "Nvl72Policy=pack", outside=3))


@dataclass(frozen=True)
class Wanted:
    """One request, as words of both commands."""

    both: tuple
    exclusive_topo: bool = False

    def of_plan(self):
        """For nvl72block plan."""
        return [*self.both, *(["--exclusive-topo"] if self.exclusive_topo else [])]

    def of_sbatch(self):
        """For sbatch."""
        return [*self.both, *(["--exclusive=topo"] if self.exclusive_topo else [])]


class Changing:
    """A cluster in which something happens before each request."""

    def __init__(self, site, random):
        self.site, self.random = site, random
        self.jobs, self.out, self.reservations = [], [], []

    def _some(self, names, most):
        return self.random.sample(names, min(len(names), self.random.randint(1, most)))

    def _start(self):
        count = self.random.randint(1, max(self.site.racks))
        number = cluster.submit(f"-N{count}", f"-t{self.random.choice((60, 120, 600))}",
                                *(["--exclusive=topo"] if self.random.random() < 0.15 else []))
        if cluster.tried(number).placed:
            self.jobs.append(number)
        else:
            cluster.cancel(number)

    def _end(self):
        for number in self._some(self.jobs, 2):
            cluster.cancel(number)
            self.jobs.remove(number)

    def _take_out(self):
        idle = cluster.ask("sinfo", "-h", "-N", "-t", "idle", "-o", "%N").split()
        nodes = self._some(sorted(set(idle) - set(self.out)), 4)
        cluster.ask("scontrol", "update", f"nodename={','.join(nodes)}", f"state={self.random.choice(('drain', 'down'))}", REASON)
        self.out += nodes

    def _bring_back(self):
        nodes = self._some(self.out, 3)
        cluster.ask("scontrol", "update", f"nodename={','.join(nodes)}", "state=resume")
        self.out = [node for node in self.out if node not in nodes]

    def _reserve(self):
        name, rack = f"held{self.random.randint(0, 999)}", self.random.choice(range(1, len(self.site.racks) + 1))
        # No time limit is three hours: a job that ends as the reservation starts may have its nodes, a second later not.
        start = self.random.choice(("now", "now", "now+3hours"))
        done = cluster.run("scontrol", "create", "reservation", f"reservationname={name}", f"starttime={start}", "duration=600",
                           f"nodes={','.join(self._some(self.site.rack(rack), 8))}", "user=root", "flags=ignore_jobs")
        if not done.code:
            self.reservations.append(name)

    def _release(self):
        # One with a job in it stays.
        if not cluster.run("scontrol", "delete", f"reservationname={self.reservations[-1]}").code:
            self.reservations.pop()

    def change(self):
        """One or two things happen."""
        for _ in range(self.random.randint(1, 2)):
            kinds = [self._start] * 3
            kinds += [self._end] * min(4, len(self.jobs))
            kinds += [self._bring_back] * 2 if self.out else []
            kinds += [self._take_out] if len(self.out) < len(self.site.nodes()) // 6 else []
            kinds += [self._release] if self.reservations else []
            kinds += [self._reserve] if len(self.reservations) < 2 else []
            self.random.choice(kinds)()
        # What is completing now may be idle when the job is submitted.
        cluster.wait_until(lambda: not cluster.ask("sinfo", "-h", "-t", "completing", "-o", "%N").split(), cluster.WAIT_SECONDS,
                           "no node was completing")

    def keep(self, number):
        """The job stays for the next requests."""
        self.jobs.append(number)

    def request(self):
        """Something that both commands accept."""
        random, size = self.random, max(self.site.racks)
        chance = lambda share: random.random() < share
        segment = random.choice((1, 2, 3, 4, size // 2, size - 2, size)) if chance(0.45) else 0
        count = segment * random.randint(1, 4) if segment and chance(0.95) else random.randint(1, 3 * size // 2)
        nodes = f"{count}-{count + max(1, segment) * random.randint(1, 4)}" if chance(0.2) else f"{count}"
        words = [f"--nodes={nodes}"] + ([f"--segment={segment}"] if segment else [])
        if segment and cluster.release() >= (25, 11) and chance(0.3):
            words.append(random.choice(("--spread-segments", "--consolidate-segments")))
        for share, make in ((0.2, lambda: f"--nodelist={','.join(self._some(self.site.nodes(), 2))}"),
                            (0.2, lambda: f"--exclude={hostlist.compress(self._some(self.site.nodes(), 2 * size))}"),
                            (0.2, lambda: f"--constraint={random.choice(('blue', 'fast', 'blue&fast', 'blue|fast'))}"),
                            (0.2, lambda: "--partition=short"),
                            (0.6, lambda: f"--time={random.choice(('30', '1:00:00', '2:00:00', '0-6'))}")):
            words += [make()] if chance(share) else []
        if self.reservations and chance(0.3):
            words.append(f"--reservation={random.choice(self.reservations)}")
        return Wanted(tuple(words), chance(0.15))
