# SPDX-License-Identifier: GPL-2.0-or-later
"""Stock topology/block and ours side by side, each in a real slurmctld, on the same states and requests."""
