// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "cli/input/input_error.hpp"
#include "cli/state/parse.hpp"
#include "snapshot_folder.hpp"

namespace nvl72block::cli {
namespace {

TEST(ParseConfig, ReadsTimeVersionAndTopology) {
    const ConfigText config = parse_config(config_text("24.11.5", "jobs,usage"));
    EXPECT_EQ(time_text(config.now), "2026-11-22 20:51");
    EXPECT_EQ(config.slurm_version, "24.11.5");
    EXPECT_EQ(config.cluster_name, "eight");
    EXPECT_EQ(config.topology_plugin, "topology/block");
    EXPECT_EQ(config.topology_param, "");
    EXPECT_EQ(config.private_data, "jobs,usage");
}

TEST(ParseConfig, RefusesAnotherText) {
    EXPECT_THROW((void)parse_config("slurm_load_ctl_conf error: Unable to contact slurm"),
                 InputError);
}

}  // namespace
}  // namespace nvl72block::cli
