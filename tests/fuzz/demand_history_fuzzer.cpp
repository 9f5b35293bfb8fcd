// SPDX-License-Identifier: GPL-2.0-or-later
//
// Files of what was learned: what slurmctld does with one at its start, and later.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "nvl72block/learned_demand.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using nvl72block::LearnedDemand;
    constexpr std::int64_t now = 1'700'000'000;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    std::string error;
    LearnedDemand read, again, own;
    if (!read.restore(text, now, error)) {
        if (error.empty()) std::abort();
        return 0;
    }
    // What was read must be written so that it reads the same.
    if (!again.restore(read.to_text(), now, error) || again.to_text() != read.to_text())
        std::abort();
    own.adopt(read, now);
    if (own.adopt(read, now)) std::abort();  // never twice
    const LearnedDemand::Ground ground{.sizes = {18, 36}, .nodes = 360, .largest = 36};
    for (const std::int64_t time : {now, now + 10, now + 1'000'000'000}) {
        own.begin(time);
        own.observe(16, 64);
        own.finish(ground);
        if (own.demand().empty()) std::abort();
        if (!again.restore(own.to_text(), time, error)) std::abort();
    }
    return 0;
}
