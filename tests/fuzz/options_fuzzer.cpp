// SPDX-License-Identifier: GPL-2.0-or-later
//
// The words of TopologyParam=: what is read is written so that it reads the same, and each finding
// is one line.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "nvl72block/options.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    std::vector<std::string> findings, none;
    const nvl72block::Options options = nvl72block::parse_options(text, findings);
    for (const std::string& finding : findings)
        for (const char letter : finding)
            if (letter == '\n' || letter == '\x1b') std::abort();
    const std::string written = to_string(options);
    if (to_string(nvl72block::parse_options(written, none)) != written || !none.empty())
        std::abort();
    return 0;
}
