// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/state/run_programs.hpp"

#include <gtest/gtest.h>

#include "cli/input/input_error.hpp"

namespace nvl72block::cli {
namespace {

constexpr std::chrono::seconds patience{20};

std::string failure(const ArgumentList& program, std::chrono::seconds timeout = patience) {
    try {
        (void)run_programs({program}, {}, timeout);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(RunPrograms, CollectsOutputsInOrder) {
    const auto outputs = run_programs({{"sh", "-c", "sleep 0.2; echo one"},
                                       {"echo", "two $X; words"},
                                       {"sh", "-c", "head -c 300000 /dev/zero | tr '\\0' x"}},
                                      {}, patience);
    ASSERT_EQ(outputs.size(), 3U);
    EXPECT_EQ(outputs[0], "one\n");
    EXPECT_EQ(outputs[1], "two $X; words\n");
    EXPECT_EQ(outputs[2].size(), 300000U);
}

TEST(RunPrograms, ReplacesVariables) {
    EXPECT_EQ(run_programs({{"sh", "-c", "echo $SLURM_TOPO_LEN"}}, {"SLURM_TOPO_LEN=7"}, patience),
              std::vector<std::string>{"7\n"});
}

TEST(RunPrograms, SaysWhatIsWrong) {
    EXPECT_EQ(failure({"no-such-program-here", "show"}),
              "no-such-program-here: not found on PATH; run it on a host with Slurm's commands, or "
              "name a saved state with --state DIR");
    EXPECT_EQ(failure({"sh", "-c", "echo refused >&2; exit 3"}).find("sh -c echo refused"), 0U);
    EXPECT_NE(failure({"sh", "-c", "echo refused >&2; exit 3"}).find(": refused; "),
              std::string::npos);
    // The exit status was printed as waitpid() gives it: 768.
    EXPECT_EQ(failure({"sh", "-c", "exit 3"}),
              "sh -c exit 3: ended with exit status 3; check that slurmctld answers (scontrol "
              "ping), or name a saved state with --state DIR");
    EXPECT_NE(failure({"sh", "-c", "kill -9 $$"}).find(": was ended by signal 9; "),
              std::string::npos);
    const std::string denied =
        failure({"sh", "-c", "echo 'slurm_load_node error: Access/permission denied'; exit 1"});
    EXPECT_NE(denied.find("PrivateData in slurm.conf keeps it from this user"), std::string::npos);
    EXPECT_NE(failure({"sleep", "100"}, std::chrono::seconds(1)).find("no answer within 1 s"),
              std::string::npos);
}

}  // namespace
}  // namespace nvl72block::cli
