// SPDX-License-Identifier: GPL-2.0-or-later
//
// The options of TopologyParam= that begin with Nvl72, such as "Nvl72Policy=compact", for the
// plugin and for the command's options of the same meaning. Slurm's topology/block ignores them.
// Source of names, values and defaults: docs/man/topology_nvl72block.5.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nvl72block/placement.hpp"

namespace nvl72block {

/// Nvl72Clique: what NVLink cliques mean for placement.
enum class CliqueMode {
    verify,   ///< blocks by topology.conf; cliques that disagree are reported
    enforce,  ///< the same, and no segment spans two cliques
    derive,   ///< the cliques are the blocks
    off,      ///< cliques are not read
};

/// Nvl72Aggregate: what joins base blocks to larger ones.
enum class Aggregation {
    position,  ///< neighbours in file order
    name,      ///< neighbours by the number at the end of their names
};

/// Nvl72Fragmentation: fragmentation_stock() or fragmentation_usable().
enum class FragmentationScore { stock, usable };

/// The options as read; the initial values are the defaults.
struct Options {
    Policy policy = Policy::demand;
    FragmentationScore fragmentation = FragmentationScore::stock;
    CliqueMode cliques = CliqueMode::verify;
    Aggregation aggregation = Aggregation::position;
    bool new_blocks = false;  ///< a node's Topology= may name a block that does not exist
    bool explain = true;      ///< the plugin writes why a job waits into its system_comment
    bool shadow = false;      ///< Slurm's own topology/block decides; the plugin answers beside it
    std::string clique_prefix;  ///< at most longest_clique_prefix characters; empty: none
    /// "auto": learned; "off": none; otherwise as Demand::parse() reads it.
    std::string demand = "auto";
};

/// In characters.
inline constexpr std::size_t longest_clique_prefix = 63;
inline constexpr std::size_t longest_demand = 255;

/// Reads the Nvl72… words of a TopologyParam= text; words are separated by commas or blanks, keys
/// and values are in any case, and all other words are left alone. An unknown key or value leaves
/// the default, and a sentence about it goes to `findings`.
[[nodiscard]] Options parse_options(std::string_view topology_param,
                                    std::vector<std::string>& findings);

/// The same for the blocks of a topology.yaml, where CliqueMode::derive is verify.
[[nodiscard]] Options of_yaml(Options options);

/// All options, as words of TopologyParam=: "Nvl72Policy=pack Nvl72Fragmentation=stock …".
[[nodiscard]] std::string to_string(const Options& options);

/// The value in force of the option `key`, which is written as in OptionNames: one of its names, or
/// its text. No data where there is no such option. Ends with a zero byte, lives as `options` does.
[[nodiscard]] std::string_view value_of(const Options& options, std::string_view key);

/// An option and the names of its values, the default first; no names where it is a text.
struct OptionNames {
    std::string_view key;
    std::vector<std::string_view> values;
};

/// All options, in the order in which they are printed.
[[nodiscard]] std::vector<OptionNames> option_names();

// ---- The values of one option by name -----------------------------------------------------------

/// A value and its name in TopologyParam= and on the command line.
template <typename Value>
struct NamedValue {
    std::string_view name;
    Value value;
};

/// Each option's values; the first is the default.
inline constexpr std::array policy_values{NamedValue<Policy>{"demand", Policy::demand},
                                          NamedValue<Policy>{"pack", Policy::pack},
                                          NamedValue<Policy>{"compact", Policy::compact}};
inline constexpr std::array fragmentation_values{
    NamedValue<FragmentationScore>{"stock", FragmentationScore::stock},
    NamedValue<FragmentationScore>{"usable", FragmentationScore::usable}};
inline constexpr std::array clique_mode_values{
    NamedValue<CliqueMode>{"verify", CliqueMode::verify},
    NamedValue<CliqueMode>{"enforce", CliqueMode::enforce},
    NamedValue<CliqueMode>{"derive", CliqueMode::derive},
    NamedValue<CliqueMode>{"off", CliqueMode::off}};
inline constexpr std::array aggregation_values{
    NamedValue<Aggregation>{"position", Aggregation::position},
    NamedValue<Aggregation>{"name", Aggregation::name}};
inline constexpr std::array on_values{NamedValue<bool>{"on", true}, NamedValue<bool>{"off", false}};
inline constexpr std::array off_values{NamedValue<bool>{"off", false},
                                       NamedValue<bool>{"on", true}};

/// The value called `name`, exactly as written, or nullopt.
template <typename Value, std::size_t count>
[[nodiscard]] constexpr std::optional<Value> value_named(
    std::span<const NamedValue<Value>, count> values, std::string_view name) {
    for (const NamedValue<Value>& each : values)
        if (each.name == name) return each.value;
    return std::nullopt;
}

/// The same of all values of an option.
template <typename Value, std::size_t count>
[[nodiscard]] constexpr std::optional<Value> value_named(
    const std::array<NamedValue<Value>, count>& values, std::string_view name) {
    return value_named(std::span(values), name);
}

/// "pack or compact" with the separator " or ", for messages.
template <typename Value, std::size_t count>
[[nodiscard]] std::string join_names(const std::array<NamedValue<Value>, count>& values,
                                     std::string_view separator) {
    std::string text;
    for (const NamedValue<Value>& each : values) {
        if (!text.empty()) text += separator;
        text += each.name;
    }
    return text;
}

}  // namespace nvl72block
