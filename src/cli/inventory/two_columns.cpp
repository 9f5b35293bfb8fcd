// SPDX-License-Identifier: GPL-2.0-or-later
//
// A file made by hand or by a script: a node list and its features on each line.
#include <fmt/format.h>

#include "cli/inventory/inventory.hpp"
#include "cli/inventory/words.hpp"
#include "nvl72block/hostlist.hpp"
#include "text/excerpt.hpp"

namespace nvl72block {
namespace {

constexpr std::size_t most_nodes = max_hostlist_names;

/// What is wrong with the words of one line; empty when nothing is.
std::string problem_of(std::string_view line, std::string_view third) {
    if (line.find('\0') != line.npos) return "not a text file";
    if (!third.empty()) return fmt::format("\"{}\" is a third column", excerpt(third));
    return {};
}

}  // namespace

void read_two_columns(const InventorySource& source, Inventory& inventory,
                      Diagnostics& diagnostics) {
    std::string_view rest = source.text;
    for (unsigned number = 1; !rest.empty(); ++number) {
        std::string_view line = take_line(rest);
        line = line.substr(0, line.find('#'));
        const std::string_view whole = line;
        const std::string_view nodes = take_word(line);
        if (nodes.empty()) continue;
        const std::string_view features = take_word(line);
        std::string problem = problem_of(whole, take_word(line));
        std::optional<std::vector<std::string>> names;
        if (problem.empty()) names = expand_hostlist(nodes, problem);
        if (names && inventory.nodes().size() + names->size() > most_nodes) {
            names.reset();
            problem = fmt::format("more than {} nodes in total", most_nodes);
        }
        if (!names) {
            diagnostics.push_back({Severity::error, source.file, number, problem,
                                   "write a node list and its features, e.g. node[01-18] "
                                   "b78ed242-7b98-426f-b194-b76b8899f4ec.32766"});
            return;  // a file of another kind would have a finding a line
        }
        const NodeClique clique = read_clique(features, source.prefix);
        for (const std::string& name : *names) inventory.add(name, clique);
    }
}

}  // namespace nvl72block
