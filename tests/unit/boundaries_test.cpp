// SPDX-License-Identifier: GPL-2.0-or-later
//
// The house's boundaries, held by reading the sources: the engine knows nothing of Slurm, nothing
// of Slurm's text lies in this tree, and dependencies between folders go one way.
#include <gtest/gtest.h>

#include <algorithm>
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

/// What lies on what: a file includes headers of its own layer and of those before it. A layer is
/// the folders below src and the public headers that begin so.
const std::vector<std::vector<std::string>> layers = {
    {"text/", "nvl72block/node_set.hpp"},
    {"files/"},
    {"diagnostics/", "nvl72block/diagnostics.hpp"},
    {"hostlist/", "nvl72block/hostlist.hpp"},
    {"topology/", "nvl72block/topology", "nvl72block/containment_graph.hpp",
     "nvl72block/plain_rule.hpp"},
    {"clique/", "nvl72block/clique.hpp"},
    {"fragmentation/", "nvl72block/fragmentation.hpp"},
    {"demand/", "nvl72block/demand", "nvl72block/learned_demand.hpp"},
    {"placement/rules/rules", "nvl72block/placement.hpp"},
    {"refusal/"},
    {"placement/state/"},
    {"placement/preference/", "placement/rules/"},
    {"placement/bound/"},
    {"placement/search/", "placement/packing/"},
    {"placement/counts/", "placement/answer/", "placement/place"},
    {"headroom/", "nvl72block/headroom.hpp"},
    {"suggestion/", "nvl72block/suggestion.hpp"},
    {"options/", "nvl72block/options.hpp"},
    {"shadow/", "nvl72block/shadow_record.hpp"},
    {"cluster/", "nvl72block/cluster.hpp", "nvl72block/block_proposal.hpp"},
    {"capi/", "nvl72block/engine.h", "nvl72block/candidate.hpp"},
    {"throughput/"},
    {"replay/logs/"},
    {"replay/workload/"},
    {"replay/history/"},
    {"replay/strategies/"},
    {"replay/simulation/"},
    {"replay/throughput/"},
    {"replay/figures/"},
    {"cli/console", "cli/exit_code", "cli/json_line", "cli/fit_text", "cli/inventory/"},
    {"cli/input/"},
    {"cli/output/", "cli/program/"},
    {"cli/build_plugin/"},
    {"cli/state/"},
    {"cli/question/"},
    {"cli/reproducer/"},
    {"cli/snapshot/"},
    {"cli/capacity/"},
    {"cli/why/"},
    {"cli/check/"},
    {"cli/generate/"},
    {"cli/graph/"},
    {"cli/plan/"},
    {"cli/replay/"},
    {"cli/learn/"},
    {"cli/report/"},
    {"cli/drawing/"},
    {"cli/show/"},
    {"cli/shadow/"},
    {"cli/metrics/"},
    {"cli/application", "cli/main"},
};

/// The layer of "placement/state/tally.hpp" or "nvl72block/clique.hpp"; layers.size() for none.
std::size_t layer_of(const std::string& path) {
    const auto found = std::ranges::find_if(layers, [&](const std::vector<std::string>& begins) {
        return std::ranges::any_of(
            begins, [&](const std::string& begin) { return path.starts_with(begin); });
    });
    return static_cast<std::size_t>(found - layers.begin());
}

/// As layers name it: below src or include.
std::string layer_path(const fs::path& file) {
    const fs::path root(NVL72BLOCK_SOURCE_DIR);
    const fs::path in_src = fs::relative(file, root / "src");
    return *in_src.begin() == ".." ? fs::relative(file, root / "include").string()
                                   : in_src.string();
}

/// "file includes header" for each header of our own that is wrong in these folders.
template <typename Wrong>
std::vector<std::string> wrong_includes(const std::vector<std::string>& folders, Wrong wrong) {
    static const std::regex include("^\\s*#\\s*include\\s*\"([^\"]+)\"");
    std::vector<std::string> found;
    for (const fs::path& file : sources(folders)) {
        std::ifstream stream(file);
        std::smatch match;
        for (std::string line; std::getline(stream, line);)
            if (std::regex_search(line, match, include) && wrong(layer_path(file), match[1].str()))
                found.push_back(layer_path(file) + " includes " + match[1].str());
    }
    return found;
}

TEST(Boundaries, EveryFileOfOursHasALayer) {
    for (const fs::path& file : sources({"include", "src"}))
        if (file.filename() != "CMakeLists.txt" && file.extension() != ".md") {
            EXPECT_LT(layer_of(layer_path(file)), layers.size()) << file;
        }
}

TEST(Boundaries, DependenciesBetweenFoldersGoOneWay) {
    EXPECT_EQ(wrong_includes({"include", "src"},
                             [](const std::string& file, const std::string& header) {
                                 return layer_of(header) > layer_of(file);
                             }),
              std::vector<std::string>{});
}

TEST(Boundaries, TheCommandUsesNoPrivateHeaderOfTheEngine) {
    EXPECT_EQ(wrong_includes({"src/cli", "src/replay", "src/throughput"},
                             [](const std::string&, const std::string& header) {
                                 return !header.starts_with("nvl72block/") &&
                                        !header.starts_with("cli/") &&
                                        !header.starts_with("replay/") &&
                                        !header.starts_with("throughput/") &&
                                        !header.starts_with("text/") &&
                                        !header.starts_with("files/");
                             }),
              std::vector<std::string>{});
}

/// Lines with `pattern` in the command's sources, but in the files that are named.
std::vector<std::string> elsewhere(const std::regex& pattern,
                                   const std::vector<std::string>& allowed) {
    std::vector<fs::path> files = sources({"src/cli", "src/replay"});
    std::erase_if(files, [&](const fs::path& file) {
        return std::ranges::find(allowed, file.filename().string()) != allowed.end();
    });
    return matches(files, pattern);
}

// All that the command prints passes a PrintableStream, all JSON printable(), and a control
// character is written by those who need one.
TEST(Boundaries, ForeignTextHasOneWayOut) {
    const std::regex outputs(R"(std::(cout|cerr|clog)\b|\bf?printf\(|\bf?puts\(|STDOUT_FILENO, )");
    EXPECT_EQ(elsewhere(outputs, {"console.cpp", "main.cpp", "child_process.cpp"}),
              std::vector<std::string>{});
    EXPECT_EQ(elsewhere(std::regex(R"(\.dump\()"), {"json_line.hpp", "report.cpp", "document.cpp"}),
              std::vector<std::string>{});
    EXPECT_EQ(elsewhere(std::regex(R"(\\x1b|\\033|\\r)"),
                        {"watch.cpp", "progress_bar.cpp", "glyph_color.cpp", "printable_stream.cpp",
                         "log_lines.cpp"}),
              std::vector<std::string>{});
}

TEST(Boundaries, ThePluginSeesTheEngineAsPlainC) {
    EXPECT_EQ(wrong_includes({"plugin"},
                             [](const std::string&, const std::string& header) {
                                 return header.starts_with("nvl72block/") &&
                                        header != "nvl72block/engine.h";
                             }),
              std::vector<std::string>{});
}

TEST(Boundaries, NoFileCarriesANoticeOfSlurmsAuthors) {
    const std::regex notice(
        "Copyright.*(Sched"
        "MD|Lawrence Liver"
        "more)");
    EXPECT_EQ(matches(sources({"include", "src", "plugin", "records", "tests", "configs", "docs",
                               "cmake"}),
                      notice),
              std::vector<std::string>{});
}

}  // namespace
