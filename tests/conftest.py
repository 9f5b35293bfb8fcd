# SPDX-License-Identifier: GPL-2.0-or-later
"""pytest runs the Python tests of lab, attack, parity, slurm-suite, soak and coverage; nvl72lab.pytest_lab gives each its slurmctld."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "lab"))
pytest_plugins = ["nvl72lab.pytest_lab"]
