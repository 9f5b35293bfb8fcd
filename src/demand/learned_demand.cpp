// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/learned_demand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "text/number.hpp"

namespace nvl72block {
namespace {

constexpr std::string_view first_line = "nvl72block demand 1";
constexpr std::string_view accounting_line = "accounting";
constexpr std::string_view last_line = "end";

/// Takes the text up to the next line end, which has to be there.
std::optional<std::string_view> take_line(std::string_view& text) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    return line;
}

constexpr std::uint32_t most_nodes = 1U << 24;

/// Whether the job could run now but for what others have.
bool counts(const Topology& topology, const QueueJob& job, std::int64_t now) {
    const bool waits = job.state == QueueJob::State::waiting;
    if (job.state == QueueJob::State::other || job.nodes == 0 ||
        (waits && (job.priority == 0 || job.begin > now)))
        return false;
    for (BlockIndex block = 0; block < topology.block_count(); ++block)
        if (topology.count(block, job.reach) > 0) return true;
    return false;
}

/// In nodes.
double amount_of(const QueueJob& job, double cpus_a_node) {
    if (job.whole_nodes || job.cpus == 0 || cpus_a_node <= 0) return job.nodes;
    return std::min<double>(job.nodes, static_cast<double>(job.cpus) / cpus_a_node);
}

/// "16 123.5": nodes per slot, node-seconds; nullopt where a number is none or out of range.
std::optional<DemandHistory::Entry> as_entry(std::string_view line) {
    const auto take_word = [&line] {
        const std::size_t blank = std::min(line.find(' '), line.size());
        const std::string_view word = line.substr(0, blank);
        line.remove_prefix(std::min(blank + 1, line.size()));
        return word;
    };
    const auto nodes = number_of<std::uint32_t>(take_word());
    const auto amount = number_of<double>(line);
    if (!nodes || !amount) return std::nullopt;
    const bool is_in_range =
        *nodes > 0 && *nodes <= most_nodes && *amount > 0 && *amount <= DemandHistory::most_amount;
    if (!is_in_range) return std::nullopt;
    return DemandHistory::Entry{.nodes = *nodes, .amount = *amount};
}

}  // namespace

LearnedDemand::Ground LearnedDemand::Ground::of(const Topology& topology) {
    Ground ground{.sizes = {}, .nodes = static_cast<std::uint32_t>(topology.node_count())};
    for (const Level& level : topology.levels()) {
        if (level.exponent == 0 || topology.block_count() >= 2 * level.base_blocks())
            ground.sizes.push_back(level.nodes);
        ground.largest = std::max(ground.largest, level.nodes);
    }
    ground.largest = std::max(ground.largest, topology.largest_block_nodes());
    return ground;
}

void LearnedDemand::begin(std::int64_t time) {
    begun_ = time;
    present_.clear();
}

void LearnedDemand::observe(std::uint32_t slot_nodes, double nodes) {
    if (slot_nodes > 0 && nodes > 0) present_[slot_nodes] += nodes;
}

bool LearnedDemand::observe(const Topology& topology, double cpus_a_node, const QueueJob& job) {
    if (!counts(topology, job, begun_)) return false;
    const std::uint32_t tasks =
        job.state == QueueJob::State::waiting ? std::max(job.array_tasks, 1U) : 1;
    observe(
        job.segment_size > 0 ? std::min(job.segment_size, job.nodes) : job.nodes,
        std::min(amount_of(job, cpus_a_node) * tasks, static_cast<double>(topology.node_count())));
    return true;
}

std::optional<NodeIndex> LearnedDemand::measuring_node(const Topology& topology) {
    for (NodeIndex node = 0; node < topology.node_count(); ++node)
        if (topology.block_of(node) != no_block) return node;
    return std::nullopt;
}

void LearnedDemand::finish(const Ground& ground) {
    const double seconds =
        counted_ ? std::clamp(static_cast<double>(begun_) - static_cast<double>(*counted_), 0.0,
                              static_cast<double>(longest_pause))
                 : 0;
    for (const auto& [slot_nodes, nodes] : present_)
        history_.add(begun_, {.nodes = slot_nodes, .amount = nodes * seconds});
    counted_ = begun_;

    DemandHistory with_present = history_;
    for (const auto& [slot_nodes, nodes] : present_)
        with_present.add(begun_, {.nodes = slot_nodes, .amount = nodes * present_seconds});
    demand_ = with_present.demand(begun_, {.prior_sizes = ground.sizes,
                                           .prior_amount = prior_amount(ground),
                                           .largest = ground.largest});
}

/// What is known takes the place of what is guessed.
double LearnedDemand::prior_amount(const Ground& ground) const {
    if (from_accounting_ && !history_.empty()) return 0;
    const double known = history_.amount(begun_) / (ground.nodes * full_history_seconds);
    return ground.nodes * prior_seconds * std::max(0.0, 1 - known);
}

LearnedDemand LearnedDemand::from_accounting(DemandHistory history) {
    LearnedDemand learned(std::move(history));
    learned.from_accounting_ = true;
    return learned;
}

bool LearnedDemand::adopt(const LearnedDemand& other, std::int64_t now) {
    constexpr double margin = 1.01;
    if (other.history_.amount(now) <= margin * history_.amount(now)) return false;
    history_ = other.history_;
    from_accounting_ = true;
    return true;
}

std::string LearnedDemand::to_text() const {
    std::string text = fmt::format("{}\n{}\n", first_line, history_.latest());
    if (from_accounting_) text += fmt::format("{}\n", accounting_line);
    for (const DemandHistory::Entry& each : history_.entries())
        text += fmt::format("{} {}\n", each.nodes, each.amount);
    return text += fmt::format("{}\n", last_line);
}

bool LearnedDemand::restore(std::string_view text, std::int64_t now, std::string& error) {
    std::size_t number = 1;
    std::optional<std::string_view> line = take_line(text);
    const auto wrong = [&](std::string_view what) {
        error = fmt::format("line {}: {}", number, what);
        return false;
    };
    if (line != first_line) return wrong(fmt::format("not \"{}\"", first_line));
    ++number;
    line = take_line(text);
    const auto latest = line ? number_of<std::int64_t>(*line) : std::nullopt;
    if (!latest || *latest < 0 || *latest > DemandHistory::latest_time)
        return wrong(fmt::format("not a time in seconds from 0 to {}", DemandHistory::latest_time));
    std::vector<DemandHistory::Entry> entries;
    const auto next = [&] {
        ++number;
        return take_line(text);
    };
    line = next();
    const bool accounting = line == accounting_line;
    if (accounting) line = next();
    for (; line != last_line; line = next()) {
        if (!line) return wrong("the end is missing");
        const auto entry = as_entry(*line);
        if (!entry)
            return wrong(
                fmt::format("not a number of nodes up to {} and an amount above 0 and up to {}",
                            most_nodes, DemandHistory::most_amount));
        if (entries.size() == DemandHistory::most_sizes)
            return wrong(fmt::format("more than {} sizes", DemandHistory::most_sizes));
        entries.push_back(*entry);
    }
    history_.restore(std::min(*latest, now), entries);
    from_accounting_ = accounting;
    return true;
}

}  // namespace nvl72block
