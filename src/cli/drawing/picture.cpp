// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/drawing/picture.hpp"

#include <algorithm>
#include <numeric>

namespace nvl72block::cli {
namespace {

std::string job_words(const Picture& picture, const DrawnNode& node) {
    std::string text = node.jobs.size() > 1 ? "jobs " : "job ";
    for (const JobIndex job : node.jobs) {
        if (job != node.jobs.front()) text += ", ";
        text += picture.jobs[job].name;
    }
    if (node.jobs.size() == 1 && !picture.jobs[node.jobs.front()].note.empty())
        text += " (" + picture.jobs[node.jobs.front()].note + ")";
    return text;
}

const char* mark_words(NodeMark mark, bool busy) {
    switch (mark) {
        case NodeMark::none:
            break;
        case NodeMark::drained:
            return busy ? "draining" : "drained";
        case NodeMark::down:
            return "down";
        case NodeMark::unavailable:
            return "not available";
    }
    return "";
}

}  // namespace

std::vector<JobExtent> job_extents(const Picture& picture) {
    std::vector<JobExtent> extents(picture.jobs.size());
    std::vector<std::size_t> last_rack(picture.jobs.size(), picture.racks.size());
    for (std::size_t rack = 0; rack < picture.racks.size(); ++rack)
        for (const DrawnNode& node : picture.racks[rack].nodes)
            for (const JobIndex job : node.jobs) {
                ++extents[job].nodes;
                if (last_rack[job] != rack) ++extents[job].racks;
                last_rack[job] = rack;
            }
    return extents;
}

std::vector<JobIndex> jobs_by_size(const std::vector<JobExtent>& extents) {
    std::vector<JobIndex> order(extents.size());
    std::iota(order.begin(), order.end(), JobIndex{0});
    std::stable_sort(order.begin(), order.end(), [&extents](JobIndex left, JobIndex right) {
        return extents[left].nodes > extents[right].nodes;
    });
    return order;
}

std::string node_words(const Picture& picture, const DrawnRack& rack, const DrawnNode& node) {
    std::string text = node.name + " (" + rack.name + "): ";
    if (!node.jobs.empty())
        text += job_words(picture, node);
    else if (node.busy)
        text += "busy";
    else if (node.mark == NodeMark::none && !node.reserved)
        text += "free";
    const auto add = [&text](const std::string& words) {
        if (words.empty()) return;
        if (!text.ends_with(": ")) text += ", ";
        text += words;
    };
    // the note tells why a node is not available
    if (node.mark != NodeMark::unavailable || node.note.empty())
        add(mark_words(node.mark, node.busy));
    if (node.reserved) add("reserved");
    add(node.note);
    if (node.partly) add("partly free");
    if (node.clique != no_rack_clique) add("clique " + rack.cliques[node.clique]);
    return text;
}

}  // namespace nvl72block::cli
