// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a site's other tools say about its nodes' cliques: one list of nodes from any of the formats
// that these tools write.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "nvl72block/clique.hpp"
#include "nvl72block/diagnostics.hpp"

namespace nvl72block {

struct InventoryNode {
    std::string name;
    NodeClique clique;
};

/// Nodes in the order in which they were met, each once.
class Inventory {
  public:
    /// Another word about `name`: two cliques that differ are a problem of the node, a word about a
    /// clique outweighs none.
    void add(const std::string& name, const NodeClique& clique);

    [[nodiscard]] const std::vector<InventoryNode>& nodes() const { return nodes_; }
    /// What is known of `name`; nullptr for nothing.
    [[nodiscard]] const InventoryNode* find(const std::string& name) const;

  private:
    std::vector<InventoryNode> nodes_;
    std::unordered_map<std::string, std::size_t> index_;
};

enum class InventoryFormat {
    slurm_text,    ///< scontrol show nodes
    slurm_json,    ///< scontrol show nodes --json
    kubectl_json,  ///< kubectl get nodes -o json
    nvidia_smi,    ///< nvidia-smi -q of one host
    two_columns,   ///< NODES FEATURES on each line
};

/// A text of one of the formats, and what is needed to understand it.
struct InventorySource {
    std::string_view text;
    std::string file;    ///< for messages
    std::string host;    ///< whose it is, where the format does not say so (nvidia_smi)
    std::string prefix;  ///< what the site writes in front of a clique's feature
};

/// Recognizes a format by what its tool always writes; two_columns is what is left.
[[nodiscard]] InventoryFormat detect_format(std::string_view text);

/// Reads `source`, of the format that is detected, into `inventory`. A text that is not what it
/// seems to be is a finding (severity error, with the line where one is known).
void read_inventory(const InventorySource& source, Inventory& inventory, Diagnostics& diagnostics);

// One reader a format; arguments as above.
void read_slurm_text(const InventorySource& source, Inventory& inventory, Diagnostics& diagnostics);
void read_slurm_json(const InventorySource& source, Inventory& inventory, Diagnostics& diagnostics);
void read_kubectl_json(const InventorySource& source, Inventory& inventory,
                       Diagnostics& diagnostics);
void read_nvidia_smi(const InventorySource& source, Inventory& inventory, Diagnostics& diagnostics);
void read_two_columns(const InventorySource& source, Inventory& inventory,
                      Diagnostics& diagnostics);

/// Reads files, and all files of directories, into one inventory. The host of an `nvidia-smi -q`
/// text is the file's name without .txt, .log or .out.
[[nodiscard]] Inventory read_inventory_files(const std::vector<std::string>& paths,
                                             const std::string& prefix, Diagnostics& diagnostics);

}  // namespace nvl72block
