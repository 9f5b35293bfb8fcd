// SPDX-License-Identifier: GPL-2.0-or-later
//
// What each node of a cluster does, as far as node lists tell.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/input/loaded_cluster.hpp"
#include "nvl72block/node_set.hpp"

namespace nvl72block::cli {

struct NamedJob {
    std::string name;
    NodeSet nodes;
};

enum class NodeState { free, busy, drained, reserved };

/// Nodes of each state.
struct StateCounts {
    std::uint32_t free = 0;
    std::uint32_t busy = 0;
    std::uint32_t drained = 0;
    std::uint32_t reserved = 0;
    [[nodiscard]] std::uint32_t total() const { return free + busy + drained + reserved; }
};

class NodeStates {
  public:
    /// All sets have an entry for each node of the cluster.
    NodeStates(NodeSet busy, NodeSet drained, NodeSet reserved, std::vector<NamedJob> jobs);

    /// A drained node is drained, with or without a job: no other job gets it. A reserved node with
    /// a job is busy.
    [[nodiscard]] NodeState state(NodeIndex node) const;
    [[nodiscard]] bool has_job(NodeIndex node) const { return busy_.test(node); }
    [[nodiscard]] bool is_drained(NodeIndex node) const { return drained_.test(node); }
    [[nodiscard]] bool is_reserved(NodeIndex node) const { return reserved_.test(node); }
    [[nodiscard]] char glyph(NodeIndex node) const { return glyphs_[node]; }
    [[nodiscard]] NodeSetView free() const { return free_; }
    [[nodiscard]] const std::vector<NamedJob>& jobs() const { return jobs_; }
    [[nodiscard]] char job_glyph(std::size_t job) const;

    void count(NodeIndex node, StateCounts& counts) const;
    [[nodiscard]] StateCounts count_all() const;

    static constexpr char free_glyph = '.';
    static constexpr char busy_glyph = '#';
    static constexpr char drained_glyph = 'x';
    static constexpr char draining_glyph = 'X';
    static constexpr char reserved_glyph = 'r';
    static constexpr char shared_glyph = '*';

  private:
    [[nodiscard]] char glyph_of(NodeIndex node, const std::vector<char>& job_glyphs) const;

    NodeSet busy_;  // with the nodes of all jobs
    NodeSet drained_;
    NodeSet reserved_;
    NodeSet free_;
    std::vector<NamedJob> jobs_;
    std::string glyphs_;
};

}  // namespace nvl72block::cli
