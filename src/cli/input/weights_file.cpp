// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/input/weights_file.hpp"

#include <fmt/format.h>

#include "cli/input/input_error.hpp"
#include "cli/input/numbers.hpp"
#include "cli/input/text_file.hpp"

namespace nvl72block::cli {

std::vector<WeightLine> read_weights(const std::string& file) {
    std::vector<WeightLine> weights;
    for (const TextLine& line : read_lines("--weights", file)) {
        const std::size_t end = line.text.find_first_of(" \t");
        const std::size_t begin = line.text.find_first_not_of(" \t", end);
        if (end == std::string::npos || begin == std::string::npos)
            throw InputError(line.place, fmt::format("\"{}\" has no weight", line.text),
                             "write HOSTLIST WEIGHT, e.g. node[001-018] 10");
        weights.push_back({{line.place, line.text.substr(0, end)},
                           parse_large_count(line.place, line.text.substr(begin))});
    }
    return weights;
}

std::vector<std::uint64_t> node_weights(const std::vector<WeightLine>& lines,
                                        const NodeTable& nodes) {
    std::vector<std::uint64_t> weights(nodes.size(), default_weight);
    NodeSet seen(nodes.size());
    for (const WeightLine& line : lines) {
        nodes.parse(line.nodes.place, line.nodes.text).for_each([&](NodeIndex node) {
            if (seen.test(node))
                throw InputError(line.nodes.place,
                                 fmt::format("node {} already has a weight", nodes.name(node)),
                                 "give each node one weight");
            seen.set(node);
            weights[node] = line.weight;
        });
    }
    return weights;
}

}  // namespace nvl72block::cli
