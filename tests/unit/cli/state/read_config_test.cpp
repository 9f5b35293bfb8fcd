// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "cli/input/input_error.hpp"
#include "cli/state/readers.hpp"
#include "snapshot_folder.hpp"

namespace nvl72block::cli {
namespace {

TEST(ReadConfig, ReadsTimeVersionAndTopology) {
    SnapshotText text;
    text.config = config_text("24.11.5", "jobs,usage");
    const ConfigRecord config = read_config(text.document());
    EXPECT_EQ(time_text(config.now), "2026-11-22 20:51");
    EXPECT_EQ(config.slurm_version, "24.11.5");
    EXPECT_EQ(config.cluster_name, "eight");
    EXPECT_EQ(config.topology_plugin, "topology/block");
    EXPECT_EQ(config.topology_param, "");
    EXPECT_EQ(config.private_data, "jobs,usage");
    EXPECT_EQ(config.preempt_type, "");
    text.config.insert(1, R"("preempt_type":"preempt/qos",)");
    EXPECT_EQ(read_config(text.document()).preempt_type, "preempt/qos");
}

TEST(ReadConfig, NeedsATimeAndAVersion) {
    for (const char* config : {R"({"time":1})", R"({"slurm_version":"24.11.5"})", "{}", "[]"}) {
        SnapshotText text;
        text.config = config;
        EXPECT_THROW((void)read_config(text.document()), InputError) << config;
    }
}

}  // namespace
}  // namespace nvl72block::cli
