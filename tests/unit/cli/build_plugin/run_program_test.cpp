// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/build_plugin/run_program.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "../command.hpp"

namespace nvl72block::cli {
namespace {

TEST(RunProgram, BothOutputsAndTheStatusAreReturned) {
    const ProgramResult result = run_program({"sh", "-c", "echo one; echo two >&2; exit 3"}, "");
    EXPECT_EQ(result.status, 3);
    EXPECT_EQ(result.output, "one\ntwo\n");
}

TEST(RunProgram, ArgumentsAreNotReadByAShell) {
    EXPECT_EQ(run_program({"printf", "%s", "$(id) ; 'x"}, "").output, "$(id) ; 'x");
}

TEST(RunProgram, AProgramThatDoesNotExistHasAStatusOfItsOwn) {
    EXPECT_EQ(run_program({"nvl72block-no-such-program"}, "").status, program_missing);
}

TEST(RunProgram, OutputIsAppendedToALog) {
    const Folder folder;
    const std::string log = folder.file("log", "before\n");
    EXPECT_EQ(run_program({"echo", "after"}, log).output, "");
    std::ifstream file(log);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "before\nafter\n");
}

TEST(RunProgram, AProgramEndedByASignalFailed) {
    EXPECT_EQ(run_program({"sh", "-c", "kill -TERM $$"}, "").status, 128 + 15);
}

}  // namespace
}  // namespace nvl72block::cli
