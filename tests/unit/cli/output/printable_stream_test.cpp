// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/output/printable_stream.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "../command.hpp"

namespace nvl72block::cli {
namespace {

std::string written(const std::string& text, bool colors = false) {
    std::ostringstream target;
    {
        PrintableStream stream(target);
        if (colors) pass_colors(stream);
        stream << text;
    }
    return target.str();
}

TEST(PrintableStream, LetsLinesThrough) {
    EXPECT_EQ(written("a\nb\n機"), "a\nb\n機");
    EXPECT_EQ(written("\x1b[31mred\x1b[0m\a"), "\\x1b[31mred\\x1b[0m\\x07");
}

TEST(PrintableStream, ColorsAreNoOtherSequences) {
    EXPECT_EQ(written("\x1b[31mred\x1b[0m", true), "\x1b[31mred\x1b[0m");
    for (const char* sequence : {"[2J", "[8m", "[41m", "[38m", "[1;31m", "]0;x", "[31", "[m", "["})
        EXPECT_EQ(written(std::string("\x1b") + sequence, true), std::string("\\x1b") + sequence);
}

TEST(PrintableStream, CharactersStayInOnePiece) {
    std::ostringstream target;
    {
        PrintableStream stream(target);
        for (const char byte : std::string("機\n\xe6")) stream << byte;
    }
    EXPECT_EQ(target.str(), "機\n\\xe6");
}

TEST(PrintableStream, ControlsOfTheCommandsOwnPassInTheirPlace) {
    std::ostringstream target;
    PrintableStream stream(target);
    stream << "a\x1b";
    write_control(stream, "\x1b[K");
    stream << "b" << std::flush;
    EXPECT_EQ(target.str(), "a\\x1b\x1b[Kb");
}

TEST(PrintableStream, AFailedTargetIsSeen) {
    std::ostringstream target;
    target.setstate(std::ios::badbit);
    PrintableStream stream(target);
    EXPECT_FALSE(stream << "a\n" << std::flush);
}

// `why`, `--partition`, `--reservation`, `-C` and the rest echoed their arguments as they were.
TEST(Arguments, AreEchoedPrintable) {
    const std::string evil = "\x1b]0;PWN\a\x1b[2J\u202e\xff";
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{evil},
                                               {"why", evil, "--state", evil},
                                               {"capacity", "--state", evil},
                                               {"plan", "--topology", evil},
                                               {"show", "--" + evil},
                                               {"generate", "--features", evil},
                                               {"graph", "--topology", evil},
                                               {"replay", "--workload", evil},
                                               {"check", evil},
                                               {"metrics", "--output", evil, "--topology", evil}}) {
        const Result result = run_command(arguments);
        EXPECT_NE(result.status, 0);
        for (const std::string& text : {result.out, result.err}) {
            EXPECT_EQ(text.find_first_of("\x1b\a\xff"), std::string::npos) << text;
            EXPECT_EQ(text.find("\u202e"), std::string::npos) << text;
        }
    }
}

}  // namespace
}  // namespace nvl72block::cli
