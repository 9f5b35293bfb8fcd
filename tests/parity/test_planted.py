# SPDX-License-Identifier: GPL-2.0-or-later
"""The whole way of a finding without a slurmctld: faults planted into one of three plugins that answer alike are found,
reduced and told as files. `tests/parity/run --plant all` does the same with Slurm.
"""

import unittest

from nvl72lab import hostlist
from nvl72parity import campaign, planted, seen
from nvl72parity.block_rules import Wish
from nvl72parity.requests import UPDATES, value
from nvl72parity.trio import FLAT, OURS, PLUGINS

SCENES = 6
SHRINK_SECONDS = 60  # far more than is needed


class Model:
    """A plugin that starts a job in the first rack with as many idle nodes, and lets all others wait."""

    def __init__(self):
        self.site, self.busy, self.out = None, {}, set()

    def tell(self, action, *arguments):
        """As trio.Runner."""
        return getattr(self, action)(*arguments)

    def open(self, site):
        """An empty cluster; the Slurm version."""
        self.site, self.busy, self.out = site, {}, set()
        return (24, 11)

    def standing(self, options):
        """Its nodes count as used."""
        self.out |= set(hostlist.expand(value(options, "Nodes")))

    def drain(self, nodes):
        """These cannot be used."""
        self.out |= set(nodes)

    def place(self, requests):
        """One job per request, on the first CPUs of its node."""
        for options in requests:
            self.busy[value(options, "-w")] = f"0-{int(value(options, '-c')) - 1}"
        return [(number, seen.Part(seen.STARTED, "None", (node,), 1, 0, ((node, cpus, ""),)))
                for number, (node, cpus) in enumerate(self.busy.items())]

    def cancel(self, _):
        """Every plugin has the same jobs."""

    def _rack(self, wish, count):
        for number in range(1, len(self.site.racks) + 1):
            names = self.site.rack(number)
            idle = [node for node in names if node not in self.out and not (wish.alone and set(names) & set(self.busy))]
            idle = [node for node in idle if node not in wish.excluded and set(wish.named) <= set(idle)]
            idle.sort(key=lambda node: node not in wish.named)
            if len(idle) >= count:
                return tuple(idle[:count])
        return ()

    def attempt(self, options, updates=()):
        """As worker.py: whole nodes, and all that is asked for of them."""
        names = {key: name if len(name) == 2 else f"{name}=" for name, key in UPDATES.items()}
        options = (*options, *(f"{names[key]}{text}" for key, _, text in (word.partition("=") for word in updates)))
        wish, count = Wish.of(options), max(1, Wish.of(options).least)
        nodes = () if ":" in options or value(options, "--array", "--segment", "-C", "--mincpus", "-p") else self._rack(wish, count)
        if not nodes or len(wish.named) > count:
            return seen.Seen(seen.WAITS, (seen.Part(seen.WAITS, "Resources"),), "", seen.LATER)
        cpus = max(wish.cpus, wish.tasks) + 100
        part = seen.Part(seen.STARTED, "None", nodes, cpus, 100, tuple((node, "90-99", "") for node in nodes))
        return seen.Seen(seen.STARTED, (part,), "", seen.STARTED, (part,))

    def forecast(self, options):
        """As worker.py."""
        return self.attempt(options)

    def reserve(self, _):
        """The first rack."""
        return seen.Seen(seen.STARTED, (seen.Part(seen.STARTED, "", tuple(self.site.rack(1)[:1])),))


class Trio:
    """As trio.Trio."""

    def __init__(self, plant=None):
        self.runners = {plugin: Model() for plugin in PLUGINS}
        if plant:
            self.runners[OURS] = planted.Planted(self.runners[OURS], plant)

    def tell(self, action, *arguments):
        """Each plugin's answer."""
        return {plugin: runner.tell(action, *arguments) for plugin, runner in self.runners.items()}


def run(plant=None):
    """The tally of some scenes."""
    made = campaign.Run(Trio(plant), "1", lambda _: None, SHRINK_SECONDS)
    for index in range(SCENES):
        made.scene(index)
    return made.tally


class PlantedFaults(unittest.TestCase):
    """Each of planted.FAULTS."""

    def test_none_is_found_where_none_is_planted(self):
        total = run()
        self.assertEqual([f"{failure}" for failure in total.failures], [])
        self.assertTrue(total.passed(campaign.NEEDED), total)
        self.assertGreater(total.counts[f"{FLAT} {seen.WAITS}"], 0)

    def test_all_are_found_and_reduced(self):
        for fault in planted.FAULTS:
            with self.subTest(fault=fault):
                told = []
                self.assertEqual(planted.verdict(fault, run(fault), told.append), "")
                self.assertTrue(told)

    def test_a_fault_that_is_not_reduced_is_told(self):
        total = run("held")
        total.reduced = [next(failure for failure in total.failures if planted.FAULTS["held"][1] in failure.faults[0])]
        total.reduced[0].scene = campaign.scene("1", next(index for index in range(99) if len(campaign.scene("1", index).busy) > 5))
        self.assertIn("lines of sbatch only", planted.verdict("held", total, lambda _: None))
        total.reduced = []
        self.assertIn("not found", planted.verdict("held", total, lambda _: None))
