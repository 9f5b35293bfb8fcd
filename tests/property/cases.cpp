// SPDX-License-Identifier: GPL-2.0-or-later
#include "cases.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>

namespace nvl72block::oracle {

namespace {

/// A node of a Case: which text it stands in (blocks.size() for `outside`), its character, and its
/// position in all texts one after another.
struct Position {
    std::size_t block;
    char mark;
    std::size_t position;
};

std::vector<Position> numbered(const Case& sample) {
    std::vector<Position> positions;
    const std::size_t blocks = sample.blocks.size();
    std::vector<std::size_t> begin{0};
    for (const std::string& block : sample.blocks) begin.push_back(begin.back() + block.size());
    const auto add = [&](std::size_t block, std::size_t column) {
        const std::string& text = block == blocks ? sample.outside : sample.blocks[block];
        if (column < text.size()) positions.push_back({block, text[column], begin[block] + column});
        return column < text.size();
    };
    const auto add_all = [&](std::size_t block) {
        for (std::size_t column = 0; add(block, column);) ++column;
    };
    const auto add_outside = [&] { add_all(blocks); };
    if (sample.numbering == Numbering::outside_first) add_outside();
    if (sample.numbering == Numbering::round_robin) {
        bool left = true;
        for (std::size_t column = 0; left; ++column) {
            left = false;
            for (std::size_t block = 0; block < blocks; ++block) left |= add(block, column);
        }
    } else {
        for (std::size_t block = 0; block < blocks; ++block) add_all(block);
    }
    if (sample.numbering != Numbering::outside_first) add_outside();
    return positions;
}

/// Node indices with commas between them.
bool resolve(std::string_view text, std::vector<NodeIndex>& nodes, std::string&) {
    std::istringstream in{std::string(text)};
    for (std::string word; std::getline(in, word, ',');)
        nodes.push_back(static_cast<NodeIndex>(std::stoul(word)));
    return true;
}

Topology build(const Case& sample, const std::vector<Position>& positions) {
    TopologyConfig config;
    config.file = "case";
    config.block_sizes = sample.block_sizes;
    for (std::size_t block = 0; block < sample.blocks.size(); ++block)
        config.blocks.push_back(
            {.name = "b" + std::to_string(block), .nodes = "", .file = "case", .line = 1});
    for (std::size_t node = 0; node < positions.size(); ++node) {
        if (positions[node].block == sample.blocks.size()) continue;
        std::string& nodes = config.blocks[positions[node].block].nodes;
        nodes += (nodes.empty() ? "" : ",") + std::to_string(node);
    }
    Diagnostics diagnostics;
    auto topology = Topology::build(config, positions.size(), resolve, diagnostics);
    if (!topology) {
        std::string reason = to_string(sample);
        for (const Diagnostic& diagnostic : diagnostics) reason += "\n" + diagnostic.message;
        throw std::invalid_argument(reason);
    }
    return std::move(*topology);
}

std::uint32_t number(char character) {
    return static_cast<std::uint32_t>(character <= '9' ? character - '0' : character - 'a' + 10);
}

/// What `text` says of each node.
std::vector<std::uint32_t> numbers(const std::string& text,
                                   const std::vector<Position>& positions) {
    std::vector<std::uint32_t> list;
    for (const Position& node : positions)
        if (!text.empty()) list.push_back(number(text.at(node.position)));
    return list;
}

Topology with_islands(const Topology& topology, const std::string& text,
                      const std::vector<Position>& positions) {
    std::vector<std::uint32_t> islands;
    for (const Position& node : positions) {
        const char mark = text.at(node.position);
        islands.push_back(mark == '-' ? no_island : number(mark));
    }
    return topology.with_islands(std::move(islands));
}

}  // namespace

Instance::Instance(const Case& sample) : topology(build(sample, numbered(sample))) {
    const std::vector<Position> positions = numbered(sample);
    usable = required = drained = excluded = NodeSet(positions.size());
    for (NodeIndex node = 0; node < positions.size(); ++node) {
        const char mark = positions[node].mark;
        const bool digit = mark >= '0' && mark <= '9';
        const bool letter = mark >= 'A' && mark <= 'J';
        if (digit || letter) usable.set(node);
        if (letter || mark == ':') required.set(node);
        if (mark == 'x') drained.set(node);
        if (mark == 'e') excluded.set(node);
        weight.push_back(digit ? mark - '0' : letter ? mark - 'A' : 0);
    }
    if (std::ranges::all_of(weight, [](std::uint64_t w) { return w == 0; })) weight.clear();
    cpus = numbers(sample.cpus, positions);
    gpus = numbers(sample.gpus, positions);
    if (!sample.idle.empty()) {
        idle = NodeSet(positions.size());
        for (NodeIndex node = 0; node < positions.size(); ++node)
            if (sample.idle.at(positions[node].position) == '1') idle.set(node);
    }
    if (!sample.islands.empty()) topology = with_islands(topology, sample.islands, positions);
}

std::span<const DemandSize> demand_named(const std::string& text) {
    static std::map<std::string, Demand> known;
    const auto [at, fresh] = known.try_emplace(text);
    std::string error;
    if (fresh && !text.empty()) at->second = Demand::parse(text, error).value();
    return at->second.sizes();
}

Request parse_job(const std::string& job) {
    Request request;
    std::istringstream in(job);
    std::string word;
    in >> word;
    const std::size_t dash = word.find('-');
    const auto number = [](const std::string& text) {
        return static_cast<std::uint32_t>(std::stoul(text));
    };
    request.min_nodes = number(word);
    request.max_nodes =
        dash == std::string::npos ? request.min_nodes : number(word.substr(dash + 1));
    while (in >> word) {
        if (word.starts_with("seg=")) request.segment_size = number(word.substr(4));
        if (word.starts_with("max=")) request.max_base_blocks = number(word.substr(4));
        request.spread_segments |= word == "spread";
        request.consolidate_segments |= word == "cons";
        request.exclusive |= word == "excl";
        if (word.starts_with("cpus=")) request.cpus = number(word.substr(5));
        if (word.starts_with("gpus=")) request.gpus = number(word.substr(5));
        request.sized_by_totals |= word == "sized";
        if (word == "compact") request.policy = Policy::compact;
        if (word.starts_with("demand")) request.policy = Policy::demand;
        if (word.starts_with("demand=")) request.demand = demand_named(word.substr(7));
    }
    return request;
}

std::string to_string(const Request& request) {
    std::string text = std::to_string(request.min_nodes);
    if (request.max_nodes != request.min_nodes) text += "-" + std::to_string(request.max_nodes);
    if (request.segment_size > 0) text += " seg=" + std::to_string(request.segment_size);
    if (request.spread_segments) text += " spread";
    if (request.consolidate_segments) text += " cons";
    if (request.exclusive) text += " excl";
    if (request.max_base_blocks > 0) text += " max=" + std::to_string(request.max_base_blocks);
    if (request.policy == Policy::compact) text += " compact";
    if (request.policy == Policy::demand) text += " demand";
    for (const DemandSize& each : request.demand)
        text += (&each == request.demand.data() ? "=" : "+") + std::to_string(each.nodes) + ":" +
                std::to_string(each.share);
    if (request.cpus > 0) text += " cpus=" + std::to_string(request.cpus);
    if (request.gpus > 0) text += " gpus=" + std::to_string(request.gpus);
    if (request.sized_by_totals) text += " sized";
    return text;
}

std::string to_string(const Case& sample) {
    static constexpr const char* numberings[] = {"by_block", "outside_first", "round_robin"};
    const auto quoted = [](const std::string& text) { return "\"" + text + "\""; };
    std::string text = "{{";
    for (const std::uint32_t size : sample.block_sizes)
        text += (text.size() > 2 ? ", " : "") + std::to_string(size);
    text += "}, {";
    for (std::size_t i = 0; i < sample.blocks.size(); ++i)
        text += (i > 0 ? ", " : "") + quoted(sample.blocks[i]);
    text += "}, " + quoted(sample.outside) + ", " + quoted(sample.job);
    const bool more = !(sample.cpus + sample.gpus + sample.islands + sample.idle).empty();
    if (more || sample.numbering != Numbering::by_block)
        text += std::string(", Numbering::") + numberings[static_cast<int>(sample.numbering)];
    if (more)
        text +=
            ", " + quoted(sample.cpus) + ", " + quoted(sample.gpus) + ", " + quoted(sample.islands);
    if (!sample.idle.empty()) text += ", " + quoted(sample.idle);
    return text + "},";
}

}  // namespace nvl72block::oracle
