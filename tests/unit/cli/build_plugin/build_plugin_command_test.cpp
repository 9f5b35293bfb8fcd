// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/build_plugin/build_plugin_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "../command.hpp"
#include "cli/exit_code.hpp"
#include "cli/input/input_error.hpp"

namespace nvl72block::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A host whose programs answer as the test says; it writes down what was run to build.
class BuildPlugin : public testing::Test {
  protected:
    BuildPlugin() {
        std::filesystem::create_directories(folder_.path() + "/slurm/src/interfaces");
        std::filesystem::create_directories(folder_.path() + "/ours/plugin");
        folder_.file("slurm/META", "  Name:\tslurm\n  Version:\t24.11.5\n");
        folder_.file("slurm/src/interfaces/topology.c", "");
        folder_.file("ours/plugin/CMakeLists.txt", "");
        options_.slurm_source = folder_.path() + "/slurm";
        options_.source = folder_.path() + "/ours";
        options_.build_dir = folder_.path() + "/build";
        answers_["slurmctld -V"] = {0, "slurm-wlm 24.11.5\n"};
        answers_["cmake --version"] = {0, "cmake version 3.31.6\n"};
    }

    ProgramResult answer(const std::vector<std::string>& command, const std::string& log) {
        const std::string first = command.front() + (command.size() > 1 ? " " + command[1] : "");
        if (!log.empty()) {
            steps_.push_back(first);
            std::string& line = lines_.emplace_back();
            for (const std::string& word : command) line += word + " ";
            if (first == failing_step_) folder_.file("build/build.log", "one\nthe reason\n");
            return {first == failing_step_ ? 1 : 0, ""};
        }
        const auto found = answers_.find(first);
        if (found != answers_.end()) return found->second;
        return {first.ends_with("-V") || first.starts_with("scontrol") ? program_missing : 0, ""};
    }

    int build() {
        Console console{out_, err_};
        return run_build_plugin(options_, console, [this](const auto& command, const auto& log) {
            return answer(command, log);
        });
    }

    std::string failure() {
        try {
            build();
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    }

    Folder folder_;
    BuildPluginOptions options_;
    std::map<std::string, ProgramResult> answers_;
    std::vector<std::string> steps_, lines_;
    std::string failing_step_;
    std::ostringstream out_, err_;
};

TEST_F(BuildPlugin, BuildsForTheInstalledVersionAndTellsWhatToDoNext) {
    EXPECT_EQ(build(), exit_ok);
    EXPECT_THAT(steps_, ElementsAre("cmake --fresh", "cmake --build"));
    EXPECT_THAT(lines_[0], HasSubstr("-DSLURM_SOURCE_DIR=" + folder_.path() + "/slurm "));
    EXPECT_THAT(out_.str(), HasSubstr("built for Slurm 24.11.5:\n  " + folder_.path() +
                                      "/build/plugin/topology_nvl72block.so\n"));
    EXPECT_THAT(out_.str(), HasSubstr("Set TopologyPlugin=topology/nvl72block in slurm.conf"));
    EXPECT_THAT(out_.str(), HasSubstr("directory on all controllers, compute nodes"));
    EXPECT_THAT(out_.str(), testing::Not(HasSubstr("installed in")));
}

TEST_F(BuildPlugin, InstallsWhereSlurmLooks) {
    options_.install = true;
    answers_["scontrol show"] = {0,
                                 "x\nPluginDir               = /opt/dropin:/usr/lib64/slurm\ny\n"};
    EXPECT_EQ(build(), exit_ok);
    EXPECT_THAT(steps_, ElementsAre("cmake --fresh", "cmake --build", "cmake --install"));
    EXPECT_THAT(lines_[0], HasSubstr("-DNVL72BLOCK_PLUGIN_DIR=/usr/lib64/slurm "));
    EXPECT_THAT(lines_[2], HasSubstr("--component plugin"));
    EXPECT_THAT(out_.str(), HasSubstr("installed in /usr/lib64/slurm\n"));
    EXPECT_THAT(out_.str(), HasSubstr("directory on all other controllers"));
}

TEST_F(BuildPlugin, AGivenPluginDirectoryComesFirstAndTheDropinIsInstalledOnRequest) {
    options_.install = options_.dropin = true;
    options_.plugin_dir = "/opt/slurm/lib/slurm";
    EXPECT_EQ(build(), exit_ok);
    EXPECT_THAT(lines_[0], HasSubstr("-DNVL72BLOCK_PLUGIN_DIR=/opt/slurm/lib/slurm "));
    EXPECT_THAT(lines_.back(), HasSubstr("--component dropin"));
}

/// They were those of the plugin, with which a topology.yaml goes on to load Slurm's
/// topology/block.
TEST_F(BuildPlugin, TheStepsAfterADropinAreItsOwn) {
    options_.install = options_.dropin = true;
    options_.plugin_dir = "/usr/lib64/slurm";
    EXPECT_EQ(build(), exit_ok);
    EXPECT_THAT(out_.str(),
                HasSubstr("next:\n"
                          "  1. Copy /usr/lib64/slurm/nvl72block to all other controllers, compute "
                          "nodes and login nodes.\n"
                          "  2. Set PluginDir=/usr/lib64/slurm/nvl72block:/usr/lib64/slurm in "
                          "slurm.conf on all hosts, with TopologyPlugin=topology/block.\n"));
    EXPECT_THAT(out_.str(), testing::Not(HasSubstr("TopologyPlugin=topology/nvl72block")));
}

TEST_F(BuildPlugin, RefusesTheSourceOfAnotherVersion) {
    answers_["slurmctld -V"] = {0, "slurm 25.05.8\n"};
    EXPECT_EQ(failure(),
              "--slurm-source: " + options_.slurm_source +
                  " is Slurm 24.11.5, but slurmctld on this host is 25.05.8: Slurm loads "
                  "only plugins of exactly its own version; give the source of Slurm "
                  "25.05.8, or --other-hosts to build for hosts that run Slurm 24.11.5");
    EXPECT_THAT(steps_, IsEmpty());
    options_.other_hosts = true;
    EXPECT_EQ(build(), exit_ok);
}

TEST_F(BuildPlugin, AnotherVersionIsNeverInstalledHere) {
    options_.install = options_.other_hosts = true;
    EXPECT_THAT(failure(), HasSubstr("--install: cannot be combined with --other-hosts"));
}

TEST_F(BuildPlugin, WithoutAnInstalledSlurmANoteSaysWhichOneThePluginIsFor) {
    answers_.erase("slurmctld -V");
    EXPECT_EQ(build(), exit_ok);
    EXPECT_THAT(err_.str(), HasSubstr("the plugin can be loaded by Slurm 24.11.5 only"));
}

TEST_F(BuildPlugin, AComputeNodeHasSlurmdOnly) {
    answers_.erase("slurmctld -V");
    answers_["slurmd -V"] = {0, "slurm 24.11.6"};
    EXPECT_THAT(failure(), HasSubstr("but slurmd on this host is 24.11.6"));
}

TEST_F(BuildPlugin, NamesWhatIsMissing) {
    answers_["cmake --version"] = {0, "cmake version 3.24.9\n"};
    answers_["ninja --version"] = {program_missing, ""};
    EXPECT_THAT(failure(), HasSubstr("missing on this host: CMake 3.25 or later, Ninja; "));
    EXPECT_THAT(steps_, IsEmpty());
}

TEST_F(BuildPlugin, AFolderThatIsNoSlurmIsTold) {
    options_.slurm_source = folder_.path();
    EXPECT_EQ(failure(), "--slurm-source: " + folder_.path() +
                             " is not a Slurm source tree; give the unpacked source of exactly the "
                             "Slurm version that the cluster runs");
}

TEST_F(BuildPlugin, SourcesThatAreNotInstalledAreToldWithThePackage) {
    options_.source = folder_.path() + "/none";
    EXPECT_THAT(failure(), HasSubstr("install the package nvl72block-source"));
}

TEST_F(BuildPlugin, AFailureShowsTheEndOfTheLog) {
    failing_step_ = "cmake --build";
    EXPECT_THAT(failure(), HasSubstr("ended with status 1; its output is in " + folder_.path() +
                                     "/build/build.log and ends with:\n  one\n  the reason"));
}

/// They were ignored.
TEST_F(BuildPlugin, OptionsOfAnInstallationNeedOne) {
    for (const char* option : {"--dropin", "--plugin-dir=/usr/lib64/slurm"})
        EXPECT_THAT(
            run_command({"build-plugin", "--slurm-source", options_.slurm_source, option}).err,
            HasSubstr(" requires --install"));
}

}  // namespace
}  // namespace nvl72block::cli
