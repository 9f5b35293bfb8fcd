// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <span>

#include "cli/input/topology_file.hpp"
#include "cli/input/yaml.hpp"
#include "text/excerpt.hpp"
#include "text/ignoring_case.hpp"
#include "text/number.hpp"

namespace nvl72block::cli {
namespace {

using Kind = YamlNode::Kind;

constexpr std::array<std::string_view, 5> kinds{"block", "flat", "ring", "torus3d", "tree"};

/// A scalar as Slurm understands a yes or no; nullopt for a word that is neither.
std::optional<bool> bool_of(std::string_view text) {
    for (const std::string_view yes : {"y", "yes", "t", "true", "on"})
        if (equals_ignoring_case(text, yes)) return true;
    for (const std::string_view no : {"n", "no", "f", "false", "off", "null", ""})
        if (equals_ignoring_case(text, no)) return false;
    if (text.starts_with('~')) return false;
    if (const auto number = number_of<double>(text)) return *number != 0;
    return std::nullopt;
}

/// A whole number, decimal or with 0x.
std::optional<std::int64_t> number_in(std::string_view text) {
    if (text.starts_with("0x") || text.starts_with("0X")) {
        std::int64_t number = 0;
        const auto [rest, error] =
            std::from_chars(text.data() + 2, text.data() + text.size(), number, 16);
        if (error != std::errc() || rest != text.data() + text.size()) return std::nullopt;
        return number;
    }
    return number_of<std::int64_t>(text.substr(text.starts_with('+') ? 1 : 0));
}

/// Reads a document into topologies.
class Reader {
  public:
    Reader(const std::string& file, Diagnostics& diagnostics)
        : file_(file), diagnostics_(diagnostics) {}

    std::vector<FileTopology> topologies(const YamlNode& document) {
        std::vector<FileTopology> all;
        if (document.kind == Kind::map)
            all.push_back(topology(document));
        else if (expect(document, Kind::list, "the file", "write a list of topologies"))
            for (const YamlNode& each : document.items) all.push_back(topology(each));
        if (all.empty() && !failed_)
            error(document.line, "no topology", "write - topology: NAME and its blocks");
        std::ranges::stable_partition(all, &FileTopology::is_default);
        return failed_ ? std::vector<FileTopology>() : all;
    }

  private:
    void error(unsigned line, std::string message, std::string remedy) {
        failed_ = true;
        diagnostics_.push_back(
            {Severity::error, file_, line, std::move(message), std::move(remedy)});
    }

    bool expect(const YamlNode& node, Kind kind, std::string_view what, std::string remedy) {
        if (node.kind == kind) return true;
        error(node.line,
              fmt::format("{} is {} instead of {}", what, kind_name(node.kind), kind_name(kind)),
              std::move(remedy));
        return false;
    }

    /// Slurm ignores keys that it does not know.
    void warn_unknown(const YamlNode& map, std::span<const std::string_view> known) {
        for (const auto& [key, value] : map.fields)
            if (std::ranges::find(known, key) == known.end())
                diagnostics_.push_back(
                    {Severity::warning, file_, value.line,
                     fmt::format("{} is not known here, and Slurm ignores it", excerpt(key)),
                     "correct the key or remove it"});
    }

    std::string text_of(const YamlNode& map, std::string_view key) {
        const YamlNode* value = map.find(key);
        if (value == nullptr) return "";
        return expect(*value, Kind::scalar, key, fmt::format("write {}: TEXT", key)) ? value->text
                                                                                     : "";
    }

    FileTopology topology(const YamlNode& map) {
        FileTopology result;
        result.from_yaml = true;
        result.kind.clear();
        if (!expect(map, Kind::map, "a topology", "write - topology: NAME and its blocks"))
            return result;
        constexpr std::array<std::string_view, 7> known{
            "topology", "cluster_default", "block", "flat", "ring", "torus3d", "tree"};
        warn_unknown(map, known);
        result.name = text_of(map, "topology");
        if (const YamlNode* value = map.find("cluster_default"))
            result.is_default = flag(*value, "cluster_default");
        for (const std::string_view kind : kinds)
            if (const YamlNode* value = map.find(kind)) read_kind(kind, *value, result);
        if (result.kind.empty() && !failed_)
            error(map.line, fmt::format("topology {} is of no kind", excerpt(result.name)),
                  "write block: with block_sizes: and blocks: below it");
        return result;
    }

    /// Slurm takes a word that it does not know for a yes.
    bool flag(const YamlNode& node, std::string_view key) {
        if (!expect(node, Kind::scalar, key, fmt::format("write {}: true or {}: false", key, key)))
            return false;
        const std::optional<bool> value = bool_of(node.text);
        if (!value)
            diagnostics_.push_back({Severity::warning, file_, node.line,
                                    fmt::format("{}: {} means true", key, excerpt(node.text)),
                                    fmt::format("write {}: true or {}: false", key, key)});
        return value.value_or(true);
    }

    void read_kind(std::string_view kind, const YamlNode& node, FileTopology& result) {
        if (kind == "flat" && node.kind != Kind::map && !flag(node, kind)) return;
        if (kind == "block") {
            if (!expect(node, Kind::map, kind, "write block_sizes: and blocks: below it")) return;
            if (node.fields.empty()) return;
        }
        if (!result.kind.empty())
            return error(
                node.line,
                fmt::format("topology {} is {} and {}", excerpt(result.name), result.kind, kind),
                "give each topology one kind");
        result.kind = kind;
        if (kind == "block") read_blocks(node, result.config);
    }

    void read_blocks(const YamlNode& node, TopologyConfig& config) {
        constexpr std::array<std::string_view, 2> known{"block_sizes", "blocks"};
        warn_unknown(node, known);
        config.file = file_;
        if (const YamlNode* sizes = node.find("block_sizes")) read_sizes(*sizes, config);
        const YamlNode* blocks = node.find("blocks");
        if (blocks == nullptr) return;
        if (blocks->kind == Kind::map)
            read_block(*blocks, config);
        else if (expect(*blocks, Kind::list, "blocks", "write - block: NAME for each of them"))
            for (const YamlNode& block : blocks->items) read_block(block, config);
    }

    void read_sizes(const YamlNode& node, TopologyConfig& config) {
        config.block_sizes_line = node.line;
        if (node.kind == Kind::map)
            return error(node.line, "block_sizes is a group of keys instead of a list",
                         "write one - NUMBER for each size");
        if (node.kind == Kind::scalar) return read_size(node, config);
        for (const YamlNode& size : node.items) read_size(size, config);
    }

    void read_size(const YamlNode& node, TopologyConfig& config) {
        const auto number = node.kind == Kind::scalar ? number_in(node.text) : std::nullopt;
        if (!number || *number > std::numeric_limits<std::int32_t>::max() ||
            *number < std::numeric_limits<std::int32_t>::min())
            return error(
                node.line,
                fmt::format("block size {} is not a number of nodes",
                            node.kind == Kind::scalar ? excerpt(node.text) : std::string("")),
                "write one - NUMBER for each size");
        // The plugin takes less than nothing for 0, which its checks refuse by name.
        config.block_sizes.push_back(
            static_cast<std::uint32_t>(std::max<std::int64_t>(*number, 0)));
    }

    void read_block(const YamlNode& node, TopologyConfig& config) {
        if (!expect(node, Kind::map, "a block", "write - block: NAME and nodes: LIST")) return;
        constexpr std::array<std::string_view, 2> known{"block", "nodes"};
        warn_unknown(node, known);
        BlockLine block{text_of(node, "block"), text_of(node, "nodes"), file_, node.line};
        if (block.name.empty())
            return error(node.line, fmt::format("block {} has no name", config.blocks.size() + 1),
                         "write block: NAME");
        config.blocks.push_back(std::move(block));
    }

    const std::string& file_;
    Diagnostics& diagnostics_;
    bool failed_ = false;
};

}  // namespace

std::vector<FileTopology> parse_topology_yaml(std::string_view text, const std::string& file,
                                              Diagnostics& diagnostics) {
    const std::optional<YamlNode> document = parse_yaml(text, file, diagnostics);
    if (!document) return {};
    return Reader(file, diagnostics).topologies(*document);
}

}  // namespace nvl72block::cli
