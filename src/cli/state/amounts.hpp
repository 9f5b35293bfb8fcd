// SPDX-License-Identifier: GPL-2.0-or-later
//
// Amounts in Slurm's texts: memory, GPUs, trackable resources.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nvl72block::cli {

/// Megabytes of "4G", "900000M" or "512"; 0 for any other text.
[[nodiscard]] std::uint64_t megabytes(std::string_view text);

/// GPUs of "gpu:4", "gpu:gb200:4(S:0-1),shard:8" or "gres/gpu:4"; 0 for none.
[[nodiscard]] std::uint32_t gpus_in(std::string_view text);

/// Their types, ascending, separated by commas; empty where none is named.
[[nodiscard]] std::string gpu_types_in(std::string_view text);

/// The entries for other GRES, e.g. "shard:8", separated by commas; empty for none.
[[nodiscard]] std::string other_gres_in(std::string_view text);

/// The number of "NAME=NUMBER" in a list such as "cpu=2,mem=1G,gres/gpu=4"; 0 where it is not in
/// it.
[[nodiscard]] std::uint64_t tres_in(std::string_view text, std::string_view name);

}  // namespace nvl72block::cli
