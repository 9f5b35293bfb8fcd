// SPDX-License-Identifier: GPL-2.0-or-later
#include "cases.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace nvl72block::oracle {

namespace {

/// A node of a Case: which text it stands in (blocks.size() for `outside`) and its character.
struct Place {
    std::size_t block;
    char mark;
};

std::vector<Place> numbered(const Case& sample) {
    std::vector<Place> places;
    const std::size_t blocks = sample.blocks.size();
    const auto add_outside = [&] {
        for (const char mark : sample.outside) places.push_back({blocks, mark});
    };
    if (sample.numbering == Numbering::outside_first) add_outside();
    if (sample.numbering == Numbering::round_robin) {
        for (std::size_t column = 0, left = 1; left > 0; ++column) {
            left = 0;
            for (std::size_t block = 0; block < blocks; ++block)
                if (column < sample.blocks[block].size()) {
                    places.push_back({block, sample.blocks[block][column]});
                    ++left;
                }
        }
    } else {
        for (std::size_t block = 0; block < blocks; ++block)
            for (const char mark : sample.blocks[block]) places.push_back({block, mark});
    }
    if (sample.numbering != Numbering::outside_first) add_outside();
    return places;
}

/// Node indices with commas between them.
bool resolve(std::string_view text, std::vector<NodeIndex>& nodes, std::string&) {
    std::istringstream in{std::string(text)};
    for (std::string word; std::getline(in, word, ',');)
        nodes.push_back(static_cast<NodeIndex>(std::stoul(word)));
    return true;
}

Topology build(const Case& sample, const std::vector<Place>& places) {
    TopologyConfig config;
    config.file = "case";
    config.block_sizes = sample.block_sizes;
    for (std::size_t block = 0; block < sample.blocks.size(); ++block)
        config.blocks.push_back(
            {.name = "b" + std::to_string(block), .nodes = "", .file = "case", .line = 1});
    for (std::size_t node = 0; node < places.size(); ++node) {
        if (places[node].block == sample.blocks.size()) continue;
        std::string& nodes = config.blocks[places[node].block].nodes;
        nodes += (nodes.empty() ? "" : ",") + std::to_string(node);
    }
    Diagnostics diagnostics;
    auto topology = Topology::build(config, places.size(), resolve, diagnostics);
    if (!topology) {
        std::string reason = to_string(sample);
        for (const Diagnostic& diagnostic : diagnostics) reason += "\n" + diagnostic.message;
        throw std::invalid_argument(reason);
    }
    return std::move(*topology);
}

}  // namespace

Instance::Instance(const Case& sample) : topology(build(sample, numbered(sample))) {
    const std::vector<Place> places = numbered(sample);
    usable = required = drained = excluded = NodeSet(places.size());
    for (NodeIndex node = 0; node < places.size(); ++node) {
        const char mark = places[node].mark;
        const bool digit = mark >= '0' && mark <= '9';
        const bool letter = mark >= 'A' && mark <= 'J';
        if (digit || letter) usable.set(node);
        if (letter || mark == ':') required.set(node);
        if (mark == 'x') drained.set(node);
        if (mark == 'e') excluded.set(node);
        weight.push_back(digit ? mark - '0' : letter ? mark - 'A' : 0);
    }
    if (std::ranges::all_of(weight, [](std::uint64_t w) { return w == 0; })) weight.clear();
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
        if (word == "compact") request.policy = Policy::compact;
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
    if (sample.numbering != Numbering::by_block)
        text += std::string(", Numbering::") + numberings[static_cast<int>(sample.numbering)];
    return text + "},";
}

}  // namespace nvl72block::oracle
