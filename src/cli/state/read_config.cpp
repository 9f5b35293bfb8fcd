// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/input/input_error.hpp"
#include "cli/state/readers.hpp"

namespace nvl72block::cli {

ConfigRecord read_config(const Document& document) {
    const Members members = document.root().record("config");
    ConfigRecord config;
    config.now = members.time("time").value_or(0);
    config.cluster_name = members.text("cluster_name");
    config.slurm_version = members.text("slurm_version");
    config.topology_plugin = members.text("topology_plugin");
    config.topology_param = members.text("topology_param");
    config.private_data = members.text("private_data");
    config.preempt_type = members.text("preempt_type");
    config.slurm_conf = members.text("slurm_conf");
    config.max_nodes = members.number<std::uint64_t>("max_nodes");
    config.state_save_location = members.text("state_save_location");
    config.enforce_part_limits = members.text("enforce_part_limits");
    if (config.now == 0 || config.slurm_version.empty())
        throw InputError(document.file(), "config has no time or no slurm_version",
                         "use one that nvl72block-records or nvl72block snapshot wrote");
    return config;
}

}  // namespace nvl72block::cli
