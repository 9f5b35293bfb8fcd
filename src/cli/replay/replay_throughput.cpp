// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/replay/replay_throughput.hpp"

#include <fmt/format.h>

#include "cli/input/fabric.hpp"
#include "cli/input/input_error.hpp"
#include "text/number.hpp"

namespace nvl72block::cli {
namespace {

double parse_loss(const std::string& text) {
    constexpr double most = 0.9;
    const auto loss = number_of<double>(text);
    if (!loss || !(*loss >= 0 && *loss <= most))
        throw InputError("--torn", fmt::format("\"{}\" is not a share of the throughput", text),
                         fmt::format("write a number from 0 to {}, such as 0.10", most));
    return *loss;
}

}  // namespace

std::optional<replay::ThroughputOptions> parse_throughput(const ThroughputText& text) {
    if (!text.given()) return std::nullopt;
    if (!text.kinds.empty() && !text.torn.empty())
        throw InputError("--torn", "cannot be combined with --throughput",
                         "leave out one: the kind of a job says what it loses");
    replay::ThroughputOptions options;
    options.fabric = parse_fabric(text.fabric);
    if (!text.torn.empty()) {
        options.torn_loss = parse_loss(text.torn);
        return options;
    }
    std::string error;
    options.kinds = replay::KindMix::parse(text.kinds, error);
    if (!options.kinds) throw InputError("--throughput: " + error);
    return options;
}

std::string describe_throughput(const ThroughputText& text) {
    return text.kinds.empty() ? fmt::format("each loses {} of its throughput", text.torn)
                              : fmt::format("{} on {}", text.kinds, text.fabric);
}

}  // namespace nvl72block::cli
