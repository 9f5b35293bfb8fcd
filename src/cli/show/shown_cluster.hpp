// SPDX-License-Identifier: GPL-2.0-or-later
//
// A cluster and what its nodes do, from a running cluster or from node lists.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "cli/input/features.hpp"
#include "cli/input/loaded_cluster.hpp"
#include "cli/question/demand_in_force.hpp"
#include "cli/show/node_states.hpp"
#include "cli/state/cluster_state.hpp"
#include "nvl72block/clique.hpp"

namespace nvl72block::cli {

struct ShownCluster {
    std::string title;
    LoadedCluster loaded;
    NodeStates states;
    std::optional<CliqueMap> cliques;     ///< nullopt: no node names one
    std::vector<std::string> node_notes;  ///< by node; nothing, or empty: nothing special
    std::vector<std::string> job_notes;   ///< as NodeStates::jobs(), or nothing
    NodeSet partly;                       ///< busy, with CPUs left
    NodeSet down;                         ///< members of those drained
    /// Out of service for another reason than being drained or down, or planned for a pending job.
    NodeSet unavailable;
    std::optional<DemandInForce> demand = {};  ///< nullopt: another policy, or not known

    [[nodiscard]] const Topology& topology() const { return loaded.topology(); }
};

/// Where `show` and `metrics` get a cluster from.
struct ShownOptions {
    StateOptions state;
    std::string busy;
    std::string drained;
    std::string reserved;
    std::vector<std::string> jobs;  ///< NAME=HOSTLIST
    FeatureOptions features;

    /// Whether node lists tell what the nodes do: with --topology and without --state.
    [[nodiscard]] bool from_lists() const {
        return state.folder.empty() && !state.topology.empty();
    }
};

void add_shown_options(CLI::App& command, ShownOptions& options);

/// With ShownOptions::from_lists(); throws InputError.
[[nodiscard]] ShownCluster cluster_of_lists(const ShownOptions& options, std::ostream& notes);

/// The state of `options`; InputError if there are node lists as well.
[[nodiscard]] ClusterState state_of(const ShownOptions& options, std::ostream& notes);

/// Reserved are the nodes of the reservations that are active.
[[nodiscard]] ShownCluster cluster_of_state(const ClusterState& state);

}  // namespace nvl72block::cli
