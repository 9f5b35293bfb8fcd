# SPDX-License-Identifier: GPL-2.0-or-later
"""Several trios at once: most of a request's time is waiting for the scheduler, which wakes once a second."""

import queue
import threading

from .campaign import Run, Table, Tally
from .trio import Trio


class Crew:
    """Runs scenes on `trios` trios; `tell` gets each failure's text."""

    def __init__(self, release, seed, tell, trios=3, **more):
        self.release, self.seed, self.tell, self.trios = release, seed, tell, trios
        self.more = more  # of each Run
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
        with Trio(self.release) as trio:
            run = Run(Table(trio), self.seed, self._say, **self.more)
            while True:
                try:
                    index = self.waiting.get_nowait()
                except queue.Empty:
                    break
                try:
                    run.scene(index, numbers)
                except Exception as error:  # pylint: disable=broad-except # one scene must not end the others
                    run.tally.counts["scenes not finished"] += 1
                    self._say(f"scene {index}: {f'{error!r}'[-600:]}")
        with self.lock:
            self.total.add(run.tally)
