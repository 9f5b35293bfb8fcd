// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/state/amounts.hpp"

#include <gtest/gtest.h>

namespace nvl72block::cli {
namespace {

TEST(Amounts, Megabytes) {
    EXPECT_EQ(megabytes("4G"), 4096U);
    EXPECT_EQ(megabytes("900000M"), 900000U);
    EXPECT_EQ(megabytes("512"), 512U);
    EXPECT_EQ(megabytes("14062.50G"), 14400000U);
    EXPECT_EQ(megabytes("800g"), 819200U);  // as sbatch takes it
    EXPECT_EQ(megabytes("none"), 0U);
}

TEST(Amounts, Gpus) {
    EXPECT_EQ(gpus_in("gpu:4"), 4U);
    EXPECT_EQ(gpus_in("gpu:gb200:4(S:0-1),shard:8"), 4U);
    EXPECT_EQ(gpus_in("gres/gpu:30"), 30U);
    EXPECT_EQ(gpus_in("gpu"), 1U);
    EXPECT_EQ(gpus_in("gpu:gb200,gres/gpu:b300=3"), 4U);
    EXPECT_EQ(gpus_in(""), 0U);
    EXPECT_EQ(gpu_types_in("gpu:gb200:4(S:0-1),shard:8"), "gb200");
    EXPECT_EQ(gpu_types_in("gres/gpu:b300=3,gpu:gb200"), "b300,gb200");
    EXPECT_EQ(gpu_types_in("gpu:4,gpu,gres/gpu=2,gpu:"), "");
    EXPECT_EQ(tres_in("cpu=2,gres/gpu=4,gres/gpu:gb200=4", "gres/gpu"), 4U);
    EXPECT_EQ(tres_in("cpu=2", "gres/gpu"), 0U);
}

TEST(Amounts, OtherGres) {
    EXPECT_EQ(other_gres_in("gres/shard:8,gres/gpu:gb200:4,nic:mlx5:2(S:0)"), "shard:8,nic:mlx5:2");
    EXPECT_EQ(other_gres_in("gpu,gres:gpu=4,none"), "");
    EXPECT_EQ(other_gres_in("gpus:1"), "gpus:1");
    EXPECT_EQ(other_gres_in(","), "");
}

}  // namespace
}  // namespace nvl72block::cli
