// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "files/state_saver.hpp"
#include "nvl72block/engine.h"

namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

using Demand = std::unique_ptr<nvl72block_demand, decltype(&nvl72block_demand_free)>;

Demand create(const char* stated, nvl72block_error* error = nullptr) {
    return {nvl72block_demand_create(stated, error), nvl72block_demand_free};
}

std::string text_of(const nvl72block_demand* demand) {
    char text[64];
    nvl72block_demand_text(demand, text, sizeof text);
    return text;
}

class DemandFile : public ::testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::path(::testing::TempDir()) /
                  ::testing::UnitTest::GetInstance()->current_test_info()->name();
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    [[nodiscard]] std::string file() const { return folder_ / "demand"; }

    fs::path folder_;
};

TEST(Demand, AStatedOneIsReadAndDoesNotLearn) {
    const Demand demand = create("16:0.8+4:0.2");
    EXPECT_EQ(text_of(demand.get()), "16:0.8+4:0.2");
    EXPECT_FALSE(nvl72block_demand_is_learned(demand.get()));
    EXPECT_FALSE(nvl72block_demand_begin(demand.get(), 1));
    nvl72block_error error;
    EXPECT_FALSE(nvl72block_demand_save(demand.get(), "anything", nullptr, &error));
    EXPECT_EQ(error.code, NVL72BLOCK_BAD_INPUT);
}

TEST(Demand, WhatCannotBeReadIsQuoted) {
    nvl72block_error error;
    EXPECT_EQ(create("sixteen", &error), nullptr);
    EXPECT_EQ(error.code, NVL72BLOCK_BAD_INPUT);
    EXPECT_THAT(error.message, HasSubstr("sixteen"));
}

TEST(Demand, NoneAtAllIsOffAndTolerated) {
    EXPECT_EQ(text_of(nullptr), "off");
    EXPECT_FALSE(nvl72block_demand_is_learned(nullptr));
    EXPECT_FALSE(nvl72block_demand_begin(nullptr, 1));
    nvl72block_demand_observe(nullptr, 16, 16);
    nvl72block_demand_finish(nullptr, nullptr);
    nvl72block_demand_free(nullptr);
}

TEST_F(DemandFile, WhatWasLearnedComesBack) {
    const Demand before = create(nullptr), after = create(nullptr);
    ASSERT_TRUE(nvl72block_demand_begin(before.get(), 1000));
    nvl72block_demand_observe(before.get(), 16, 32);
    nvl72block_error error;
    ASSERT_TRUE(nvl72block_demand_save(before.get(), file().c_str(), nullptr, &error));
    // as it waits to be written, and from the file
    EXPECT_TRUE(nvl72block_demand_load(after.get(), file().c_str(), 2000, &error)) << error.message;
    nvl72block::StateSaver::of_process().wait();
    EXPECT_TRUE(nvl72block_demand_load(after.get(), file().c_str(), 2000, &error)) << error.message;
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(DemandFile, AMissingFileIsNoError) {
    nvl72block_error error;
    EXPECT_FALSE(nvl72block_demand_load(create(nullptr).get(), file().c_str(), 1, &error));
    EXPECT_EQ(error.code, NVL72BLOCK_OK);
}

TEST_F(DemandFile, ADamagedFileIsNamedWithItsLine) {
    std::ofstream(file()) << "nvl72block demand 1\n1000\n16 many\nend\n";
    nvl72block_error error;
    EXPECT_FALSE(nvl72block_demand_load(create(nullptr).get(), file().c_str(), 1, &error));
    EXPECT_EQ(error.code, NVL72BLOCK_BAD_INPUT);
    EXPECT_EQ(
        error.message,
        file() +
            ": line 3: not a number of nodes up to 16777216 and an amount above 0 and up to 1e+21");
}

// Nobody keeps a history in a file of megabytes: it is somebody else's, and not read to its end.
TEST_F(DemandFile, AHugeFileIsRefused) {
    std::ofstream(file()) << "nvl72block demand 1\n1000\n" << std::string(1 << 20, '1');
    nvl72block_error error;
    EXPECT_FALSE(nvl72block_demand_load(create(nullptr).get(), file().c_str(), 1, &error));
    EXPECT_THAT(error.message, HasSubstr("bytes, more than the 65536 that are read"));
}

// It was taken for a file that is not there yet.
TEST_F(DemandFile, ALinkToNowhereIsAnError) {
    fs::create_symlink("nowhere", file());
    nvl72block_error error;
    EXPECT_FALSE(nvl72block_demand_load(create(nullptr).get(), file().c_str(), 1, &error));
    EXPECT_EQ(error.message, file() + ": it is a link to nowhere, which does not exist");
}

TEST_F(DemandFile, AFolderThatIsNotThereIsTold) {
    nvl72block_error error;
    const std::string nowhere = folder_ / "nowhere/demand";
    static std::string told;
    EXPECT_TRUE(nvl72block_demand_save(
        create(nullptr).get(), nowhere.c_str(), [](const char* sentence) { told = sentence; },
        &error));
    nvl72block::StateSaver::of_process().wait();
    EXPECT_THAT(told, HasSubstr(nowhere));
}

}  // namespace
