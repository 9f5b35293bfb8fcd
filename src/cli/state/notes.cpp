// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/state/notes.hpp"

#include <fmt/format.h>

#include <ostream>

namespace nvl72block::cli {

void Notes::add(const std::string& remark) {
    if (++counts_[remark] == 1) remarks_.push_back(remark);
}

void Notes::print(std::ostream& stream) const {
    for (const std::string& remark : remarks_) {
        const std::size_t count = counts_.at(remark);
        stream << "note: " << remark << (count > 1 ? fmt::format(" ({} times)", count) : "")
               << '\n';
    }
}

}  // namespace nvl72block::cli
