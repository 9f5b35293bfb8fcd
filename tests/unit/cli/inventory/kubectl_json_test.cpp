// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "readers.hpp"

namespace nvl72block {
namespace {

std::string node(const std::string& name, const std::string& labels) {
    return R"({"apiVersion": "v1", "kind": "Node", "metadata": {"name": ")" + name +
           R"(", "labels": {"kubernetes.io/os": "linux")" + labels + "}}}";
}

std::string label(const std::string& value) {
    return R"(, "nvidia.com/gpu.clique": ")" + value + "\"";
}

std::string list(const std::string& items) {
    return R"({"apiVersion": "v1", "items": [)" + items + R"(], "kind": "List"})";
}

TEST(KubectlJson, TheLabelOfTheDevicePlugin) {
    EXPECT_EQ(read_text(list(node("n1", label(clique_a)) + "," + node("n2", "") + "," +
                             node("n3", label("")))),
              "n1=" + clique_a + " n2=- n3=-");
    EXPECT_EQ(read_text(list("")), "");
}

TEST(KubectlJson, OneNode) {
    EXPECT_EQ(read_text(node("n1", label(clique_a))), "n1=" + clique_a);
}

TEST(KubectlJson, ALabelThatIsNoClique) {
    EXPECT_EQ(read_text(list(node("n1", label("rack7")))),
              "n1=the ClusterUUID is malformed [rack7]");
}

TEST(KubectlJson, AnotherShape) {
    const std::string remedy = "; save the output of kubectl get nodes -o json unchanged";
    EXPECT_EQ(read_text(R"({"apiVersion": "v1", "kind": "List"})"),
              "file: the JSON has no list \"items\"" + remedy);
    EXPECT_EQ(read_text(R"([{"apiVersion": "v1"}])"), "file: the JSON is not an object" + remedy);
    for (const char* item :
         {"7", "{}", R"({"metadata": {}})", R"({"metadata": 1})", R"({"metadata": {"name": 1}})"})
        EXPECT_EQ(read_text(list(item)), "file: entry 1 of \"items\" has no name" + remedy) << item;
    EXPECT_EQ(read_text(list(R"({"metadata": {"name": "n1", "labels": 7}})")), "n1=-");
}

}  // namespace
}  // namespace nvl72block
