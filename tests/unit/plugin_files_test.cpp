// SPDX-License-Identifier: GPL-2.0-or-later
//
// The plugin's directories lie on each other in one order: a file includes headers of its own
// directory and of lower ones, and declares nothing of another file's itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "nvl72block/options.hpp"

namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// The text of each file by its path in plugin/.
using Files = std::map<std::string, std::string>;

/// The lowest first.
const std::vector<std::string> order = {"slurm",   "cliques",  "demand", "topology", "job",
                                        "comment", "decision", "shadow", "entry"};

Files read_plugin() {
    Files files;
    const fs::path folder = fs::path(NVL72BLOCK_SOURCE_DIR) / "plugin";
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.path().extension() == ".c" || entry.path().extension() == ".h") {
            std::ifstream stream(entry.path());
            files[entry.path().lexically_relative(folder).string()] =
                std::string(std::istreambuf_iterator<char>(stream), {});
        }
    return files;
}

/// The position of a path's directory in the order; its size for none.
std::size_t height(const std::string& path) {
    const std::size_t end = path.find('/');
    const std::string folder = end == std::string::npos ? "" : path.substr(0, end);
    return static_cast<std::size_t>(std::ranges::find(order, folder) - order.begin());
}

/// All matches of the pattern's first group.
std::vector<std::string> groups(const std::string& text, const std::regex& pattern) {
    std::vector<std::string> found;
    for (std::sregex_iterator next(text.begin(), text.end(), pattern), end; next != end; ++next)
        found.push_back((*next)[1]);
    return found;
}

std::vector<std::string> violations(const Files& files) {
    static const std::regex include(R"re((?:^|\n)#include "([^"]+)")re");
    static const std::regex declaration(
        R"((?:^|\n)extern [^;{}=#]*?\b((?:nvl72|plugin|supports)_\w+)[^;{}]*;)");
    std::vector<std::string> found;
    for (const auto& [file, text] : files) {
        if (height(file) == order.size()) found.push_back(file + " is in no directory");
        for (const std::string& header : groups(text, include))
            if (files.contains(header) && height(header) > height(file))
                found.push_back(file + " includes " + header);
        if (file.ends_with(".h")) continue;
        for (const std::string& name : groups(text, declaration))
            found.push_back(file + " declares " + name);
    }
    return found;
}

/// Options that the plugin asks for by a key or value that there is not.
std::vector<std::string> unknown_options(const Files& files) {
    static const std::regex asked(R"re(nvl72block_options_(?:have|value)\(\s*[^;"]*"([^"]+)")re");
    std::vector<std::string> known, found;
    for (const nvl72block::OptionNames& option : nvl72block::option_names()) {
        known.emplace_back(option.key);
        for (const std::string_view value : option.values)
            known.push_back(known.back().substr(0, option.key.size()) + "=" + std::string(value));
    }
    for (const auto& [file, text] : files)
        for (const std::string& word : groups(text, asked))
            if (std::ranges::find(known, word) == known.end())
                found.push_back(file + " asks for " + word);
    return found;
}

TEST(PluginFiles, AskForOptionsThatThereAre) {
    EXPECT_THAT(unknown_options(read_plugin()), IsEmpty());
    const Files files = {
        {"job/a.c",
         "if (!nvl72block_options_have(options, \"Nvl72Explain=off\") &&\n"
         "    nvl72block_options_have(\n        context->options, \"Nvl72Explain=no\"))\n"
         "    return nvl72block_options_value(options, \"Nvl72Demnad\");\n"}};
    EXPECT_THAT(unknown_options(files),
                ElementsAre("job/a.c asks for Nvl72Explain=no", "job/a.c asks for Nvl72Demnad"));
}

TEST(PluginFiles, IncludeHeadersOfLowerDirectoriesOnly) {
    const Files files = read_plugin();
    ASSERT_TRUE(files.contains("decision/evaluate.c"));
    EXPECT_THAT(violations(files), IsEmpty());
}

TEST(PluginFiles, AnIncludeUpwardsIsFound) {
    const Files files = {{"job/job.h", "#include \"slurm/facts.h\"\n#include \"entry/entry.h\"\n"},
                         {"slurm/facts.h", "/* facts */\n#include \"src/common/log.h\"\n"},
                         {"entry/entry.h", ""},
                         {"plugin.h", ""}};
    EXPECT_THAT(violations(files),
                ElementsAre("job/job.h includes entry/entry.h", "plugin.h is in no directory"));
}

TEST(PluginFiles, ADeclarationOfOnesOwnIsFound) {
    const Files files = {{"job/a.c",
                          "extern int nvl72_up(int* a,\n    int b);\n"
                          "extern int nvl72_down(int c) {\n    return nvl72_up(&c, 1);\n}\n"}};
    EXPECT_THAT(violations(files), ElementsAre("job/a.c declares nvl72_up"));
}

}  // namespace
