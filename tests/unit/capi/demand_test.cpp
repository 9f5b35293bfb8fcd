// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "files/state_saver.hpp"
#include "nvl72block/engine.h"
#include "two_racks.hpp"

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
    const nvl72block_queue_job job{};
    EXPECT_FALSE(nvl72block_demand_observe(nullptr, nullptr, 8, &job));
    EXPECT_EQ(nvl72block_demand_measuring_node(nullptr), NVL72BLOCK_NO_NODE);
    nvl72block_demand_finish(nullptr, nullptr);
    nvl72block_demand_free(nullptr);
}

TEST_F(DemandFile, WhatWasLearnedComesBack) {
    const Demand before = create(nullptr), after = create(nullptr);
    ASSERT_TRUE(nvl72block_demand_begin(before.get(), 1000));
    const auto topology = nvl72block::testing::two_racks();
    const std::uint64_t nodes = 1;
    nvl72block_queue_job job{};
    job.runs = true;
    job.reach = {.words = &nodes, .bits = 4};
    job.nodes = 2;
    EXPECT_EQ(nvl72block_demand_measuring_node(topology.get()), 0U);
    EXPECT_TRUE(nvl72block_demand_observe(before.get(), topology.get(), 8, &job));
    job.runs = false;
    EXPECT_FALSE(nvl72block_demand_observe(before.get(), topology.get(), 8, &job));
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

/// What adopting `file` at the time 1000 says.
std::string adopt(nvl72block_demand* demand, const std::string& file, bool taken,
                  nvl72block_error& error) {
    char told[1024];
    EXPECT_EQ(nvl72block_demand_adopt(demand, file.c_str(), 1000, told, sizeof told, &error), taken)
        << told << error.message;
    return told;
}

TEST_F(DemandFile, AHistoryIsTakenOverOnce) {
    std::ofstream(file()) << "nvl72block demand 1\n1000\n16 6912000\n64 1728000\nend\n";
    const Demand demand = create(nullptr);
    nvl72block_error error;
    EXPECT_EQ(adopt(demand.get(), file(), true, error),
              file() +
                  " is taken over: 100.0 node-days in place of 0.0, for slots of "
                  "64:0.2+16:0.8");
    EXPECT_EQ(error.code, NVL72BLOCK_OK);
    EXPECT_EQ(adopt(demand.get(), file(), false, error),
              file() + " is not taken over: it has 100.0 node-days, 100.0 are known");
    EXPECT_EQ(error.code, NVL72BLOCK_OK);
}

TEST_F(DemandFile, NoHistoryToTakeOverIsNoError) {
    nvl72block_error error;
    EXPECT_EQ(adopt(create(nullptr).get(), file(), false, error), "");
    EXPECT_EQ(error.code, NVL72BLOCK_OK);
    EXPECT_EQ(adopt(create("16:1").get(), file(), false, error), "");
    EXPECT_EQ(error.code, NVL72BLOCK_BAD_INPUT);
}

// Whoever writes there may write anything: each is refused, or takes nothing away.
TEST_F(DemandFile, AnyBytesInAHistoryAreBorne) {
    const std::string whole = "nvl72block demand 1\n1000\n16 6912000\n64 1728000\nend\n";
    std::uint64_t state = 1;
    const auto random = [&state] { return (state = state * 6364136223846793005U + 1) >> 33; };
    const Demand demand = create(nullptr);
    int refused = 0;
    for (int round = 0; round < 3000; ++round) {
        std::string text = whole;
        for (std::uint64_t count = random() % 4; count-- > 0;) {
            const std::size_t place = random() % text.size();
            switch (random() % 4) {
                case 0:
                    text.resize(place + 1);
                    break;
                case 1:
                    text.insert(place, text.substr(random() % text.size(), random() % 40));
                    break;
                default:
                    text[place] = static_cast<char>(random());
            }
        }
        std::ofstream(file(), std::ios::binary) << text;
        nvl72block_error error;
        char told[1024];
        (void)nvl72block_demand_adopt(demand.get(), file().c_str(), 1000, told, sizeof told,
                                      &error);
        refused += error.code != NVL72BLOCK_OK ? 1 : 0;
        EXPECT_EQ(error.code == NVL72BLOCK_OK, told[0] != 0) << text;
    }
    EXPECT_GT(refused, 1000);
    EXPECT_LT(refused, 2500);
}

TEST_F(DemandFile, WhatIsNoHistoryFileIsRefused) {
    nvl72block_error error;
    fs::create_directory(file());
    EXPECT_EQ(adopt(create(nullptr).get(), file(), false, error), "");
    EXPECT_THAT(error.message, HasSubstr("it is a directory, not a regular file"));
    fs::remove(file());
    ASSERT_EQ(::mkfifo(file().c_str(), 0600), 0);  // nobody waits for its writer
    EXPECT_EQ(adopt(create(nullptr).get(), file(), false, error), "");
    EXPECT_THAT(error.message, HasSubstr("it is a FIFO, not a regular file"));
}

}  // namespace
