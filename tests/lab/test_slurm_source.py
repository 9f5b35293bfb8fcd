# SPDX-License-Identifier: GPL-2.0-or-later
"""What the build says of a source tree that is not the released Slurm of its version.

The plugin reads slurmctld's memory. Built from a tree whose structures are others than the running slurmctld's, it was
built without a word and read the wrong places.
"""

import shutil
import subprocess
import tempfile
from pathlib import Path

from nvl72lab import cluster
from nvl72lab.lab_case import LabCase
from nvl72lab.places import PROJECT

LAYOUT = "plugin/CMakeFiles/nvl72block_shim.dir/slurm/slurm_layout.c.o"


class CopyOfSource(LabCase):
    """A copy of the source of the lab's Slurm, to be changed."""

    options = ("--plugin", "block")

    @classmethod
    def unfit(cls, name, release):
        return "" if release.source else "no --slurm-source"

    def setUp(self):
        folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        self.addCleanup(folder.cleanup)
        self.tree, self.build = Path(folder.name) / "slurm", Path(folder.name) / "build"
        release = cluster.this_instance().release
        self.plugins = release.plugins
        source = Path(f"{release.root or ''}{release.source}")
        common = "src/plugins/topology/common"
        files = [*source.glob("slurm/*.h*"), *source.glob("src/**/*.h"), *source.glob(f"{common}/*.c"),
                 source / "src/interfaces/topology.c", source / "META"]
        for path in files:
            target = self.tree / path.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)

    def change(self, file, old, new):
        """Replaces the first occurrence in a file of the copy."""
        path = self.tree / file
        text = path.read_text("utf-8")
        self.assertIn(old, text)
        path.write_text(text.replace(old, new, 1), "utf-8")

    def configure(self, *more):
        """cmake's status and all that it said, in one line."""
        done = subprocess.run(["cmake", "-S", PROJECT, "-B", self.build, "-G", "Ninja", f"-DSLURM_SOURCE_DIR={self.tree}",
                               "-DNVL72BLOCK_BUILD_TESTS=OFF", "-DNVL72BLOCK_BUILD_TOOL=OFF", *more],
                              capture_output=True, text=True, check=False)
        return done.returncode, " ".join((done.stdout + done.stderr).split())

    def compile(self):
        """The status and the messages of the compiler for the file with the checks."""
        done = subprocess.run(["cmake", "--build", self.build, "--target", LAYOUT], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr


class SlurmSource(CopyOfSource):
    """What configuring and compiling say of it."""

    def test_the_released_source_is_accepted(self):
        code, said = self.configure()
        self.assertEqual(code, 0, said)
        # This slurmctld's PluginDir has another folder before Slurm's own.
        self.assertIn(f"The plugin is installed in {self.plugins} ", said)
        code, said = self.compile()
        self.assertEqual(code, 0, said)

    def test_a_member_that_was_added_is_told_with_the_remedy(self):
        self.change("src/common/job_record.h", "job_details_t *details;", "void *of_a_patch;\n\tjob_details_t *details;")
        self.assertEqual(self.configure()[0], 0)
        code, said = self.compile()
        self.assertNotEqual(code, 0)
        version = cluster.ask("lab-ctl", "version").strip()
        self.assertIn(f"the offset of details in job_record_t differs from the released Slurm {version}: SLURM_SOURCE_DIR must "
                      "be the source that the running Slurm was built from. If it is, patches included, configure with "
                      "-DNVL72BLOCK_ACCEPT_PATCHED_SLURM=ON", said)
        code, said = self.configure("-DNVL72BLOCK_ACCEPT_PATCHED_SLURM=ON")
        self.assertEqual(code, 0, said)
        self.assertIn("may be loaded only by a Slurm built from this tree", said)
        self.assertIn("unknown target", self.compile()[1])

    def test_a_function_that_the_plugin_lacks_is_told(self):
        self.change("src/interfaces/topology.c", '"topology_p_build_config",',
                    '"topology_p_build_config",\n\t"topology_p_of_a_patch",')
        code, said = self.configure("-DNVL72BLOCK_ACCEPT_PATCHED_SLURM=ON")
        self.assertNotEqual(code, 0)
        self.assertIn('looks up "topology_p_of_a_patch" in a topology plugin', said)

    def test_a_version_that_was_not_measured_is_told(self):
        version = cluster.ask("lab-ctl", "version").strip()
        later = f"{version.rpartition('.')[0]}.99"
        self.change("META", version, later)
        code, said = self.configure()
        self.assertEqual(code, 0, said)
        self.assertIn(f"The structures of Slurm {later} are not known to nvl72block", said)

    def test_a_version_that_is_too_old_is_told(self):
        self.change("META", cluster.ask("lab-ctl", "version").strip(), "24.11.4")
        code, said = self.configure()
        self.assertNotEqual(code, 0)
        self.assertIn("it needs 24.11.5 or later", said)


class MeasuredMembers(CopyOfSource):
    """What tests/lab/measure_layout says of it; it needs Clang."""

    for_release = True

    def measure(self):
        """What it makes of the tree."""
        return subprocess.run([PROJECT / "tests/lab/measure_layout", "--check", self.tree], capture_output=True, text=True, check=False)

    def test_every_member_that_the_plugin_reads_is_compared(self):
        done = self.measure()
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_member_that_moved_is_not_taken_for_the_measured_one(self):
        self.change("src/common/job_record.h", "job_details_t *details;", "void *of_a_patch;\n\tjob_details_t *details;")
        done = self.measure()
        self.assertIn("is not what the plugin reads of Slurm", done.stderr)
