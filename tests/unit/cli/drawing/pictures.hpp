// SPDX-License-Identifier: GPL-2.0-or-later
//
// Pictures for tests: racks in letters, one per node.
#pragma once

#include <string>
#include <vector>

#include "cli/drawing/picture.hpp"

namespace nvl72block::cli {

/// One rack per text. A letter is a job, '.' a free node, 'x' a drained, 'd' a down, 'r' a
/// reserved, 'u' an unavailable and '#' a busy one. Node names are rack and node numbers, from 1.
inline Picture picture_of(const std::vector<std::string>& racks) {
    Picture picture;
    picture.title = "Racks";
    for (std::size_t r = 0; r < racks.size(); ++r) {
        DrawnRack rack;
        rack.name = "rack" + std::to_string(r + 1);
        for (const char c : racks[r]) {
            DrawnNode node;
            node.name = "r" + std::to_string(r + 1) + "n" + std::to_string(rack.nodes.size() + 1);
            node.reserved = c == 'r';
            if (c == 'x') node.mark = NodeMark::drained;
            if (c == 'd') node.mark = NodeMark::down;
            if (c == 'u') node.mark = NodeMark::unavailable;
            node.busy = c == '#' || (c >= 'A' && c <= 'Z');
            if (c >= 'A' && c <= 'Z') {
                const auto job = static_cast<JobIndex>(c - 'A');
                while (picture.jobs.size() <= job)
                    picture.jobs.push_back(
                        {std::string(1, static_cast<char>('A' + picture.jobs.size())), ""});
                node.jobs = {job};
            }
            rack.nodes.push_back(node);
        }
        picture.racks.push_back(rack);
    }
    return picture;
}

inline std::size_t occurrences(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

}  // namespace nvl72block::cli
