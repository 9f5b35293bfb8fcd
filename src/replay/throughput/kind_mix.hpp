// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which kind of training each job of a replay is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "throughput/job_kind.hpp"

namespace nvl72block::replay {

class KindMix {
  public:
    /// "KIND[:SHARE],…": the share of the jobs; kinds without one divide the rest equally. nullopt
    /// with a sentence in `error` if `text` is not that, or if the shares do not add up to 1.
    [[nodiscard]] static std::optional<KindMix> parse(std::string_view text, std::string& error);

    /// The kind of the job at `index`, the same for every policy; another `seed` deals anew.
    [[nodiscard]] throughput::JobKind of(std::uint64_t seed, std::size_t index) const;

  private:
    struct Part {
        throughput::JobKind kind{};
        double share = 0;
    };
    std::vector<Part> parts_;
};

}  // namespace nvl72block::replay
