// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which slots the strategy keeps on two racks of 18, of which one has two busy nodes: with slots of
// 16 kept one more node comes from the other rack, without from the same.
#include "replay/strategies/demand_strategy.hpp"

#include <array>

#include "../racks.hpp"

namespace nvl72block::replay {
namespace {

constexpr Job large{.submit = -100'000, .duration = 90'000, .nodes = 32, .segment = 16};
constexpr Job small{.submit = 0, .duration = 100, .nodes = 1};

class DemandStrategyTest : public testing::Test {
  protected:
    void begin(DemandSource::Kind kind, const std::vector<Job>& jobs) {
        strategy_.emplace(DemandSource{.kind = kind, .stated = {}});
        strategy_->begin(topology_, jobs);
    }
    [[nodiscard]] bool keeps_slots() const {
        const auto placement = strategy_->choose(topology_, small, idle_nodes(topology_, {16, 18}));
        return taken(topology_, placement.value())[0] == 0;
    }

    const Topology topology_ = racks(2, 18);
    std::optional<DemandStrategy> strategy_;
};

TEST_F(DemandStrategyTest, KnowsAllJobs) {
    begin(DemandSource::Kind::known, {large, small});
    EXPECT_TRUE(keeps_slots());
    begin(DemandSource::Kind::known, {small});
    EXPECT_FALSE(keeps_slots());
}

// A job of many weeks beside a short history counted with all its weeks, and nothing else did.
TEST_F(DemandStrategyTest, KnowsWhatJobsTakeUpToTheLastArrival) {
    Job service{.submit = -100'000, .duration = 100 * 24 * 3600, .nodes = 8};
    begin(DemandSource::Kind::known, {service, large, small});
    EXPECT_TRUE(keeps_slots());
}

TEST_F(DemandStrategyTest, KnowsFromTheBeginningWhatIsNotMeasured) {
    begin(DemandSource::Kind::learned, {large, small});
    EXPECT_TRUE(keeps_slots());
    Job measured = large;
    measured.submit = 0;
    begin(DemandSource::Kind::learned, {measured, small});
    EXPECT_FALSE(keeps_slots());
}

TEST_F(DemandStrategyTest, LearnsFromTheQueue) {
    begin(DemandSource::Kind::learned, {small});
    const std::array<const Job*, 3> queue{&large, &large, &small};
    strategy_->watch(10, queue);
    EXPECT_TRUE(keeps_slots());
}

TEST_F(DemandStrategyTest, KeepsWhatIsStated) {
    std::string error;
    strategy_.emplace(DemandSource{.kind = DemandSource::Kind::stated,
                                   .stated = Demand::parse("16:1", error).value()});
    strategy_->begin(topology_, {small});
    EXPECT_TRUE(keeps_slots());
    strategy_->watch(10, {});
    EXPECT_TRUE(keeps_slots());
}

// Times of the replay are others than those of the log.
TEST_F(DemandStrategyTest, BeginsWithTheHistoryThatItIsGiven) {
    DemandHistory history;
    history.add(1'700'000'000, {16, 36.0 * 10 * 86400});
    strategy_.emplace(DemandSource{DemandSource::Kind::learned, {}, history});
    strategy_->begin(topology_, {small});
    EXPECT_TRUE(keeps_slots());
    strategy_.emplace(DemandSource{DemandSource::Kind::learned, {}, DemandHistory()});
    strategy_->begin(topology_, {small});
    EXPECT_FALSE(keeps_slots());
}

}  // namespace
}  // namespace nvl72block::replay
