# SPDX-License-Identifier: GPL-2.0-or-later
"""Random requests from sbatch's whole option space, put to three topology plugins in equal states."""
