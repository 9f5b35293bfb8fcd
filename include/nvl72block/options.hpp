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

/// Nvl72NewBlocks: whether a node whose Topology= names no block of the cluster makes one.
enum class NewBlocks { off, on };

/// Nvl72Explain: whether the plugin writes why a job waits into the job's system_comment.
enum class Explain { on, off };

/// Nvl72Shadow: whether Slurm's own topology/block decides and the plugin only answers beside it.
enum class Shadow { off, on };

/// The options as read; the initial values are the defaults.
struct Options {
    Policy policy = Policy::demand;
    FragmentationScore fragmentation = FragmentationScore::stock;
    CliqueMode cliques = CliqueMode::verify;
    Aggregation aggregation = Aggregation::position;
    NewBlocks new_blocks = NewBlocks::off;
    Explain explain = Explain::on;
    Shadow shadow = Shadow::off;
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

/// All options, as words of TopologyParam=: "Nvl72Policy=pack Nvl72Fragmentation=stock …".
[[nodiscard]] std::string to_string(const Options& options);

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
inline constexpr std::array new_blocks_values{NamedValue<NewBlocks>{"off", NewBlocks::off},
                                              NamedValue<NewBlocks>{"on", NewBlocks::on}};
inline constexpr std::array explain_values{NamedValue<Explain>{"on", Explain::on},
                                           NamedValue<Explain>{"off", Explain::off}};
inline constexpr std::array shadow_values{NamedValue<Shadow>{"off", Shadow::off},
                                          NamedValue<Shadow>{"on", Shadow::on}};

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
