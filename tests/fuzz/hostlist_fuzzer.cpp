// SPDX-License-Identifier: GPL-2.0-or-later
//
// Node lists as users, operators and files write them: expanded, counted and compressed again.
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "nvl72block/hostlist.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    constexpr std::size_t most = 2000;  // what is longer is the same again, slower
    std::string error;
    if (nvl72block::count_hostlist(text, error).value_or(0) > most) return 0;
    const auto names = nvl72block::expand_hostlist(text, error);
    if (!names) {
        if (error.empty() || error.find('\n') != std::string::npos) std::abort();
        return 0;
    }
    if (nvl72block::count_hostlist(text, error) != names->size()) std::abort();
    const std::set<std::string> different(names->begin(), names->end());
    const auto again = nvl72block::expand_hostlist(nvl72block::compress_hostlist(*names), error);
    if (!again || std::set<std::string>(again->begin(), again->end()) != different) std::abort();
    return 0;
}
