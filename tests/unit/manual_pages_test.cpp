// SPDX-License-Identifier: GPL-2.0-or-later
//
// The manual page of the plugin has every option of TopologyParam= with its values and default.
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>
#include <string>

#include "nvl72block/options.hpp"

namespace nvl72block {
namespace {

std::string page(const std::string& name) {
    std::ifstream stream(std::string(NVL72BLOCK_SOURCE_DIR "/docs/man/") + name);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

/// How the page writes an option's form: "Nvl72Explain= { on | off }", or any text after the key.
std::regex form(const OptionNames& option) {
    std::string values;
    for (const std::string_view value : option.values)
        values.append(values.empty() ? " \\{ " : " \\| ").append(value);
    if (!values.empty()) values += " \\}\n";
    return std::regex("\n\\.B[RI] " + std::string(option.key) + "=" + values);
}

TEST(ManualPages, ThePluginsHasEveryOptionWithItsValues) {
    const std::string text = page("topology_nvl72block.5");
    for (const OptionNames& option : option_names())
        EXPECT_TRUE(std::regex_search(text, form(option))) << option.key;
}

TEST(ManualPages, AnOptionOrAValueThatIsMissingIsFound) {
    const std::string text = "\n.BR Nvl72Explain= { on | off }\n";
    EXPECT_TRUE(std::regex_search(text, form({"Nvl72Explain", {"on", "off"}})));
    EXPECT_FALSE(std::regex_search(text, form({"Nvl72Explain", {"off", "on"}})));
    EXPECT_FALSE(std::regex_search(text, form({"Nvl72Explain", {"on", "off", "late"}})));
    EXPECT_FALSE(std::regex_search(text, form({"Nvl72Other", {}})));
}

}  // namespace
}  // namespace nvl72block
