// SPDX-License-Identifier: GPL-2.0-or-later
//
// The plugin's files depend on each other one way. They share plugin.h, so that their includes say
// nothing: a file depends on those that define what it names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The text of each file by its path in plugin/.
using Files = std::map<std::string, std::string>;
using Names = std::set<std::string>;
using Graph = std::map<std::string, Names>;

std::string without_comments_and_strings(const std::string& text) {
    static const std::regex unread(
        R"re(/\*[^*]*\*+(?:[^/*][^*]*\*+)*/|//[^\n]*|"(?:[^"\\\n]|\\.)*")re");
    return std::regex_replace(text, unread, " ");
}

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

bool is_header(const std::string& file) {
    return file.ends_with(".h");
}

Names words_of(const std::string& text) {
    static const std::regex word(R"([A-Za-z_]\w*)");
    Names words;
    for (std::sregex_iterator next(text.begin(), text.end(), word), end; next != end; ++next)
        words.insert(next->str());
    return words;
}

/// Functions and variables that other files can see, by name, with the file that defines them.
std::map<std::string, std::string> definitions(const Files& files) {
    static const std::regex function(R"((?:^|\n)extern [^;{}=()]*?\b(\w+)\([^;{}]*\{)");
    static const std::regex variable(
        R"((?:^|\n)(?!static|extern|typedef|return)\w[\w *]*?\b(\w+)(?:\[\w*\])* = [^;]*;)");
    std::map<std::string, std::string> found;
    for (const auto& [file, text] : files) {
        if (is_header(file)) continue;
        for (const std::regex* pattern : {&function, &variable})
            for (std::sregex_iterator next(text.begin(), text.end(), *pattern), end; next != end;
                 ++next)
                found[(*next)[1]] = file;
    }
    return found;
}

/// What the macros of the headers stand for: all words of all their definitions.
std::map<std::string, Names> macros(const Files& files) {
    static const std::regex macro(R"((?:^|\n)#define (\w+)((?:\\\n|[^\n])*))");
    std::map<std::string, Names> found;
    for (const auto& [file, text] : files)
        if (is_header(file))
            for (std::sregex_iterator next(text.begin(), text.end(), macro), end; next != end;
                 ++next)
                found[(*next)[1]].merge(words_of((*next)[2]));
    return found;
}

/// Which files each file depends on.
Graph dependencies(Files files) {
    for (auto& [file, text] : files) text = without_comments_and_strings(text);
    const auto defined = definitions(files);
    const auto stands_for = macros(files);
    Graph graph;
    for (const auto& [file, text] : files) {
        if (is_header(file)) continue;
        Names words = words_of(text);
        for (const std::string& word : words_of(text))
            if (const auto macro = stands_for.find(word); macro != stands_for.end())
                words.insert(macro->second.begin(), macro->second.end());
        Names& needed = graph[file];
        for (const std::string& word : words)
            if (const auto found = defined.find(word); found != defined.end())
                needed.insert(found->second);
        needed.erase(file);
    }
    return graph;
}

/// "a.c -> b.c -> a.c" for a circle, "" where there is none.
std::string find_circle(const Graph& graph, const std::string& file, const std::string& path,
                        Names& open, Names& done) {
    if (open.contains(file)) return path + file;
    if (!done.insert(file).second) return "";
    open.insert(file);
    for (const std::string& next : graph.at(file))
        if (std::string circle = find_circle(graph, next, path + file + " -> ", open, done);
            !circle.empty())
            return circle;
    open.erase(file);
    return "";
}

std::string find_circle(const Graph& graph) {
    Names done;
    for (const auto& [file, needed] : graph) {
        Names open;
        if (std::string circle = find_circle(graph, file, "", open, done); !circle.empty())
            return circle;
    }
    return "";
}

TEST(PluginFiles, DependOnEachOtherOneWay) {
    const Graph graph = dependencies(read_plugin());
    EXPECT_THAT(graph.at("topology_nvl72block.c"), ::testing::Contains("evaluate.c"));
    EXPECT_THAT(graph.at("build_config.c"), ::testing::Contains("identity.c"));
    EXPECT_THAT(graph.at("show_topology.c"), ::testing::Contains("context.c"));
    EXPECT_THAT(graph.at("shadow/ledger.c"), ::testing::Contains("shadow/records.c"));
    EXPECT_THAT(find_circle(graph), IsEmpty());
}

TEST(PluginFiles, OneFileAloneNamesShadowMode) {
    for (const auto& [file, needed] : dependencies(read_plugin()))
        for (const std::string& other : needed)
            if (other.starts_with("shadow/") && !file.starts_with("shadow/")) {
                EXPECT_EQ(file, "topology_nvl72block.c");
                EXPECT_EQ(other, "shadow/forward.c");
            }
}

TEST(PluginFiles, ACallBackClosesACircle) {
    Files files = read_plugin();
    ASSERT_TRUE(files.contains("lay_out.c"));
    files["lay_out.c"] += "extern int again(void) {\n    return nvl72_evaluate(0, 0);\n}\n";
    EXPECT_THAT(find_circle(dependencies(files)), HasSubstr("lay_out.c -> evaluate.c"));
}

TEST(PluginFiles, ACallBackInShadowModeClosesACircle) {
    Files files = read_plugin();
    ASSERT_TRUE(files.contains("shadow/faults.c"));
    files["shadow/faults.c"] += "extern void again(void) {\n    nvl72_ledger_forget(0);\n}\n";
    EXPECT_THAT(find_circle(dependencies(files)), HasSubstr("shadow/faults.c"));
}

TEST(PluginFiles, CallsInMacrosAndVariablesCountCommentsAndTextDoNot) {
    Files files = {
        {"all.h",
         "#define CALL_A \\\n    call_a()\nextern int call_a(void);\nextern int number;\n"},
        {"a.c", "extern int call_a(void) {\n    return number;\n}\n"},
        {"b.c", "int number = 1;\n/* call_a() */\nconst char text[] = \"call_a\";\n"}};
    EXPECT_THAT(find_circle(dependencies(files)), IsEmpty());
    files["b.c"] += "static int again(void) {\n    return CALL_A;\n}\n";
    EXPECT_EQ(find_circle(dependencies(files)), "a.c -> b.c -> a.c");
}

}  // namespace
