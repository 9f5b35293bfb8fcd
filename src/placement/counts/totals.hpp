// SPDX-License-Identifier: GPL-2.0-or-later
//
// Jobs whose CPUs and GPUs must suffice in total, beyond the number of nodes.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "placement/bound/resource_bound.hpp"
#include "placement/counts/decision.hpp"

namespace nvl72block {

/// CPUs and GPUs of some nodes together.
struct Sums {
    std::uint64_t cpus = 0;
    std::uint64_t gpus = 0;

    [[nodiscard]] bool any() const { return cpus != 0 || gpus != 0; }
    [[nodiscard]] bool hold(const Sums& totals) const {
        return cpus >= totals.cpus && gpus >= totals.gpus;
    }
};
/// What a CPU and a GPU count for.
using Mix = Sums;

/// Weights under which the lightest usable nodes are those that count for most.
[[nodiscard]] std::vector<std::uint64_t> weights_of_lacking(const State& state, const Mix& mix);

[[nodiscard]] Sums sums_of(const State& state, NodeSetView nodes);

/// The totals that a request asks for; 0 where it does not, or nothing is known of the nodes.
[[nodiscard]] Sums totals_of(const Request& request, const State& state);

/// What they count for. If the most of any nodes is less than that of the totals, none hold these.
[[nodiscard]] std::uint64_t value(const Mix& mix, const Sums& sums);

/// The mix under which CPUs and GPUs count by their share of `whole`.
[[nodiscard]] Mix mix_of_shares(const Sums& whole);

/// Names the lightest nodes by some weights, if its price can be paid.
struct Naming {
    Effort& effort;
    std::uint64_t price;
    std::function<Placement(std::span<const std::uint64_t>)> name;
};

/// Where the best nodes by a mix, which have `sums`, lack one of both totals: those by the mix
/// under which neither is lacking, by bisection. README.md tells how ("Totals of CPUs and GPUs").
[[nodiscard]] std::optional<Placement> name_holding(const State& state, const Sums& totals,
                                                    Sums sums, const Naming& naming);

class ResourceOrder;

/// The searches for placements that hold the totals of a request, one node count a time. For one
/// resource they find one if there is one; for both, where a mix of them tells.
class Totals {
  public:
    explicit Totals(const Decision& decision);

    /// False if no problem.nodes nodes can hold the totals, with `or_fewer` nor any fewer of them
    /// under limits at the same levels; a matter of counts.
    [[nodiscard]] bool may_hold(const Problem& problem, bool or_fewer = false) const;

    /// The next count, in one block of `level`, whose nodes may hold the totals where those of
    /// `problem` cannot.
    [[nodiscard]] std::uint64_t next_holding(const Problem& problem, std::size_t level) const;

    /// The preferred placement if it holds the totals, else one that does, which is not proven the
    /// best. The effort says whether there may be one that was not found.
    [[nodiscard]] std::optional<Placement> place(const Problem& problem);

  private:
    struct Resource {
        Mix mix;
        std::optional<ResourceBound> bound;    // if it is asked for
        std::shared_ptr<ResourceOrder> order;  // made when first needed
    };
    /// What the order of one mix led to.
    struct Try {
        enum class Outcome { held, excluded, open } outcome = Outcome::open;
        std::optional<Placement> placement;
        Sums sums;
    };
    [[nodiscard]] Try try_rich_nodes(const Mix& mix, std::uint64_t orders, const Problem& problem);
    [[nodiscard]] Try attempt(const ResourceOrder& order, const Mix& mix, const Problem& problem);
    [[nodiscard]] Try most_of_one(Resource& resource, const Problem& problem);
    [[nodiscard]] Try most_of_both(const Problem& problem);

    const Decision& decision_;
    const Sums totals_;
    std::uint64_t price_ = 0;  // of a first answer, as far as known from orders of resources
    Resource cpus_{{1, 0}, {}, {}}, gpus_{{0, 1}, {}, {}}, both_;
};

}  // namespace nvl72block
