// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/strategies/strategy.hpp"

#include "replay/strategies/demand_strategy.hpp"
#include "replay/strategies/engine_strategy.hpp"
#include "replay/strategies/first_fit.hpp"
#include "replay/strategies/stock_greedy.hpp"

namespace nvl72block::replay {

std::unique_ptr<Strategy> make_strategy(std::string_view name, const DemandSource& demand) {
    if (name == "demand") return std::make_unique<DemandStrategy>(demand);
    if (name == "pack") return std::make_unique<EngineStrategy>("pack", Policy::pack);
    if (name == "compact") return std::make_unique<EngineStrategy>("compact", Policy::compact);
    if (name == "stock-26.05") return std::make_unique<StockGreedy>(OneNodeJobs::first_node);
    if (name == "stock-24.11") return std::make_unique<StockGreedy>(OneNodeJobs::best_fit);
    if (name == "first-fit") return std::make_unique<FirstFit>();
    return nullptr;
}

const std::vector<std::string>& strategy_names() {
    static const std::vector<std::string> names = {"demand",      "pack",        "compact",
                                                   "stock-26.05", "stock-24.11", "first-fit"};
    return names;
}

}  // namespace nvl72block::replay
