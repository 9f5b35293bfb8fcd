// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "nvl72block/demand.hpp"
#include "text/excerpt.hpp"
#include "text/ignoring_case.hpp"
#include "text/printable.hpp"
#include "text/take_item.hpp"

namespace nvl72block {
namespace {

constexpr std::string_view our_prefix = "Nvl72";
constexpr std::string_view clique_prefix_key = "Nvl72CliquePrefix";
constexpr std::string_view demand_key = "Nvl72Demand";

template <typename Value, std::size_t count>
struct Option {
    std::string_view key;
    Value Options::*member;
    std::array<NamedValue<Value>, count> values;
};
template <typename Value, std::size_t count>
Option(std::string_view, Value Options::*, std::array<NamedValue<Value>, count>)
    -> Option<Value, count>;

constexpr std::tuple options_by_key{
    Option{"Nvl72Policy", &Options::policy, policy_values},
    Option{"Nvl72Fragmentation", &Options::fragmentation, fragmentation_values},
    Option{"Nvl72Clique", &Options::cliques, clique_mode_values},
    Option{"Nvl72Aggregate", &Options::aggregation, aggregation_values},
    Option{"Nvl72NewBlocks", &Options::new_blocks, off_values},
    Option{"Nvl72Explain", &Options::explain, on_values},
    Option{"Nvl72Shadow", &Options::shadow, off_values}};

/// Reads words of one text into `options`.
class Parser {
  public:
    Parser(Options& options, std::vector<std::string>& findings)
        : options_(options), findings_(findings) {}

    void read_word(std::string_view word) {
        const std::string_view key = take_item(word, '=');
        const std::string_view value = word;
        if (equals_ignoring_case(key, clique_prefix_key)) return read_clique_prefix(value);
        if (equals_ignoring_case(key, demand_key)) return read_demand(value);
        const bool known = std::apply(
            [&](const auto&... option) { return (... || read_value(option, key, value)); },
            options_by_key);
        if (!known) report_unknown_key(key);
    }

  private:
    /// False if `option` has another key.
    template <typename Value, std::size_t count>
    bool read_value(const Option<Value, count>& option, std::string_view key,
                    std::string_view value) {
        if (!equals_ignoring_case(option.key, key)) return false;
        for (const NamedValue<Value>& each : option.values) {
            if (!equals_ignoring_case(each.name, value)) continue;
            options_.*option.member = each.value;
            return true;
        }
        findings_.push_back(fmt::format("TopologyParam: {}={} is unknown, {} is used; write {}={}",
                                        option.key, excerpt(value), option.values.front().name,
                                        option.key, join_names(option.values, " or ")));
        return true;
    }

    void read_demand(std::string_view value) {
        for (const std::string_view word : {"auto", "off"})
            if (equals_ignoring_case(value, word)) {
                options_.demand = word;
                return;
            }
        std::string wrong;
        if (value.size() <= longest_demand && Demand::parse(value, wrong)) {
            options_.demand = value;
            return;
        }
        findings_.push_back(fmt::format(
            "TopologyParam: {}={}: {}; auto is used; write auto, off or sizes of slots with their "
            "shares, 16:0.8+4:0.2",
            demand_key, excerpt(value),
            wrong.empty() ? fmt::format("longer than {} letters", longest_demand)
                          : printable(wrong)));
    }

    /// A text of any kind.
    void read_clique_prefix(std::string_view value) {
        if (!value.empty() && value.size() <= longest_clique_prefix) {
            options_.clique_prefix = value;
            return;
        }
        findings_.push_back(fmt::format(
            "TopologyParam: {}={} is {}, no prefix is used; write a text of 1 to {} letters",
            clique_prefix_key, excerpt(value), value.empty() ? "empty" : "too long",
            longest_clique_prefix));
    }

    void report_unknown_key(std::string_view key) {
        std::string known;
        for (const OptionNames& each : option_names())
            known.append(known.empty() ? "" : ", ").append(each.key);
        findings_.push_back(fmt::format(
            "TopologyParam: {} is unknown and ignored; the options are {}", excerpt(key), known));
    }

    Options& options_;
    std::vector<std::string>& findings_;
};

template <typename Value, std::size_t count>
std::string_view name_in_force(const Option<Value, count>& option, const Options& options) {
    for (const NamedValue<Value>& each : option.values)
        if (each.value == options.*option.member) return each.name;
    return {};
}

template <typename Value, std::size_t count>
OptionNames names_of(const Option<Value, count>& option) {
    OptionNames result{option.key, {}};
    for (const NamedValue<Value>& each : option.values) result.values.push_back(each.name);
    return result;
}

}  // namespace

Options of_yaml(Options options) {
    if (options.cliques == CliqueMode::derive) options.cliques = CliqueMode::verify;
    return options;
}

Options parse_options(std::string_view topology_param, std::vector<std::string>& findings) {
    Options options;
    Parser parser(options, findings);
    while (!topology_param.empty()) {
        const std::size_t end = std::min(topology_param.find_first_of(", "), topology_param.size());
        const std::string_view word = topology_param.substr(0, end);
        if (starts_with_ignoring_case(word, our_prefix)) parser.read_word(word);
        topology_param.remove_prefix(std::min(end + 1, topology_param.size()));
    }
    return options;
}

std::string_view value_of(const Options& options, std::string_view key) {
    if (key == clique_prefix_key) return options.clique_prefix;
    if (key == demand_key) return options.demand;
    std::string_view value;
    std::apply(
        [&](const auto&... option) {
            ((option.key == key ? void(value = name_in_force(option, options)) : void()), ...);
        },
        options_by_key);
    return value;
}

std::vector<OptionNames> option_names() {
    std::vector<OptionNames> result = std::apply(
        [](const auto&... option) { return std::vector{names_of(option)...}; }, options_by_key);
    result.push_back({clique_prefix_key, {}});
    result.push_back({demand_key, {}});
    return result;
}

std::string to_string(const Options& options) {
    std::string text;
    for (const OptionNames& each : option_names())
        if (const std::string_view value = value_of(options, each.key); !value.empty())
            text += fmt::format("{}{}={}", text.empty() ? "" : " ", each.key, value);
    return text;
}

}  // namespace nvl72block
