// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/program/run_program.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

#include "../command.hpp"

namespace nvl72block::cli {
namespace {

ProgramOutcome run(const std::vector<std::string>& words, int seconds = 20,
                   std::size_t bytes = 1U << 20) {
    return run_to_end(words, {std::chrono::seconds(seconds), bytes}, ProcessGroup::own);
}

ProgramOutcome run_shell(const std::string& line, int seconds = 20, std::size_t bytes = 1U << 20) {
    return run({"sh", "-c", line}, seconds, bytes);
}

TEST(RunProgram, CollectsBothOutputs) {
    const ProgramOutcome outcome =
        run_shell("echo one >&2; head -c 300000 /dev/zero; echo two >&2; exit 3");
    EXPECT_EQ(outcome.end, ProgramEnd::exited);
    EXPECT_EQ(WEXITSTATUS(outcome.status), 3);
    EXPECT_EQ(outcome.out.size(), 300000U);
    EXPECT_EQ(outcome.err, "one\ntwo\n");
    EXPECT_EQ(run({"echo", "two $X; words"}).out, "two $X; words\n");
}

TEST(RunProgram, WhatIsNotThereIsNotStarted) {
    const ProgramOutcome outcome = run({"no-such-program-here"});
    EXPECT_EQ(outcome.end, ProgramEnd::not_started);
    EXPECT_EQ(outcome.error, ENOENT);
}

TEST(RunProgram, WithoutALimitOfTimeItTakesWhatItTakes) {
    EXPECT_EQ(run_to_end({"echo", "x"}, {}, ProcessGroup::of_caller).out, "x\n");
}

// It was waited for without an end: the limit counted until its outputs were closed.
TEST(RunProgram, AProgramThatHasClosedItsOutputsIsLateToo) {
    EXPECT_EQ(run_shell("exec >&- 2>&-; sleep 1000", 1).end, ProgramEnd::too_late);
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a program is left";
    EXPECT_EQ(errno, ECHILD);
}

// What a program has started holds its outputs open, and was left running.
TEST(RunProgram, EndsWhatAProgramHasStarted) {
    const Folder folder;
    const std::string fifo = folder.path() + "/fifo";
    ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
    // The fifo has a writer as long as the inner shell lives.
    const std::string inner =
        "sh -c 'exec 3<>" + fifo + "; echo >&3; sleep 1000' & read x < " + fifo;
    EXPECT_EQ(run_shell(inner + "; wait", 2).end, ProgramEnd::too_late);
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
TEST(RunProgram, NoMoreIsReadThanTheLimit) {
    EXPECT_EQ(run({"head", "-c", "1000", "/dev/zero"}, 20, 1000).end, ProgramEnd::exited);
    EXPECT_EQ(run({"cat", "/dev/zero"}, 20, 1000).end, ProgramEnd::too_long);
    EXPECT_EQ(run_shell("head -c 3000000 /dev/zero >&2", 20, 1000).end, ProgramEnd::exited);
}

}  // namespace
}  // namespace nvl72block::cli
