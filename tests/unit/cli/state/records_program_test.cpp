// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/state/records_program.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "../command.hpp"
#include "cli/input/input_error.hpp"

namespace nvl72block::cli {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// PATH is a directory of the test's own, and those of the shell's programs.
class RecordsProgram : public testing::Test {
  protected:
    RecordsProgram() : path_(std::getenv("PATH")) {
        std::filesystem::create_directory(folder_.path() + "/bin");
        setenv("PATH", (folder_.path() + "/bin:/usr/bin:/bin").c_str(), 1);
    }
    RecordsProgram(const RecordsProgram&) = delete;
    RecordsProgram& operator=(const RecordsProgram&) = delete;
    ~RecordsProgram() override { setenv("PATH", path_.c_str(), 1); }

    std::string add(const std::string& name, const std::string& lines) {
        const std::string path = folder_.path() + "/" + name;
        std::filesystem::create_directories(std::filesystem::path(path).parent_path());
        std::filesystem::permissions(folder_.file(name, "#!/bin/sh\n" + lines),
                                     std::filesystem::perms::owner_all);
        return path;
    }
    /// What is said of a program of these lines.
    std::string failure(const std::string& lines) {
        add("bin/nvl72block-records", lines);
        try {
            (void)ask_records({});
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    }

    std::string path_;
    Folder folder_;
};

TEST_F(RecordsProgram, IsFoundOnPathOrInTheDirectoryOfThePlugins) {
    add("bin/scontrol", "");
    const std::string dropin =
        add("lib/x86_64-linux-gnu/slurm-wlm/nvl72block/nvl72block-records", "");
    EXPECT_EQ(find_records_program(), dropin);
    const std::string plugin = add("lib64/slurm/nvl72block-records", "");
    EXPECT_EQ(find_records_program(), plugin);
    const std::string on_path = add("bin/nvl72block-records", "");
    EXPECT_EQ(find_records_program(), on_path);
}

TEST_F(RecordsProgram, ItsOutputIsReturned) {
    add("bin/nvl72block-records", "echo \"$@\"; echo noise >&2\n");
    EXPECT_EQ(ask_records({"--config"}), "--config\n");
}

TEST_F(RecordsProgram, SaysWhatIsWrong) {
    EXPECT_EQ(
        failure("echo 'nvl72block-records: jobs: Unable to contact slurm controller' >&2; exit 1"),
        "nvl72block-records: jobs: Unable to contact slurm controller; check that slurmctld "
        "answers (scontrol ping), or pass a saved state with --state DIR");
    EXPECT_THAT(failure("echo noise >&2; echo nodes: Access/permission denied >&2; exit 1"),
                AllOf(StartsWith("nvl72block-records: nodes: Access/permission denied; "),
                      HasSubstr("PrivateData in slurm.conf keeps it from this user")));
    EXPECT_THAT(failure("echo no client library of Slurm 24.11.5 is found >&2; exit 1"),
                HasSubstr("is found; run it on a host with Slurm's commands"));
    EXPECT_EQ(failure("echo nvl72block-records: job 7: Invalid time specified >&2; exit 1"),
              "nvl72block-records: job 7: Invalid time specified; what the records say counts");
    EXPECT_THAT(failure("exit 3"), StartsWith("nvl72block-records: ended with exit status 3; "));
    EXPECT_THAT(failure("kill -9 $$"), StartsWith("nvl72block-records: was ended by signal 9; "));
}

TEST_F(RecordsProgram, WithoutItThereIsARemedy) {
    if (!find_records_program().empty()) GTEST_SKIP() << "this host has it";
    try {
        (void)ask_records({});
        ADD_FAILURE();
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(),
                    AllOf(StartsWith("nvl72block-records: is neither beside this command, on PATH "
                                     "nor in Slurm's plugin directory; install the package "
                                     "slurm-topology-nvl72block of this host's Slurm version"),
                          EndsWith("or pass a saved state with --state DIR")));
    }
}

}  // namespace
}  // namespace nvl72block::cli
