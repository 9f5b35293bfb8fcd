# SPDX-License-Identifier: GPL-2.0-or-later
"""The long form: as many requests as wanted, on a few trios at once, without a limit of time.

    PYTHONPATH=tests/lab /usr/bin/python3 -m nvl72lab.request_space --requests 2000 --seed 1
"""

import argparse
import os
import queue
import sys
import threading
import time

from .. import plugin_build, slurm_release
from ..places import say
from .campaign import REQUESTS_A_SCENE, Table, Tally, run_scene
from .trio import Trio


def _parse():
    parser = argparse.ArgumentParser(prog="request_space", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", default=os.environ.get("NVL72BLOCK_SEED", "1"))
    parser.add_argument("--requests", type=int, default=2000, metavar="N")
    parser.add_argument("--trios", type=int, default=3, metavar="N", help="three slurmctld's each, at once")
    parser.add_argument("--scene", type=int, metavar="N", help="this one alone")
    parser.add_argument("--request", type=int, metavar="N", help="of the scene, this one alone")
    parser.add_argument("--slurm-prefix", metavar="DIR")
    parser.add_argument("--slurm-source", metavar="DIR")
    return parser.parse_args()


def _serve(release, options, scenes, total, lock):
    numbers = None if options.request is None else [options.request]
    def tell(text):
        with lock:
            print(text, flush=True)
    with Trio(release) as trio:
        while True:
            try:
                index = scenes.get_nowait()
            except queue.Empty:
                return
            part, table = Tally(), Table(trio)
            try:
                run_scene(table, options.seed, index, part, numbers, tell)
            except Exception as error:  # pylint: disable=broad-except # one scene must not end the others
                part.counts["scenes not finished"] += 1
                tell(f"scene {index}: {f'{error!r}'[-600:]}")
            if table.scene and (part.failures or options.scene is not None):
                tell(f"--- scene {index}\n{table.scene.describe()}\n---")
            with lock:
                total.add(part)


def main():
    """Entry."""
    options = _parse()
    release = slurm_release.find(options.slurm_prefix, options.slurm_source)
    plugin_build.ensure(release)
    scenes = queue.Queue()
    for index in [options.scene] if options.scene is not None else range(-(-options.requests // REQUESTS_A_SCENE)):
        scenes.put(index)
    total, lock, started = Tally(), threading.Lock(), time.monotonic()
    threads = [threading.Thread(target=_serve, args=(release, options, scenes, total, lock))
               for _ in range(min(options.trios, scenes.qsize()))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.monotonic() - started
    rate = total.counts["requests"] * 60 / seconds
    say(f"Slurm {release.version}, seed {options.seed}: {seconds:.0f} s, {rate:.0f} requests a minute")
    print(total)
    return 1 if total.failures or not total.counts["requests"] else 0


if __name__ == "__main__":
    sys.exit(main())
