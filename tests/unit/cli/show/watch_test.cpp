// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/show/watch.hpp"

#include <gmock/gmock.h>

#include <sstream>
#include <stdexcept>

#include "../command.hpp"

namespace nvl72block::cli {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// What watch() writes for texts that are numbered, until `rounds` of them are drawn.
std::string drawn(const std::string& text, unsigned height, int rounds) {
    std::ostringstream out;
    int round = 1;
    Watched watched;
    watched.text = [&](TerminalSize) { return text + std::to_string(round); };
    watched.size = [&] { return TerminalSize{80, height}; };
    watched.wait = [&] { return round++ < rounds; };
    watch(out, watched);
    return out.str();
}

TEST(Watch, DrawsOverAndLeavesTheTerminalAsItWas) {
    EXPECT_EQ(drawn("a\nb", 24, 2),
              "\x1b[?1049h\x1b[?25l"
              "\x1b[Ha\x1b[K\r\nb1\x1b[K\x1b[J"
              "\x1b[Ha\x1b[K\r\nb2\x1b[K\x1b[J"
              "\x1b[?25h\x1b[?1049l");
}

TEST(Watch, SaysWhatHasNoRoom) {
    const std::string text = drawn("one\ntwo\nthree\nfour\n", 3, 1);
    EXPECT_THAT(text, HasSubstr("two\x1b[K\r\n3 more lines; the terminal is too small"));
    EXPECT_THAT(text, Not(HasSubstr("three")));
}

TEST(Watch, LeavesTheTerminalAsItWasWhenATextFails) {
    std::ostringstream out;
    int round = 0;
    Watched watched;
    watched.text = [&](TerminalSize) -> std::string {
        if (round++ == 1) throw std::runtime_error("second");
        return "a";
    };
    watched.size = [] { return TerminalSize{}; };
    watched.wait = [] { return true; };
    EXPECT_THROW(watch(out, watched), std::runtime_error);
    EXPECT_THAT(out.str(), StartsWith("\x1b[?1049h"));
    EXPECT_THAT(out.str(), EndsWith("\x1b[?1049l"));
}

TEST(Watch, NeedsATerminalAndNoFile) {
    const Folder folder;
    const std::string file = folder.file("topology.conf", "BlockName=b Nodes=n1\n");
    const Result result = run_command({"show", "--topology", file, "--watch"});
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.err,
              "--watch: needs a terminal; without one, run show again whenever you need it\n");
    EXPECT_EQ(run_command({"show", "--topology", file, "--watch", "2", "--json"}).err,
              "--watch: draws on a terminal and cannot be combined with a file or JSON; leave "
              "--json, --svg "
              "and --html out\n");
}

}  // namespace
}  // namespace nvl72block::cli
