// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "clique_racks.hpp"

namespace nvl72block {
namespace {

using testing::clique_map;
using testing::uuid_a;
using testing::uuid_b;

TEST(CliqueMap, TheIdentityIsThePair) {
    const CliqueMap map = clique_map({{2, uuid_a + ".32766"},
                                      {2, uuid_b + ".32766"},
                                      {1, uuid_a + ".1"},
                                      {1, uuid_a + ".32766"}});
    EXPECT_EQ(map.clique_count(), 3U);
    EXPECT_EQ(map.clique_of(0), map.clique_of(5));
    EXPECT_NE(map.clique_of(0), map.clique_of(2)) << "the same id in another domain";
    EXPECT_NE(map.clique_of(0), map.clique_of(4)) << "another partition of the domain";
    EXPECT_EQ(to_string(map.identity(map.clique_of(2))), uuid_b + ".32766");
    EXPECT_EQ(map.nodes_with_clique(), 6U);
}

TEST(CliqueMap, InvalidFeaturesAreKept) {
    const CliqueMap map = clique_map({{1, uuid_a + ".1"}, {1, "gpu"}, {2, "CliqueId_3"}});
    EXPECT_EQ(map.status(0), CliqueStatus::valid);
    EXPECT_EQ(map.status(1), CliqueStatus::absent);
    EXPECT_EQ(map.status(2), CliqueStatus::id_without_uuid);
    EXPECT_EQ(map.offending_feature(2), "CliqueId_3");
    EXPECT_EQ(map.offending_feature(1), "");
    EXPECT_EQ(map.clique_of(2), no_clique);
    EXPECT_EQ(map.invalid_nodes(), 2U);
}

TEST(CliqueMap, SaysTheSame) {
    const CliqueMap map = clique_map({{2, uuid_a + ".1"}, {1, "CliqueId_3"}});
    EXPECT_TRUE(map.says_the_same(clique_map({{2, "x," + uuid_a + ".1"}, {1, "CliqueId_3,y"}})));
    EXPECT_FALSE(map.says_the_same(clique_map({{2, uuid_a + ".2"}, {1, "CliqueId_3"}})));
    EXPECT_FALSE(map.says_the_same(clique_map({{2, uuid_a + ".1"}, {1, "CliqueId_4"}})));
    EXPECT_FALSE(map.says_the_same(clique_map({{2, uuid_a + ".1"}, {1, ""}})));
    EXPECT_FALSE(map.says_the_same(clique_map({{2, uuid_a + ".1"}})));
}

}  // namespace
}  // namespace nvl72block
