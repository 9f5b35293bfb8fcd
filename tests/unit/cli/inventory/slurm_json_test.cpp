// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "readers.hpp"

namespace nvl72block {
namespace {

TEST(SlurmJson, ScontrolShowNodes) {
    EXPECT_EQ(read_text(R"({"nodes": [{"name": "n1", "features": ["gpu", ")" + clique_a +
                        R"("], "active_features": []}, {"name": "n2", "features": []},
                        {"name": "n3"}], "last_update": 1, "meta": {}})"),
              "n1=" + clique_a + " n2=- n3=-");
}

TEST(SlurmJson, FeaturesAsOneString) {
    EXPECT_EQ(read_text(R"({"nodes": [{"name": "n1", "features": "gpu,)" + clique_a + R"("}]})"),
              "n1=" + clique_a);
}

TEST(SlurmJson, NoJson) {
    const std::string message =
        "file: invalid or incomplete JSON; save the tool's output "
        "unchanged";
    EXPECT_EQ(read_text("{"), message);
    EXPECT_EQ(read_text(R"({"nodes": [{"name": "n1"},)"), message);
}

TEST(SlurmJson, AnotherShape) {
    const std::string message =
        "file: the JSON has no list \"nodes\"; save the output of scontrol show nodes --json, or "
        "of kubectl get nodes -o json";
    for (const char* text : {"{}", "[]", R"({"nodes": 3})", R"([{"name": "n1"}])"})
        EXPECT_EQ(read_text(text), message) << text;
    EXPECT_EQ(read_text(R"({"nodes": [{"name": "n1"}, {"name": 3}]})"),
              "file: entry 2 of \"nodes\" has no name; save the tool's output unchanged");
    EXPECT_EQ(read_text(R"({"nodes": [7]})"),
              "file: entry 1 of \"nodes\" has no name; save the tool's output unchanged");
}

}  // namespace
}  // namespace nvl72block
