// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/output/replace_file.hpp"

#include <algorithm>
#include <fstream>

#include "../command.hpp"
#include "cli/input/input_error.hpp"

namespace nvl72block::cli {
namespace {

namespace fs = std::filesystem;

std::string content(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::ptrdiff_t files_in(const std::string& folder) {
    return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

TEST(ReplaceFile, ReplacesAndLeavesNothingBehind) {
    const Folder folder;
    const std::string file = folder.path() + "/a.prom";
    replace_file("--output", file, "one");
    replace_file("--output", file, "two");
    EXPECT_EQ(content(file), "two");
    EXPECT_EQ(files_in(folder.path()), 1);
    EXPECT_EQ(fs::status(file).permissions(), fs::perms{0644});
}

TEST(ReplaceFile, AReaderKeepsTheTextThatItOpened) {
    const Folder folder;
    const std::string file = folder.file("a.prom", "earlier");
    std::ifstream reader(file);
    replace_file("--output", file, std::string(100000, 'x'));
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(reader), {}), "earlier");
}

TEST(ReplaceFile, ReplacesTheTargetOfALink) {
    const Folder folder;
    const std::string file = folder.file("target", "earlier");
    fs::create_symlink("target", folder.path() + "/link");
    replace_file("--output", folder.path() + "/link", "new");
    EXPECT_EQ(content(file), "new");
    EXPECT_TRUE(fs::is_symlink(folder.path() + "/link"));
}

TEST(ReplaceFile, WritesToADevice) {
    replace_file("--output", "/dev/null", "text");
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
    EXPECT_THROW(replace_file("--output", "/dev/full", "text"), InputError);
}

TEST(ReplaceFile, TellsWhatFailedAndLeavesNothingBehind) {
    const Folder folder;
    EXPECT_THROW(replace_file("--output", folder.path() + "/no/a", "text"), InputError);
    EXPECT_THROW(replace_file("--output", folder.path(), "text"), InputError);  // a directory
    EXPECT_EQ(files_in(folder.path()), 0);
}

}  // namespace
}  // namespace nvl72block::cli
