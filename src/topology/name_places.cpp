// SPDX-License-Identifier: GPL-2.0-or-later
#include "topology/name_places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "text/excerpt.hpp"

namespace nvl72block {
namespace {

constexpr std::size_t most_digits = 18;
// Slurm counts blocks in 16 bits.
constexpr std::uint64_t largest_place_count = 65535;
constexpr std::uint64_t free_holes = 1024;
constexpr std::uint64_t holes_per_block = 3;

struct Placed {
    std::uint64_t number = 0;
    std::size_t line = 0;  // index of the BlockLine
};

/// Sorts lines by the numbers of their names, or says why that cannot be done.
class Places {
  public:
    Places(const TopologyConfig& config, Diagnostics& diagnostics)
        : config_(config), diagnostics_(diagnostics) {}

    bool find() {
        for (std::size_t i = 0; i < config_.blocks.size(); ++i)
            if (!add(i)) return false;
        std::sort(placed_.begin(), placed_.end(), [](const Placed& left, const Placed& right) {
            return left.number < right.number;
        });
        return check_twins() && check_gaps();
    }

    [[nodiscard]] BlockNaming naming() const {
        return {std::string(prefix_), placed_.front().number == 0 ? 0U : 1U};
    }
    [[nodiscard]] const std::vector<Placed>& placed() const { return placed_; }

  private:
    bool fail(std::size_t index, const std::string& message, const std::string& remedy) {
        const BlockLine& line = config_.blocks[index];
        diagnostics_.push_back({Severity::warning, line.file, line.line,
                                message + ", so the blocks are aggregated by position", remedy});
        return false;
    }

    bool add(std::size_t index) {
        const std::string& name = config_.blocks[index].name;
        const auto numbered = split_number(name);
        if (!numbered)
            return fail(index,
                        fmt::format("BlockName={} does not end with a number", excerpt(name)),
                        "number the blocks, e.g. block001, or aggregate by position");
        if (placed_.empty()) prefix_ = numbered->prefix;
        if (numbered->prefix != prefix_)
            return fail(index,
                        fmt::format("BlockName={} and BlockName={} have different prefixes",
                                    excerpt(config_.blocks.front().name), excerpt(name)),
                        "use one prefix for all names, or aggregate by position");
        placed_.push_back({numbered->number, index});
        return true;
    }

    bool check_twins() {
        const auto twin = std::adjacent_find(
            placed_.begin(), placed_.end(),
            [](const Placed& left, const Placed& right) { return left.number == right.number; });
        if (twin == placed_.end()) return true;
        return fail((twin + 1)->line,
                    fmt::format("BlockName={} and BlockName={} have the same number",
                                excerpt(config_.blocks[twin->line].name),
                                excerpt(config_.blocks[(twin + 1)->line].name)),
                    "number each block once");
    }

    bool check_gaps() {
        const Placed& last = placed_.back();
        const std::uint64_t most = most_places(placed_.size());
        if (last.number < most) return true;
        return fail(last.line,
                    fmt::format("BlockName={} is numbered beyond {}, the most that {} blocks may "
                                "be spread over",
                                excerpt(config_.blocks[last.line].name), most - 1, placed_.size()),
                    "number the blocks from 1");
    }

    const TopologyConfig& config_;
    Diagnostics& diagnostics_;
    std::string_view prefix_;
    std::vector<Placed> placed_;
};

}  // namespace

std::optional<NumberedName> split_number(std::string_view name) {
    const std::size_t digits_begin = name.find_last_not_of("0123456789") + 1;  // npos + 1 is 0
    const std::string_view digits = name.substr(digits_begin);
    if (digits.empty() || digits.size() > most_digits) return std::nullopt;
    NumberedName split{name.substr(0, digits_begin), 0};
    std::from_chars(digits.data(), digits.data() + digits.size(), split.number);
    return split;
}

std::uint64_t most_places(std::uint64_t blocks) {
    return std::min(largest_place_count, blocks * (holes_per_block + 1) + free_holes);
}

std::optional<std::uint64_t> place_of(std::string_view name, const BlockNaming& naming) {
    const auto numbered = split_number(name);
    if (!numbered || numbered->prefix != naming.prefix || numbered->number < naming.first)
        return std::nullopt;
    return numbered->number - naming.first;
}

bool aggregate_by_name(TopologyConfig& config, Diagnostics& diagnostics) {
    if (config.blocks.empty()) return false;
    Places places(config, diagnostics);
    if (!places.find()) return false;
    config.naming = places.naming();
    std::vector<BlockLine> ordered;
    for (const Placed& placed : places.placed()) {
        const std::uint64_t place = placed.number - config.naming->first;
        while (ordered.size() < place) ordered.emplace_back().hole = true;
        ordered.push_back(std::move(config.blocks[placed.line]));
    }
    config.blocks = std::move(ordered);
    return true;
}

}  // namespace nvl72block
