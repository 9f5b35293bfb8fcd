// SPDX-License-Identifier: GPL-2.0-or-later
//
// What each node of a site does, as far as node lists tell.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/input/site.hpp"
#include "nvl72block/node_set.hpp"

namespace nvl72block::cli {

struct NamedJob {
    std::string name;
    NodeSet nodes;
};

enum class NodeState { free, busy, drained };

/// Nodes of each state.
struct StateCounts {
    std::uint32_t free = 0;
    std::uint32_t busy = 0;
    std::uint32_t drained = 0;
    [[nodiscard]] std::uint32_t total() const { return free + busy + drained; }
};

class NodeStates {
  public:
    NodeStates(NodeSet busy, NodeSet drained, std::vector<NamedJob> jobs);

    /// A node with a job is busy, drained or not: Slurm calls it draining.
    [[nodiscard]] NodeState state(NodeIndex node) const;
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
    static constexpr char shared_glyph = '*';

  private:
    [[nodiscard]] char glyph_of(NodeIndex node, const std::vector<char>& job_glyphs) const;

    NodeSet busy_;  // with the nodes of all jobs
    NodeSet drained_;
    NodeSet free_;
    std::vector<NamedJob> jobs_;
    std::string glyphs_;
};

}  // namespace nvl72block::cli
