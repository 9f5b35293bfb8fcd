// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/show/node_states.hpp"

#include <string_view>
#include <utility>

namespace nvl72block::cli {
namespace {

/// Letters that are no state's glyph; more jobs than letters use them again.
constexpr std::string_view job_letters = "ABCDEFGHIJKLMNOPQRSTUVWYZabcdefghijklmnopqstuvwyz";

}  // namespace

NodeStates::NodeStates(NodeSet busy, NodeSet drained, NodeSet reserved, std::vector<NamedJob> jobs)
    : busy_(std::move(busy)),
      drained_(std::move(drained)),
      reserved_(std::move(reserved)),
      jobs_(std::move(jobs)) {
    std::vector<char> job_glyphs(busy_.size(), '\0');
    for (std::size_t job = 0; job < jobs_.size(); ++job) {
        jobs_[job].nodes.for_each([&](NodeIndex node) {
            job_glyphs[node] = job_glyphs[node] == '\0' ? job_glyph(job) : shared_glyph;
        });
        busy_.unite(jobs_[job].nodes);
    }
    free_ = NodeSet(busy_.size());
    glyphs_.resize(busy_.size());
    for (NodeIndex node = 0; node < busy_.size(); ++node) {
        if (state(node) == NodeState::free) free_.set(node);
        glyphs_[node] = glyph_of(node, job_glyphs);
    }
}

char NodeStates::glyph_of(NodeIndex node, const std::vector<char>& job_glyphs) const {
    if (drained_.test(node)) return busy_.test(node) ? draining_glyph : drained_glyph;
    if (job_glyphs[node] != '\0') return job_glyphs[node];
    if (busy_.test(node)) return busy_glyph;
    return reserved_.test(node) ? reserved_glyph : free_glyph;
}

char NodeStates::job_glyph(std::size_t job) const {
    return job_letters[job % job_letters.size()];
}

NodeState NodeStates::state(NodeIndex node) const {
    if (drained_.test(node)) return NodeState::drained;
    if (busy_.test(node)) return NodeState::busy;
    return reserved_.test(node) ? NodeState::reserved : NodeState::free;
}

void NodeStates::count(NodeIndex node, StateCounts& counts) const {
    switch (state(node)) {
        case NodeState::free:
            ++counts.free;
            break;
        case NodeState::busy:
            ++counts.busy;
            break;
        case NodeState::drained:
            ++counts.drained;
            break;
        case NodeState::reserved:
            ++counts.reserved;
            break;
    }
}

StateCounts NodeStates::count_all() const {
    StateCounts counts;
    for (NodeIndex node = 0; node < busy_.size(); ++node) count(node, counts);
    return counts;
}

}  // namespace nvl72block::cli
