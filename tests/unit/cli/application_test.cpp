// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/application.hpp"

#include <cctype>
#include <fstream>
#include <sstream>

#include "command.hpp"

namespace nvl72block::cli {
namespace {

TEST(Application, AnswersHelpOnStdout) {
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"--help"},
                                               {"show", "--help"},
                                               {"plan", "--help"},
                                               {"graph", "--help"},
                                               {"capacity", "--help"},
                                               {"why", "--help"},
                                               {"snapshot", "--help"},
                                               {"metrics", "--help"},
                                               {"shadow", "--help"},
                                               {"replay", "--help"}}) {
        const Result result = run_command(arguments);
        EXPECT_EQ(result.status, 0);
        EXPECT_EQ(result.err, "");
        EXPECT_NE(result.out.find(arguments.size() > 1 ? "Example" : "SUBCOMMAND --help"),
                  std::string::npos)
            << result.out;
    }
    EXPECT_EQ(run_command({"--version"}).status, 0);
}

TEST(Application, NamesTheSubcommandsWhenNoneIsRight) {
    EXPECT_EQ(run_command({}).err,
              "nvl72block: needs a subcommand; write show, plan, capacity, why, "
              "snapshot, check, generate, graph, metrics, replay, learn, report, shadow, "
              "build-plugin\n");
    EXPECT_EQ(run_command({"shwo"}).err,
              "nvl72block: unknown subcommand \"shwo\"; write show, plan, capacity, why, "
              "snapshot, check, generate, graph, metrics, replay, learn, report, shadow, "
              "build-plugin\n");
    EXPECT_EQ(run_command({"shwo"}).status, 2);
    EXPECT_EQ(run_command({"--nonsense"}).status, 2);
    EXPECT_EQ(run_command({""}).status, 2);
}

/// The first words of the lines that start so, in a help text.
std::vector<std::string> first_column(const std::string& help, const std::string& start) {
    std::vector<std::string> names;
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(start)) names.push_back(line.substr(2, line.find(' ', 2) - 2));
    return names;
}

/// docs/man/nvl72block.1 has a section for each subcommand, and each option in that section.
TEST(Application, TheManualHasEverySubcommandWithEveryOption) {
    std::ifstream stream(NVL72BLOCK_SOURCE_DIR "/docs/man/nvl72block.1");
    std::ostringstream content;
    content << stream.rdbuf();
    // As a reader sees the names: without roff's backslashes.
    std::string manual = content.str();
    std::erase(manual, '\\');
    const std::string help = run_command({"--help"}).out;
    const std::vector<std::string> commands =
        first_column(help.substr(help.find("Subcommands:")), "  ");
    ASSERT_GE(commands.size(), 11U);
    for (const std::string& command : commands) {
        std::string heading = ".SH ";
        for (const char letter : command) heading += static_cast<char>(std::toupper(letter));
        const std::size_t begin = manual.find(heading + '\n');
        ASSERT_NE(begin, std::string::npos) << heading;
        const std::string section = manual.substr(begin, manual.find("\n.SH ", begin) - begin);
        for (const std::string& names : first_column(run_command({command, "--help"}).out, "  -")) {
            const std::string option = names.substr(names.find("--"));
            if (option != "--help") {
                EXPECT_NE(section.find(option), std::string::npos) << command << ' ' << option;
            }
        }
    }
}

TEST(Application, RefusesWhatIsNoTopology) {
    const Folder folder;
    for (const std::string& file :
         {folder.path(), folder.path() + "/none", folder.file("empty", ""),
          folder.file("binary", std::string("\x7f"
                                            "ELF\0\1\2\n",
                                            8)),
          folder.file("feature", "BlockName=b1 Nodes=feature{rack1}\n"),
          folder.file("twice", "BlockName=b1 Nodes=n1\nBlockName=b2 Nodes=n1\n"), std::string()}) {
        for (const char* subcommand : {"show", "graph"}) {
            const Result result = run_command({subcommand, "--topology", file});
            EXPECT_EQ(result.status, 2) << file;
            EXPECT_NE(result.err, "") << file;
        }
        EXPECT_EQ(run_command({"plan", "--nodes=1", "--topology", file}).status, 2) << file;
    }
}

/// A script's variable that was not set asked the running cluster, or left a check out.
TEST(Application, AnEmptyValueIsNotTakenForNone) {
    const Folder folder;
    const std::string topology =
        folder.file("topology.conf", "BlockName=b1 Nodes=n[1-4]\nBlockSizes=4\n");
    for (const auto& [subcommand, option] :
         {std::pair{"check", "--nodes"}, std::pair{"check", "--state"}, std::pair{"show", "--svg"},
          std::pair{"show", "--width"}, std::pair{"metrics", "--output"}}) {
        const Result result = run_command({subcommand, "--topology", topology, option, ""});
        EXPECT_EQ(result.status, 2) << option;
        EXPECT_EQ(result.out, "");
        EXPECT_EQ(result.err,
                  std::string(option) + ": is empty; write a value, or leave the option out\n");
    }
    EXPECT_EQ(run_command({"show", "--topology", ""}).err,
              "--topology: is empty; write a value, or leave the option out\n");
    EXPECT_EQ(run_command({"snapshot", ""}).err,
              "DIR: is empty; write a value, or leave the option out\n");
    EXPECT_EQ(run_command({"show", "--topology", topology, "--busy", "", "--drained", ""}).status,
              0);
    EXPECT_EQ(
        run_command({"check", "--topology", topology, "--param", "", "--clique-prefix", ""}).status,
        0);
}

}  // namespace
}  // namespace nvl72block::cli
