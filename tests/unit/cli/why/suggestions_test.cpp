// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/why/diagnosis.hpp"
#include "why_state.hpp"

namespace nvl72block::cli {
namespace {

class SuggestionsTest : public WhyState {
  protected:
    /// "--nodes=4" or "n15 back".
    std::vector<std::string> found(const std::optional<Told>& told = {}) {
        std::vector<std::string> words;
        for (const Suggestion& each : suggestions(*state_, Occupancy(*state_), question_,
                                                  availability(*state_, question_.viewer), told))
            words.push_back(each.repaired.empty()
                                ? each.option
                                : state_->cluster.nodes.hostlist(each.repaired) + " back");
        return words;
    }
};

TEST_F(SuggestionsTest, SmallerSegmentsFewerNodesAndRepairs) {
    read("...x...x####....", waiting("8-8", {{"segment_size", 4}}));
    EXPECT_EQ(found(), (std::vector<std::string>{"--nodes=4", "--segment=2", "n04 back"}));
}

/// A draining node has its job still: nobody can bring it back for another one.
TEST_F(SuggestionsTest, ADrainingNodeWithAJobIsNotToBeRepaired) {
    read("...x############", waiting("4-4"));
    for (NodeRecord& node : state_->nodes)
        if (node.has(flag_drain)) node.flags |= flag_completing;
    EXPECT_EQ(found(), (std::vector<std::string>{"--nodes=3"}));
}

TEST_F(SuggestionsTest, WithoutAListOfNodes) {
    JobLine job = waiting("4-4");
    job.required = "n01";
    read("#...............", job);
    EXPECT_EQ(found(), (std::vector<std::string>{"without --nodelist"}));
    job.required = "";
    job.excluded = "n[04,08,12,16]";
    job.more = {{"segment_size", 4}};
    read("................", job);
    EXPECT_EQ(found(), (std::vector<std::string>{"--segment=2", "without --exclude"}));
}

/// The plugin does not always tell so of a job that it has refused, and then nobody did.
TEST_F(SuggestionsTest, WithoutExclusiveBlocks) {
    using Words = std::vector<std::string>;
    const std::string shared = "without --exclusive=topo";
    JobLine job = waiting("3-3");
    job.exclusive = "topo";
    read("#...#...#...#...", job);
    EXPECT_EQ(found(), (Words{shared}));
    EXPECT_EQ(found(Told{"needs 3 nodes", {"--nodes=2"}}), (Words{shared}));
    EXPECT_EQ(found(Told{"needs 3 nodes", {shared}}), (Words{}));
    read("################", job);
    EXPECT_EQ(found(Told{"needs 3 nodes", {}}), (Words{}));
}

TEST_F(SuggestionsTest, NothingWhereNothingHelps) {
    read("################", waiting("1-1"));
    EXPECT_EQ(found(), std::vector<std::string>{});
}

}  // namespace
}  // namespace nvl72block::cli
