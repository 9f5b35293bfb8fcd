// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "clique_racks.hpp"

namespace nvl72block {
namespace {

using testing::uuid_a;
using testing::uuid_b;
using testing::zero_uuid;

/// "<uuid>.<id>", "-" for no word about a clique, or "PROBLEM [TEXT]".
std::string read(const std::string& features, const std::string& prefix = "") {
    const NodeClique clique = read_clique(features, prefix);
    if (clique.status == CliqueStatus::valid) return to_string(clique.identity);
    if (clique.status == CliqueStatus::absent) return "-";
    return std::string(to_string(clique.status)) + " [" + clique.text + "]";
}

TEST(ReadFeatures, BareName) {
    EXPECT_EQ(read(uuid_a + ".32766"), uuid_a + ".32766");
    EXPECT_EQ(read("gb200, " + uuid_a + ".0 ,rack7"), uuid_a + ".0");
    EXPECT_EQ(read(uuid_a + ".4294967295"), uuid_a + ".4294967295");
}

TEST(ReadFeatures, TheNameIsLowerCase) {
    EXPECT_EQ(read("B78ED242-7B98-426F-B194-B76B8899F4EA.1"), uuid_a + ".1");
    EXPECT_EQ(read(uuid_a + ".1,B78ED242-7B98-426F-B194-B76B8899F4EA.1"), uuid_a + ".1");
}

TEST(ReadFeatures, Prefix) {
    EXPECT_EQ(read("nvl-" + uuid_a + ".5", "nvl-"), uuid_a + ".5");
    EXPECT_EQ(read("nvl-" + uuid_a + ".5"), "-");
    EXPECT_EQ(read(uuid_a + ".5", "nvl-"), uuid_a + ".5") << "the bare form counts as well";
    EXPECT_EQ(read("NVL-" + uuid_a + ".5", "nvl-"), "-") << "features are case-sensitive";
}

TEST(ReadFeatures, Pair) {
    EXPECT_EQ(read("ClusterUUID_" + uuid_a + ",CliqueId_7"), uuid_a + ".7");
    EXPECT_EQ(read("cliqueid_7,gpu,clusteruuid_" + uuid_a), uuid_a + ".7");
    EXPECT_EQ(read("ClusterUUID_" + uuid_a + ",CliqueId_7," + uuid_a + ".7"), uuid_a + ".7");
}

// Slinky's operator copies a Kubernetes node's annotation to the features as "k8s/<feature>".
TEST(ReadFeatures, NamespaceBeforeTheFeature) {
    EXPECT_EQ(read("slinky,k8s/" + uuid_a + ".32766"), uuid_a + ".32766");
    EXPECT_EQ(read("k8s/ClusterUUID_" + uuid_a + ",k8s/CliqueId_7"), uuid_a + ".7");
    EXPECT_EQ(read("site/k8s/" + uuid_a + ".1"), uuid_a + ".1") << "up to the last slash";
    EXPECT_EQ(read("k8s/" + uuid_a + ".1," + uuid_a + ".1"), uuid_a + ".1");
    EXPECT_EQ(read("k8s/" + uuid_a + ".1," + uuid_b + ".1"),
              "two different cliques are named [" + uuid_b + ".1]");
    EXPECT_EQ(read("k8s/" + zero_uuid + ".0"),
              "the ClusterUUID is all zero [k8s/" + zero_uuid + ".0]")
        << "the message has the feature as the node has it";
}

TEST(ReadFeatures, NamespaceAndPrefix) {
    EXPECT_EQ(read("k8s/nvl-" + uuid_a + ".5", "nvl-"), uuid_a + ".5");
    EXPECT_EQ(read("k8s/nvl-" + uuid_a + ".5", "k8s/nvl-"), uuid_a + ".5");
    EXPECT_EQ(read("k8s/" + uuid_a + ".5", "k8s/"), uuid_a + ".5");
    EXPECT_EQ(read("k8s/nvl-" + uuid_a + ".5"), "-");
}

TEST(ReadFeatures, OtherFeaturesAreIgnored) {
    for (const char* features :
         {"", ",", "gb200", "rack.7", "1.32766", "cloud,a-b-c-d-e.1", "driver-550.54.15",
          "b78ed242-7b98-426f-b194-b76b8899f4ea", "Clique_1", "us-east-1-az2-rack-17.3",
          "k8s/nn-75bfcf47ca3e4f7dc", "k8s/rack/7.3", "k8s/", "/", "k8s/.1"})
        EXPECT_EQ(read(features), "-") << features;
}

TEST(ReadFeatures, ZeroUuid) {
    EXPECT_EQ(read(zero_uuid + ".0"), "the ClusterUUID is all zero [" + zero_uuid + ".0]");
    EXPECT_EQ(read("CliqueId_0,ClusterUUID_" + zero_uuid),
              "the ClusterUUID is all zero [ClusterUUID_" + zero_uuid + "]");
}

TEST(ReadFeatures, MalformedUuid) {
    const std::string message = "the ClusterUUID is malformed ";
    const std::string one_digit_less = uuid_a.substr(1) + ".1";
    const std::string no_dashes = "b78ed2427b98426fb194b76b8899f4ea.1";
    const std::string no_digit = "x" + uuid_a.substr(1) + ".1";
    for (const std::string& feature : {one_digit_less, no_dashes, no_digit})
        EXPECT_EQ(read(feature), message + "[" + feature + "]");
    EXPECT_EQ(read("ClusterUUID_abc,CliqueId_1"), message + "[ClusterUUID_abc]");
    EXPECT_EQ(read("nvl-rack7", "nvl-"), message + "[nvl-rack7]");
    EXPECT_EQ(read("nvl-", "nvl-"), message + "[nvl-]");
}

TEST(ReadFeatures, MalformedId) {
    const std::string message = "the CliqueId is not a number ";
    for (const char* id : {"", "x", "-1", "4294967296", "1.2", "0x1", "1 2"})
        EXPECT_EQ(read(uuid_a + "." + id), message + "[" + uuid_a + "." + id + "]");
    EXPECT_EQ(read("CliqueId_one,ClusterUUID_" + uuid_a), message + "[CliqueId_one]");
    EXPECT_EQ(read("nvl-" + uuid_a, "nvl-"), message + "[nvl-" + uuid_a + "]");
}

TEST(ReadFeatures, TwoDifferentCliques) {
    const std::string message = "two different cliques are named ";
    EXPECT_EQ(read(uuid_a + ".1," + uuid_a + ".2"), message + "[" + uuid_a + ".2]");
    EXPECT_EQ(read(uuid_a + ".1," + uuid_b + ".1"), message + "[" + uuid_b + ".1]");
    EXPECT_EQ(read(uuid_a + ".1,CliqueId_2"), message + "[CliqueId_2]");
    EXPECT_EQ(read(uuid_a + ".1,ClusterUUID_" + uuid_b), message + "[ClusterUUID_" + uuid_b + "]");
}

TEST(ReadFeatures, HalfAPair) {
    EXPECT_EQ(read("CliqueId_7"), "a CliqueId without a ClusterUUID [CliqueId_7]");
    EXPECT_EQ(read("ClusterUUID_" + uuid_a),
              "a ClusterUUID without a CliqueId [ClusterUUID_" + uuid_a + "]");
}

TEST(ReadFeatures, TheFirstInvalidFeatureCounts) {
    EXPECT_EQ(read("CliqueId_x," + zero_uuid + ".0"), "the CliqueId is not a number [CliqueId_x]");
    EXPECT_EQ(read(uuid_a + ".1,CliqueId_x"), "the CliqueId is not a number [CliqueId_x]")
        << "a good feature does not outweigh a bad one";
}

TEST(ReadFeatures, NameAlone) {
    EXPECT_EQ(read_clique_name(uuid_a + ".9").identity.id, 9U);
    EXPECT_EQ(read_clique_name("").status, CliqueStatus::malformed_uuid);
    EXPECT_EQ(read_clique_name("rack7").status, CliqueStatus::malformed_uuid);
    EXPECT_EQ(read_clique_name(uuid_a).status, CliqueStatus::malformed_id);
}

}  // namespace
}  // namespace nvl72block
