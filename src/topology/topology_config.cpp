// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/topology_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#include "files/read_file.hpp"
#include "nvl72block/hostlist.hpp"
#include "text/blanks.hpp"
#include "text/excerpt.hpp"
#include "text/ignoring_case.hpp"
#include "topology/block_sizes.hpp"
#include "topology/config_checks.hpp"
#include "topology/config_lines.hpp"
#include "topology/nearest_key.hpp"

namespace nvl72block {
namespace {

constexpr std::array<std::string_view, 3> block_keys = {"BlockName", "Nodes", "BlockSizes"};
constexpr std::array<std::string_view, 3> tree_keys = {"SwitchName", "Switches", "LinkSpeed"};
// Files that include each other in turn must come to an end.
constexpr std::size_t max_include_depth = 16;
constexpr unsigned max_included_files = 256;
// As many as a file may name nodes; a million of them take seconds and half a gigabyte.
constexpr std::size_t max_blocks = max_hostlist_names;

bool is_key(const KeyValue& pair, std::string_view key) {
    return equals_ignoring_case(pair.key, key);
}

bool is_one_of(const KeyValue& pair, const std::array<std::string_view, 3>& keys) {
    return std::any_of(keys.begin(), keys.end(),
                       [&](std::string_view key) { return is_key(pair, key); });
}

/// Reads one file and what it includes into one TopologyConfig.
class Parser {
  public:
    Parser(TopologyConfig& config, Diagnostics& diagnostics)
        : config_(config), diagnostics_(diagnostics) {}

    void parse_text(std::string_view text, const std::string& file) {
        const std::string folder = real_folder(file);
        if (files_.empty()) folder_ = folder;
        folders_.push_back(folder);
        files_.push_back(file);
        for (const LogicalLine& line : split_lines(text)) {
            line_ = line.number;
            parse_line(line.text);
        }
        files_.pop_back();
        folders_.pop_back();
    }

  private:
    /// The folder of a file, links followed, with a slash at its end.
    static std::string real_folder(const std::string& file) {
        std::error_code error;
        const auto path =
            std::filesystem::weakly_canonical(std::filesystem::absolute(file, error), error);
        return error ? "" : (path.parent_path() / "").string();
    }

    /// A piece of the current line for a message. Who runs `check` for others must not show them
    /// files of elsewhere (Include /etc/shadow): those are named, but not quoted.
    [[nodiscard]] std::string quoted(std::string_view text) const {
        if (!folder_.empty() && folders_.back().starts_with(folder_)) return excerpt(text);
        return fmt::format("(not shown: the file is not in {})", excerpt(folder_));
    }

    void report(std::string message, std::string remedy) {
        diagnostics_.push_back(
            {Severity::error, files_.back(), line_, std::move(message), std::move(remedy)});
    }

    void parse_line(std::string_view text) {
        if (text.find('\0') != text.npos)
            return report("the line contains a zero byte", "write the file as plain text");
        if (is_include(trim(text))) return parse_include(trim(text));
        const KeyValueLine line = split_pairs(text);
        if (line.pairs.empty()) return report_rest(line.rest);
        if (report_unknown_keys(line) || report_missing_values(line)) return;
        if (is_key(line.pairs.front(), "BlockName")) return parse_block(line);
        if (is_key(line.pairs.front(), "BlockSizes")) return parse_sizes(line);
        report(fmt::format("Nodes={} without a block", quoted(line.pairs.front().value)),
               "write BlockName= before Nodes= on the same line");
    }

    void report_rest(std::string_view rest) {
        if (!rest.empty())
            report(fmt::format("'{}' is not KEY=VALUE", quoted(rest)),
                   "write BlockName=, Nodes= or BlockSizes= with a value; a value with blanks in "
                   "it needs double quotes");
    }

    bool report_unknown_keys(const KeyValueLine& line) {
        bool any = false;
        for (const KeyValue& pair : line.pairs) {
            if (is_one_of(pair, block_keys)) continue;
            any = true;
            if (is_one_of(pair, tree_keys)) {
                report(fmt::format("{}={} describes a tree of switches, not blocks", pair.key,
                                   quoted(pair.value)),
                       "describe the racks with BlockName= and Nodes=");
                break;  // the rest of the line is about switches as well
            }
            const auto nearest = nearest_key(pair.key, block_keys);
            report(fmt::format("unknown key '{}'", quoted(pair.key)),
                   nearest ? fmt::format("write {}", *nearest)
                           : "the keys are BlockName, Nodes and BlockSizes");
        }
        return any;
    }

    /// `BlockName= Nodes=n1` reads as a block called "Nodes=n1", which nobody means.
    bool report_missing_values(const KeyValueLine& line) {
        for (const KeyValue& pair : line.pairs) {
            const KeyValueLine inner = split_pairs(pair.value);
            if (inner.pairs.empty() || !is_one_of(inner.pairs.front(), block_keys)) continue;
            report(fmt::format("{}= has no value", pair.key),
                   fmt::format("write a value after {}=", pair.key));
            return true;
        }
        return false;
    }

    void parse_block(const KeyValueLine& line) {
        if (config_.blocks.size() >= max_blocks) return report_too_many_blocks();
        BlockLine block{std::string(line.pairs.front().value), {}, files_.back(), line_};
        bool has_nodes = false;
        for (const KeyValue& pair : std::span(line.pairs).subspan(1)) {
            if (!is_key(pair, "Nodes")) {
                report(fmt::format("{}={} on the line of BlockName={}", pair.key,
                                   quoted(pair.value), quoted(block.name)),
                       fmt::format("write {}= on a separate line", pair.key));
                continue;
            }
            if (has_nodes)
                report(fmt::format("BlockName={} has two Nodes= values", quoted(block.name)),
                       "join them with a comma");
            has_nodes = true;
            block.nodes = pair.value;
        }
        report_rest(line.rest);
        config_.blocks.push_back(std::move(block));
    }

    void report_too_many_blocks() {
        if (std::exchange(too_many_blocks_, true)) return;
        report(fmt::format("more than {} blocks; those from this line on are not read", max_blocks),
               "write one BlockName= line for each rack");
    }

    void parse_sizes(const KeyValueLine& line) {
        const std::string_view text = line.pairs.front().value;
        if (sizes_line_ != 0) {
            const std::string first =
                config_.block_sizes_file == files_.back()
                    ? fmt::format("line {}", sizes_line_)
                    : fmt::format("{} line {}", config_.block_sizes_file, sizes_line_);
            return report(fmt::format("BlockSizes={} is the second one; the first is on {}",
                                      quoted(text), first),
                          "keep one BlockSizes line with all sizes");
        }
        sizes_line_ = config_.block_sizes_line = line_;
        config_.block_sizes_file = files_.back();
        for (const KeyValue& pair : std::span(line.pairs).subspan(1))
            report(fmt::format("{}={} on the line of BlockSizes", pair.key, quoted(pair.value)),
                   fmt::format("write {}= on a separate line", pair.key));
        if (report_blanks_in_sizes(line)) return;
        report_rest(line.rest);
        std::vector<SizeFinding> findings;
        config_.block_sizes = parse_block_sizes(text, findings);
        // Ratios are compared only where every size was understood.
        if (!findings.empty()) config_.block_sizes.clear();
        for (SizeFinding& finding : findings)
            report(std::move(finding.message), std::move(finding.remedy));
    }

    /// `BlockSizes=18, 36`: the blank ends the value.
    bool report_blanks_in_sizes(const KeyValueLine& line) {
        if (line.rest.empty() || line.rest.find_first_not_of("0123456789, \t") != line.rest.npos)
            return false;
        std::string joined(line.pairs.front().value);
        std::copy_if(line.rest.begin(), line.rest.end(), std::back_inserter(joined),
                     [](char letter) { return letter != ' ' && letter != '\t'; });
        report(fmt::format("BlockSizes={} {}: a blank ends the value",
                           quoted(line.pairs.front().value), quoted(line.rest)),
               fmt::format("write BlockSizes={}", quoted(joined)));
        return true;
    }

    static bool is_include(std::string_view text) {
        constexpr std::string_view word = "include";
        return text.size() > word.size() && starts_with_ignoring_case(text, word) &&
               (text[word.size()] == ' ' || text[word.size()] == '\t');
    }

    void parse_include(std::string_view text) {
        const std::string_view name = trim(text.substr(std::string_view("include").size()));
        if (name.find_first_of(" \t=") != name.npos)
            return report(fmt::format("'{}' is not one file name", quoted(name)),
                          "write Include FILE");
        const auto path = std::filesystem::path(files_.front()).parent_path() / name;
        if (files_.size() >= max_include_depth || included_files_ >= max_included_files)
            return report(fmt::format("Include {}: too many included files", quoted(name)),
                          "check for files that include each other");
        ++included_files_;
        std::string content;
        if (const auto failure = read_file(path, longest_configuration, content))
            return report(fmt::format("Include {}: {}", quoted(name), failure->reason),
                          fmt::format("correct the name; it is relative to the directory of {}",
                                      files_.front()));
        const unsigned line = line_;
        parse_text(content, path.string());
        line_ = line;
    }

    TopologyConfig& config_;
    Diagnostics& diagnostics_;
    std::string folder_;                // of the file that was named
    std::vector<std::string> folders_;  // of files_
    std::vector<std::string> files_;  // the file being read is the last, included by the one before
    unsigned line_ = 0;
    unsigned sizes_line_ = 0;
    unsigned included_files_ = 0;
    bool too_many_blocks_ = false;
};

}  // namespace

std::optional<TopologyConfig> parse_topology_config(std::string_view text, const std::string& file,
                                                    Diagnostics& diagnostics, BlockLines lines) {
    TopologyConfig config;
    config.file = file;
    Diagnostics found;
    Parser(config, found).parse_text(text, file);
    check_blocks_and_sizes(config, found);
    if (lines == BlockLines::required && !has_error(found)) check_any_block(config, found);
    const bool failed = has_error(found);
    diagnostics.append(std::move(found));
    if (failed) return std::nullopt;
    return config;
}

std::optional<TopologyConfig> read_topology_config(const std::filesystem::path& path,
                                                   Diagnostics& diagnostics, BlockLines lines) {
    std::string text;
    const auto failure = read_file(path, longest_configuration, text);
    if (!failure) return parse_topology_config(text, path.string(), diagnostics, lines);
    if (failure->absent && lines == BlockLines::optional) {
        diagnostics.push_back({.severity = Severity::note,
                               .file = path.filename().string(),
                               .message = "there is no such file, and so no BlockSizes",
                               .remedy = {}});
        return TopologyConfig();
    }
    diagnostics.push_back({Severity::error, path.string(), 0,
                           fmt::format("cannot be read: {}", failure->reason),
                           "check that the file exists and that slurmctld may read it"});
    return std::nullopt;
}

}  // namespace nvl72block
