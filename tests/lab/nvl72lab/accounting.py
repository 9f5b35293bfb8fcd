# SPDX-License-Identifier: GPL-2.0-or-later
"""A slurmdbd and its MariaDB beside an instance's slurmctld, both as small as they get.

Sockets and ports are the instance's own, and both end with it: it has a network, a process space and a /run of its own.
"""

import subprocess
from pathlib import Path

from .cluster import ask, run
from .daemons import running_pid, tail, wait_until
from .places import LabError
from .private_root import CLEAN_ENVIRONMENT

START_SECONDS = 180
SLURM_DATABASE = "slurm_acct_db"  # as slurmdbd's StorageLoc= is where nothing sets it
TABLES = "usr/share/mariadb/mariadb_system_tables.sql"
# No passwords: only the instance reaches the socket, which is where Debian's client library looks. Nothing has to outlive
# a crash of the machine.
DATABASE = ["/usr/sbin/mariadbd", "--no-defaults", "--user=root", "--skip-grant-tables", "--skip-networking",
            "--socket=/run/mysqld/mysqld.sock", "--innodb-buffer-pool-size=8M", "--innodb-log-file-size=4M",
            "--innodb-log-buffer-size=2M", "--innodb-flush-log-at-trx-commit=0", "--innodb-doublewrite=0",
            "--key-buffer-size=8192", "--aria-pagecache-buffer-size=1M", "--aria-log-file-size=8M",
            "--performance-schema=0"]
SLURMDBD_CONF = """AuthType=auth/slurm
DbdHost=localhost
DbdAddr=127.0.0.1
SlurmUser=root
StorageType=accounting_storage/mysql
StorageHost=localhost
StorageUser=root
PidFile={run}/slurmdbd.pid
LogFile={log}/slurmdbd.log
PluginDir={plugins}
"""
SLURM_CONF = "AccountingStorageType=accounting_storage/slurmdbd\nAccountingStorageHost=localhost\n"


def _start_database(instance):
    """The system tables first, as mariadb-install-db makes them, then the server.

    Slurm's database is made here, too: where slurmdbd finds none, it makes it and connects once more with the handle of the
    connection that failed, and since 11.8.9 MariaDB's client library then allows results of no column at all: "fatal:
    _check_mysql_concat_is_sane: null result from query".
    """
    root, data, log = instance.release.root, instance.folder / "database", instance.log / "mariadbd.log"
    (root / "run/mysqld").mkdir()
    data.mkdir()
    command = instance.release.inside(*DATABASE, f"--datadir={data}")
    tables = f"create database {SLURM_DATABASE};\ncreate database mysql;\nuse mysql;\n" + (root / TABLES).read_text("utf-8")
    with open(log, "ab") as output:
        subprocess.run([*command, "--bootstrap"], input=tables.encode(), stdout=output, stderr=output, check=True,
                       env=CLEAN_ENVIRONMENT)
        server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output,  # pylint: disable=consider-using-with
                                  env=CLEAN_ENVIRONMENT, start_new_session=True)

    def answers():
        if server.poll() is not None:
            raise LabError(f"MariaDB did not start; its log ends with:{tail(log)}")
        return (root / "run/mysqld/mysqld.sock").exists()
    wait_until(answers, START_SECONDS, "MariaDB answered")


def _start_slurmdbd(instance):
    conf = instance.conf / "slurmdbd.conf"
    conf.write_text(SLURMDBD_CONF.format(run=instance.run, log=instance.log, plugins=instance.release.plugins), "utf-8")
    conf.chmod(0o600)
    subprocess.run(instance.release.command("slurmdbd"), env=instance.environment(), check=True)
    wait_until(lambda: running_pid(instance.run / "slurmdbd.pid"), START_SECONDS, "slurmdbd ran")


def start(instance, settings=""):
    """Gives a running instance its accounting, and more lines of slurm.conf; slurmctld starts anew, without a past."""
    _start_database(instance)
    _start_slurmdbd(instance)
    with open(instance.slurm_conf, "a", encoding="utf-8") as conf:
        conf.write(SLURM_CONF + settings)
    cluster = ask("scontrol", "show", "config").split("ClusterName", 1)[1].split("=", 1)[1].split()[0]
    try:
        wait_until(lambda: not run("sacctmgr", "-i", "add", "cluster", cluster).code, START_SECONDS, "slurmdbd answered")
    except LabError as error:
        raise LabError(f"{error}; its log ends with:{tail(Path(instance.log) / 'slurmdbd.log')}") from error
    for action in ("kill", "forget", "start"):
        ask("lab-ctl", action)
