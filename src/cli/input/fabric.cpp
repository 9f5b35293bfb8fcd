// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/input/fabric.hpp"

#include <fmt/format.h>

#include "cli/input/input_error.hpp"

namespace nvl72block::cli {

throughput::Fabric parse_fabric(const std::string& text) {
    if (text == "gb200") return throughput::gb200;
    if (text == "gb300") return throughput::gb300;
    throw InputError("--fabric", fmt::format("\"{}\" is not known", text),
                     "write gb200 (50 GB/s per GPU between racks) or gb300 (100 GB/s)");
}

}  // namespace nvl72block::cli
