// SPDX-License-Identifier: GPL-2.0-or-later
//
// The manual page of the plugin has every option of TopologyParam= with its values and default.
#include <gtest/gtest.h>

#include <array>
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

template <typename Value, std::size_t count>
void expect_option(const std::string& text, const std::string& key,
                   const std::array<NamedValue<Value>, count>& values) {
    const std::string line = "\n.BR " + key + "= { " + join_names(values, " | ") + " }\n";
    EXPECT_NE(text.find(line), std::string::npos) << line;
}

TEST(ManualPages, ThePluginsHasEveryOptionWithItsValues) {
    const std::string text = page("topology_nvl72block.5");
    expect_option(text, "Nvl72Policy", policy_values);
    expect_option(text, "Nvl72Fragmentation", fragmentation_values);
    expect_option(text, "Nvl72Clique", clique_mode_values);
    expect_option(text, "Nvl72Aggregate", aggregation_values);
    expect_option(text, "Nvl72NewBlocks", new_blocks_values);
    expect_option(text, "Nvl72Explain", explain_values);
    expect_option(text, "Nvl72Shadow", shadow_values);
}

/// An option that is new in src/options has to appear, although the test above does not know it.
TEST(ManualPages, ThePluginsHasEveryOptionThatIsRead) {
    const std::string text = page("topology_nvl72block.5");
    Options options;
    options.clique_prefix = "x";
    const std::string words = to_string(options);
    const std::regex key("(Nvl72[A-Za-z]*)=");
    int found = 0;
    for (std::sregex_iterator each(words.begin(), words.end(), key), end; each != end; ++each) {
        ++found;
        EXPECT_TRUE(std::regex_search(text, std::regex("\n\\.B[RI] " + (*each)[1].str() + "=")))
            << (*each)[1];
    }
    EXPECT_GE(found, 7);
}

}  // namespace
}  // namespace nvl72block
