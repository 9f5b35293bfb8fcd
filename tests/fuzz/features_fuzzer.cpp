// SPDX-License-Identifier: GPL-2.0-or-later
//
// Feature texts: "PREFIX\nFEATURES".
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "nvl72block/clique.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::size_t end = text.find('\n');
    const std::string_view prefix = end == text.npos ? std::string_view() : text.substr(0, end);
    const auto clique =
        nvl72block::read_clique(end == text.npos ? text : text.substr(end + 1), prefix);
    if (clique.status != nvl72block::CliqueStatus::valid) return 0;
    // What was read must be written so that it reads the same.
    const auto again = nvl72block::read_clique(to_string(clique.identity));
    if (again.status != clique.status || again.identity != clique.identity) std::abort();
    return 0;
}
