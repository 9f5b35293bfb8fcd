# SPDX-License-Identifier: GPL-2.0-or-later
"""Random churn on a real slurmctld, and a checker that watches it."""
