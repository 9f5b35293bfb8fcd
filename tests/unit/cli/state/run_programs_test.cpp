// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/state/run_programs.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdlib>
#include <thread>

#include "../command.hpp"
#include "cli/input/input_error.hpp"

namespace nvl72block::cli {
namespace {

using ::testing::HasSubstr;

constexpr ProgramLimits patience{std::chrono::seconds(20)};

std::string failure(const ArgumentList& program, const ProgramLimits& limits = patience) {
    try {
        (void)run_programs({program}, {}, limits);
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

// SQUEUE_USERS and its like choose among the jobs.
TEST(RunPrograms, RemovesVariables) {
    setenv("SQUEUE_USERS", "alice", 1);
    EXPECT_EQ(run_programs({{"sh", "-c", "echo $SQUEUE_USERS; command -v sh >/dev/null && echo x"}},
                           {"SQUEUE_"}, patience),
              std::vector<std::string>{"\nx\n"});
    unsetenv("SQUEUE_USERS");
}

TEST(RunPrograms, SaysWhatIsWrong) {
    EXPECT_EQ(failure({"no-such-program-here", "show"}),
              "no-such-program-here: not found on PATH; run it on a host with Slurm's commands, or "
              "pass a saved state with --state DIR");
    EXPECT_EQ(failure({"sh", "-c", "echo refused >&2; exit 3"}).find("sh -c echo refused"), 0U);
    EXPECT_NE(failure({"sh", "-c", "echo refused >&2; exit 3"}).find(": refused; "),
              std::string::npos);
    // The exit status was printed as waitpid() gives it: 768.
    EXPECT_EQ(failure({"sh", "-c", "exit 3"}),
              "sh -c exit 3: ended with exit status 3; check that slurmctld answers (scontrol "
              "ping), or pass a saved state with --state DIR");
    EXPECT_NE(failure({"sh", "-c", "kill -9 $$"}).find(": was ended by signal 9; "),
              std::string::npos);
    const std::string denied =
        failure({"sh", "-c", "echo 'slurm_load_node error: Access/permission denied'; exit 1"});
    EXPECT_NE(denied.find("PrivateData in slurm.conf keeps it from this user"), std::string::npos);
    EXPECT_NE(failure({"sleep", "100"}, {std::chrono::seconds(1)}).find("no answer within 1 s"),
              std::string::npos);
}

// It was waited for without an end: the limit counted until its outputs were closed.
TEST(RunPrograms, AProgramThatHasClosedItsOutputsIsLateToo) {
    EXPECT_THAT(failure({"sh", "-c", "exec >&- 2>&-; sleep 1000"}, {std::chrono::seconds(1)}),
                HasSubstr("no answer within 1 s"));
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a program is left";
    EXPECT_EQ(errno, ECHILD);
}

// What a program has started holds its outputs open, and was left running.
TEST(RunPrograms, EndsWhatAProgramHasStarted) {
    const Folder folder;
    const std::string fifo = folder.path() + "/fifo";
    ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
    // The fifo has a writer as long as the inner shell lives.
    const std::string inner =
        "sh -c 'exec 3<>" + fifo + "; echo >&3; sleep 1000' & read x < " + fifo;
    EXPECT_THAT(failure({"sh", "-c", inner + "; wait"}, {std::chrono::seconds(2)}),
                HasSubstr("no answer within 2 s"));
    const int file = open(fifo.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ASSERT_GE(file, 0);
    char letter = 0;
    int tries = 2000;  // until nobody has it open for writing
    while (read(file, &letter, 1) != 0 && --tries > 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    close(file);
    EXPECT_GT(tries, 0) << "what the program has started still runs";
}

// 2 GB were in memory before the refusal.
TEST(RunPrograms, NoMoreIsReadThanTheLimit) {
    const ProgramLimits few{std::chrono::seconds(20), 1000};
    EXPECT_EQ(failure({"head", "-c", "1000", "/dev/zero"}, few), "");
    EXPECT_EQ(
        failure({"cat", "/dev/zero"}, few),
        "cat /dev/zero: prints more than the 1000 bytes that are read of it; run it alone and "
        "look at what it prints");
    EXPECT_EQ(failure({"sh", "-c", "head -c 3000000 /dev/zero >&2"}, few), "");
}

}  // namespace
}  // namespace nvl72block::cli
