// SPDX-License-Identifier: GPL-2.0-or-later
//
// A cluster back into a topology.conf.
#include <filesystem>
#include <fstream>
#include <system_error>

#include "nvl72block/cluster.hpp"

namespace nvl72block {

bool Cluster::write(const std::filesystem::path& path) const {
    std::filesystem::path draft = path;
    draft += ".new";
    std::ofstream out(draft, std::ios::trunc);
    for (BlockIndex block = 0; block < topology_.block_count(); ++block) {
        const auto& [nodes, changed] = texts_[block];
        const bool is_clique = changed && nodes.empty();
        if (is_clique || topology_.is_hole(block)) continue;
        out << "BlockName=" << topology_.block_name(block);
        if (!nodes.empty()) out << " Nodes=" << nodes;
        out << '\n';
    }
    for (std::size_t i = 0; i < sizes_.size(); ++i)
        out << (i == 0 ? "BlockSizes=" : ",") << sizes_[i];
    if (!sizes_.empty()) out << '\n';
    out.close();
    std::error_code failure;
    if (out) std::filesystem::rename(draft, path, failure);
    if (out && !failure) return true;
    std::filesystem::remove(draft, failure);
    return false;
}

}  // namespace nvl72block
