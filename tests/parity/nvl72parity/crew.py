# SPDX-License-Identifier: GPL-2.0-or-later
"""Several trios at once: while one waits for its slowest plugin, or for backfill's cycle, others use the CPUs."""

import queue
import threading
import traceback

from .tally import Tally
from .trio import Trio


class Crew:
    """Runs scenes on `trios` trios: make_run(trio, tell) makes what runs them on one; `tell` gets each failure's text."""

    def __init__(self, release, make_run, tell, trios=3, plant=None, cluster=None):
        self.cluster = cluster or Trio
        self.release, self.make_run, self.tell, self.trios, self.plant = release, make_run, tell, trios, plant
        self.lock, self.total, self.waiting = threading.Lock(), Tally(), queue.Queue()

    def _say(self, text):
        with self.lock:
            self.tell(text)

    def run(self, scenes, numbers=None):
        """The tally of these scenes, or of some of their requests."""
        for index in scenes:
            self.waiting.put(index)
        threads = [threading.Thread(target=self._work, args=(numbers,)) for _ in range(min(self.trios, self.waiting.qsize()))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return self.total

    def _work(self, numbers):
        with self.cluster(self.release, self.plant) as trio:
            run = self.make_run(trio, self._say)
            while True:
                try:
                    index = self.waiting.get_nowait()
                except queue.Empty:
                    break
                try:
                    run.scene(index, numbers)
                except Exception as error:  # pylint: disable=broad-except # one scene must not end the others
                    run.tally.counts["scenes not finished"] += 1
                    self._say(f"scene {index}: {f'{error!r}'[-1600:]}\n{''.join(traceback.format_tb(error.__traceback__, -2))}")
        with self.lock:
            self.total.add(run.tally)
