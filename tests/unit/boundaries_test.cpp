// SPDX-License-Identifier: GPL-2.0-or-later
//
// The house's boundaries, held by reading the sources: the engine knows nothing of Slurm, and
// nothing of Slurm's text lies in this tree.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> sources(const std::vector<std::string>& folders) {
    std::vector<fs::path> found;
    for (const std::string& folder : folders)
        for (const auto& entry :
             fs::recursive_directory_iterator(fs::path(NVL72BLOCK_SOURCE_DIR) / folder))
            if (entry.is_regular_file()) found.push_back(entry.path());
    return found;
}

/// "file:line: text" of every line that matches.
std::vector<std::string> matches(const std::vector<fs::path>& files, const std::regex& pattern) {
    std::vector<std::string> found;
    for (const fs::path& file : files) {
        std::ifstream stream(file);
        std::string line;
        for (int number = 1; std::getline(stream, line); ++number)
            if (std::regex_search(line, pattern))
                found.push_back(file.string() + ":" + std::to_string(number) + ": " + line);
    }
    return found;
}

TEST(Boundaries, TheEngineIncludesNoSlurmHeader) {
    const auto engine = sources({"include", "src"});
    ASSERT_GT(engine.size(), 20U);
    const std::regex slurm_include(R"(#\s*include\s*[<"](slurm/|src/|.*slurm))");
    EXPECT_EQ(matches(engine, slurm_include), std::vector<std::string>{});
}

TEST(Boundaries, TheCheckFindsSlurmHeadersWhereTheyAre) {
    const std::regex slurm_include(R"(#\s*include\s*[<"](slurm/|src/|.*slurm))");
    EXPECT_FALSE(matches(sources({"plugin"}), slurm_include).empty());
}

TEST(Boundaries, NoFileCarriesANoticeOfSlurmsAuthors) {
    const std::regex notice(
        "Copyright.*(Sched"
        "MD|Lawrence Liver"
        "more)");
    EXPECT_EQ(
        matches(sources({"include", "src", "plugin", "tests", "configs", "docs", "cmake"}), notice),
        std::vector<std::string>{});
}

}  // namespace
