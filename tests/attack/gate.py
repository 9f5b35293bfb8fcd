# SPDX-License-Identifier: GPL-2.0-or-later
"""A disk that does not answer (gate.c), for a slurmctld that is started with it."""

import os
from pathlib import Path
from unittest import mock

from nvl72lab import cluster, preload

HERE = Path(__file__).parent


def state():
    """StateSaveLocation of this instance."""
    return Path(os.environ["NVL72BLOCK_LAB_INSTANCE"]) / "state"


class Gate:
    """Holds what slurmctld writes into the plugin's state files."""

    def __init__(self):
        self.folder = Path(os.environ["NVL72BLOCK_LAB_INSTANCE"]) / "gate"
        self.folder.mkdir()
        self.writer = None
        self.folder.chmod(0o777)
        self.library = preload.library(HERE / "gate.c")
        os.mkfifo(self.folder / "open")
        (self.folder / "open").chmod(0o666)

    def start(self):
        """Starts slurmctld behind the gate."""
        with mock.patch.dict(os.environ, {"LD_PRELOAD": str(self.library), "NVL72_GATE": str(self.folder)}):
            cluster.ask("lab-ctl", "start")

    def calls(self):
        """The calls that reached the gate, held or not: ["fsync /…/nvl72block_demand.new-a1b2c3", …]."""
        path = self.folder / "calls"
        return path.read_text("utf-8").splitlines() if path.exists() else []

    def forget(self):
        """Forgets the calls so far."""
        (self.folder / "calls").unlink(missing_ok=True)

    def close(self):
        """From now on every call is held."""
        (self.folder / "closed").touch()
        if self.writer is not None:
            os.close(self.writer)
            self.writer = None

    def open(self):
        """Lets everything pass."""
        (self.folder / "closed").unlink(missing_ok=True)
        # For reading, too: this does not wait for somebody who is held. It stays open for who has just seen `closed`.
        self.writer = os.open(self.folder / "open", os.O_RDWR)
