// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/state/record.hpp"

#include <gtest/gtest.h>

namespace nvl72block::cli {
namespace {

TEST(Record, FindsWholeKeysOnly) {
    const Record record("NodeName=n1 AvailableFeatures=blue ActiveFeatures=(null) State=IDLE");
    EXPECT_EQ(record.value("NodeName"), "n1");
    EXPECT_EQ(record.value("State"), "IDLE");
    EXPECT_EQ(record.value("ActiveFeatures"), "");
    EXPECT_TRUE(record.find("ActiveFeatures"));
    EXPECT_FALSE(record.find("Features"));
}

TEST(Record, ValuesWithBlanksGoToTheEnd) {
    const Record record("State=IDLE+DRAIN  Reason=bad NVLink tray [root@2026-11-22T20:51:13]");
    EXPECT_EQ(record.rest("Reason"), "bad NVLink tray [root@2026-11-22T20:51:13]");
}

TEST(Record, WhatComesBeforeAKeyCanBeLeftOut) {
    const Record record("JobId=1 JobName=x JobState=RUNNING UserId=a(1) JobState=PENDING");
    EXPECT_EQ(record.from("UserId").value("JobState"), "PENDING");
}

TEST(Record, Megabytes) {
    EXPECT_EQ(megabytes("4G"), 4096U);
    EXPECT_EQ(megabytes("900000M"), 900000U);
    EXPECT_EQ(megabytes("512"), 512U);
    EXPECT_EQ(megabytes("14062.50G"), 14400000U);
    EXPECT_EQ(megabytes("none"), 0U);
}

TEST(Record, Gpus) {
    EXPECT_EQ(gpus_in("gpu:4"), 4U);
    EXPECT_EQ(gpus_in("gpu:gb200:4(S:0-1),shard:8"), 4U);
    EXPECT_EQ(gpus_in("gres/gpu:30"), 30U);
    EXPECT_EQ(gpus_in("gpu"), 1U);
    EXPECT_EQ(gpus_in(""), 0U);
    EXPECT_EQ(tres_in("cpu=2,gres/gpu=4,gres/gpu:gb200=4", "gres/gpu"), 4U);
    EXPECT_EQ(tres_in("cpu=2", "gres/gpu"), 0U);
}

}  // namespace
}  // namespace nvl72block::cli
