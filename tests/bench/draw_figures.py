#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Draws the figures that `nvl72block replay --workload` generates jobs from, as src/replay/workload/*_figures.cpp.

Usage: draw_figures.py llm kalos_converted.csv | small philly_adaptdl.csv. docs/replay.md says where the logs come from.
"""

import csv
import datetime
import math
import subprocess
import sys

SHARES = [0, .01, .05, .1, .2, .3, .4, .5, .6, .7, .8, .85, .9, .95, .97, .98, .99, .995, .999, 1]
# GPUs of jobs whose durations are taken together, for each workload.
CLASSES = {
    "llm": [[1], [2], [8, 16], [32, 64, 96, 128], [256], [296, 320, 496, 504], [512], [1016, 1024]],
    "small": [[1], [2], [4], [8], [12, 16, 24], [32, 64, 128]],
}
JOBS = {"llm": 2000, "small": 20000}
DAY = 86400


def read_llm(row):
    return (float(row["arrival_time"]), float(row["num_iteration"]) / 2,
            int(float(row["gpu_workers"]) * float(row["gpu_per_worker"])))


def read_small(row):
    arrival = datetime.datetime.fromisoformat(row["timestamp"]).replace(tzinfo=datetime.timezone.utc).timestamp()
    return arrival, float(row["duration"]), int(float(row["num_gpus"]))


def without_beginning(jobs):
    """As cut_beginning() in src/replay/logs/trace.cpp."""
    first = jobs[0][0]
    per_day = counts(jobs, first)
    least = 0.1 * len(jobs) / len(per_day)
    early = next(day for day, count in enumerate(per_day) if count >= least)
    return [job for job in jobs if job[0] - first >= early * DAY]


def counts(jobs, first):
    per_day = [0] * (int((jobs[-1][0] - first) // DAY) + 1)
    for arrival, _, _ in jobs:
        per_day[int((arrival - first) // DAY)] += 1
    return per_day


def quantiles(values):
    """The smallest values that these shares of `values` do not exceed."""
    values = sorted(values)
    found = [values[max(math.ceil(share * len(values) - 1e-9), 1) - 1] for share in SHARES]
    return ", ".join(f"{value:.0f}" for value in found)


def class_text(jobs, sizes):
    weights = [(gpus, sum(1 for job in jobs if job[2] == gpus)) for gpus in sizes]
    name = f"gpus_{sizes[0]}"
    text = ", ".join(f"{{{gpus}, {weight}}}" for gpus, weight in weights)
    seconds = quantiles([duration for _, duration, gpus in jobs if gpus in sizes])
    return (f"constexpr std::array {name} = {{" + text.replace("{", "SizeClass::Size{") + "};\n",
            f"SizeClass{{{name}, {{{seconds}}}}}")


def main():
    workload, log = sys.argv[1:]
    with open(log, encoding="utf-8") as file:
        jobs = sorted(map({"llm": read_llm, "small": read_small}[workload], csv.DictReader(file)))
    jobs = without_beginning(jobs)
    assert {job[2] for job in jobs} == {gpus for sizes in CLASSES[workload] for gpus in sizes}
    hours = [0] * 24
    for arrival, _, _ in jobs:
        hours[int(arrival // 3600) % 24] += 1
    classes = [class_text(jobs, sizes) for sizes in CLASSES[workload]]
    print(subprocess.run(["clang-format", "--assume-filename", "src/replay/workload/figures.cpp"], check=True, text=True,
                         capture_output=True, input=f"""// SPDX-License-Identifier: GPL-2.0-or-later
//
// Written by tests/bench/draw_figures.py from {len(jobs)} recorded jobs.
#include "replay/workload/generator.hpp"

namespace nvl72block::replay {{
namespace {{

{"".join(sizes for sizes, _ in classes)}
constexpr std::array classes = {{{", ".join(text for _, text in classes)}}};

}}  // namespace

const LogFigures& {workload}_figures() {{
    static constexpr LogFigures figures{{classes,
        {len(counts(jobs, jobs[0][0]))},
        {{{quantiles(counts(jobs, jobs[0][0]))}}},
        {{{", ".join(map(str, hours))}}},
        {JOBS[workload]}}};
    return figures;
}}

}}  // namespace nvl72block::replay
""").stdout, end="")


if __name__ == "__main__":
    main()
