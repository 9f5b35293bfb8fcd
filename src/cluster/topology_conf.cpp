// SPDX-License-Identifier: GPL-2.0-or-later
//
// A cluster back into a topology.conf.
#include <sstream>
#include <string_view>

#include "nvl72block/cluster.hpp"
#include "nvl72block/hostlist.hpp"

namespace nvl72block {
namespace {

/// What begins a comment and what escapes it stand for themselves.
std::string escaped(std::string_view text) {
    std::string out;
    for (const char letter : text) {
        if (letter == '#' || letter == '\\') out += '\\';
        out += letter;
    }
    return out;
}

/// The names of a Nodes= text, which may have been in quotes or in YAML, in one word.
std::string one_word(std::string_view nodes) {
    std::string word;
    for (const std::string_view item : hostlist_items(nodes))
        word.append(word.empty() ? "" : ",").append(item);
    return escaped(word);
}

}  // namespace

std::string Cluster::to_topology_conf() const {
    std::ostringstream out;
    for (BlockIndex block = 0; block < topology_.block_count(); ++block) {
        const auto& [nodes, changed] = texts_[block];
        const bool is_clique = changed && nodes.empty();
        if (is_clique || topology_.is_hole(block)) continue;
        out << "BlockName=" << escaped(topology_.block_name(block));
        if (const std::string word = one_word(nodes); !word.empty()) out << " Nodes=" << word;
        out << '\n';
    }
    for (std::size_t i = 0; i < sizes_.size(); ++i)
        out << (i == 0 ? "BlockSizes=" : ",") << sizes_[i];
    if (!sizes_.empty()) out << '\n';
    return out.str();
}

}  // namespace nvl72block
