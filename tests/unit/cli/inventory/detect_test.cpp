// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "cli/inventory/inventory.hpp"

namespace nvl72block {
namespace {

TEST(DetectFormat, WhatEachToolAlwaysWrites) {
    EXPECT_EQ(detect_format("NodeName=n1 Arch=x86_64"), InventoryFormat::slurm_text);
    EXPECT_EQ(detect_format("\n NodeName=n1"), InventoryFormat::slurm_text);
    EXPECT_EQ(detect_format("{ \"nodes\": [] }"), InventoryFormat::slurm_json);
    EXPECT_EQ(detect_format("\n{\"apiVersion\": \"v1\"}"), InventoryFormat::kubectl_json);
    EXPECT_EQ(detect_format("\n===NVSMI LOG===\n"), InventoryFormat::nvidia_smi);
    EXPECT_EQ(detect_format("n1 gpu"), InventoryFormat::two_columns);
    EXPECT_EQ(detect_format(""), InventoryFormat::two_columns);
    std::string late(5000, ' ');
    late.back() = '{';
    EXPECT_EQ(detect_format(late), InventoryFormat::two_columns) << "the head alone is looked at";
}

}  // namespace
}  // namespace nvl72block
