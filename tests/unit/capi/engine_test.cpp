// SPDX-License-Identifier: GPL-2.0-or-later
//
// The C boundary: failures become codes and messages, NULL is tolerated, bits are read in place.
#include "nvl72block/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "files/state_saver.hpp"
#include "two_racks.hpp"

namespace {

using nvl72block::testing::AnswerHandle;
using nvl72block::testing::OptionsHandle;
using nvl72block::testing::read_options;
using nvl72block::testing::TopologyHandle;
using nvl72block::testing::two_racks;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StrEq;

struct Log {
    std::vector<std::string> lines;
};

// "3-5,9" as node numbers; "?7" is a node that is yet to come; "-" and anything else that is no
// number fails, "throw" throws.
void resolve(void*, const char* text, nvl72block_nodes* nodes) {
    if (std::string_view(text) == "throw") throw std::runtime_error("the resolver gave up");
    std::istringstream words{std::string(text)};
    for (std::string word; std::getline(words, word, ',');) {
        if (word.front() == '?') {
            nvl72block_nodes_warn(nodes, ("no node " + word.substr(1) + " yet").c_str());
            continue;
        }
        unsigned first = 0;
        const char* end = word.data() + word.size();
        auto [rest, code] = std::from_chars(word.data(), end, first);
        unsigned last = first;
        if (code == std::errc() && rest != end && *rest == '-')
            std::tie(rest, code) = [&] {
                const auto result = std::from_chars(rest + 1, end, last);
                return std::pair(result.ptr, result.ec);
            }();
        if (code != std::errc() || rest != end)
            nvl72block_nodes_fail(nodes, ("no node " + word).c_str());
        else
            for (unsigned node = first; node <= last; ++node) nvl72block_nodes_add(nodes, node);
    }
}

void report(void* argument, nvl72block_severity, const char* line) {
    static_cast<Log*>(argument)->lines.emplace_back(line);
}

nvl72block_reader reader(std::size_t nodes, Log* log = nullptr) {
    return {.node_count = nodes,
            .resolve = resolve,
            .report = log == nullptr ? nullptr : report,
            .argument = log,
            .options = nullptr,
            .saved_of_yaml = false};
}

TopologyHandle build(const std::vector<nvl72block_block>& blocks,
                     const std::vector<std::uint32_t>& sizes, std::size_t nodes,
                     nvl72block_error* error = nullptr, Log* log = nullptr) {
    const nvl72block_reader how = reader(nodes, log);
    return TopologyHandle(nvl72block_topology_build("topology.yaml", blocks.data(), blocks.size(),
                                                    sizes.data(), sizes.size(), &how, error));
}

std::string write_file(const std::string& text) {
    const auto path = std::filesystem::path(testing::TempDir()) / "capi_topology.conf";
    std::ofstream(path) << text;
    return path.string();
}

TEST(CapiSignatures, AreNoexcept) {
    static_assert(noexcept(nvl72block_topology_read(nullptr, nullptr, nullptr)));
    static_assert(noexcept(nvl72block_place(nullptr, nullptr, nullptr, nullptr)));
    static_assert(noexcept(nvl72block_answer_sentence(nullptr)));
    static_assert(noexcept(nvl72block_topology_complete(nullptr, nullptr, 0)));
    SUCCEED();
}

TEST(CapiNull, TopologyQuestions) {
    nvl72block_topology_release(nullptr);
    EXPECT_EQ(nvl72block_topology_retain(nullptr), nullptr);
    EXPECT_EQ(nvl72block_topology_node_count(nullptr), 0U);
    EXPECT_EQ(nvl72block_topology_block_count(nullptr), 0U);
    EXPECT_EQ(nvl72block_topology_planning_size(nullptr), 0U);
    EXPECT_EQ(nvl72block_topology_level_count(nullptr), 0U);
    EXPECT_EQ(nvl72block_topology_level_exponent(nullptr, 0), 0U);
    EXPECT_EQ(nvl72block_topology_block_name(nullptr, 0), nullptr);
    EXPECT_EQ(nvl72block_topology_block_text(nullptr, 0), nullptr);
    EXPECT_FALSE(nvl72block_topology_block_changed(nullptr, 0));
    EXPECT_EQ(nvl72block_topology_find_block(nullptr, "a"), NVL72BLOCK_NO_BLOCK);
    EXPECT_EQ(nvl72block_topology_block_of(nullptr, 0), NVL72BLOCK_NO_BLOCK);
    EXPECT_FALSE(nvl72block_topology_touches(nullptr, {nullptr, 0}));
    EXPECT_EQ(nvl72block_fragmentation(nullptr, nullptr, {nullptr, 0}), 0U);
    std::uint64_t word = 5;
    nvl72block_topology_complete(nullptr, &word, 64);
    nvl72block_topology_members(nullptr, 0, 1, &word, 64);
    EXPECT_EQ(word, 5U);
}

TEST(CapiNull, AnswerQuestions) {
    nvl72block_answer_free(nullptr);
    EXPECT_FALSE(nvl72block_answer_placed(nullptr));
    EXPECT_EQ(nvl72block_answer_nodes(nullptr).bits, 0U);
    EXPECT_EQ(nvl72block_answer_segment_count(nullptr), 0U);
    std::size_t count = 7;
    EXPECT_EQ(nvl72block_answer_segment(nullptr, 0, &count), nullptr);
    EXPECT_EQ(count, 0U);
    EXPECT_EQ(nvl72block_answer_block_count(nullptr), 0U);
    EXPECT_FALSE(nvl72block_answer_permanent(nullptr));
    EXPECT_STREQ(nvl72block_answer_sentence(nullptr), "");
}

TEST(CapiNull, MakersReportBadInput) {
    nvl72block_error error{};
    EXPECT_EQ(nvl72block_topology_read(nullptr, nullptr, &error), nullptr);
    EXPECT_EQ(error.code, NVL72BLOCK_BAD_INPUT);
    EXPECT_EQ(nvl72block_topology_move(nullptr, 0, 0, &error), nullptr);
    EXPECT_EQ(error.code, NVL72BLOCK_BAD_INPUT);
    EXPECT_EQ(nvl72block_topology_add_block(nullptr, "a", &error), nullptr);
    EXPECT_EQ(error.code, NVL72BLOCK_BAD_INPUT);
    EXPECT_EQ(nvl72block_place(nullptr, nullptr, nullptr, &error), nullptr);
    EXPECT_EQ(error.code, NVL72BLOCK_BAD_INPUT);
    EXPECT_FALSE(nvl72block_topology_save(nullptr, nullptr, nullptr, &error));
    EXPECT_EQ(error.code, NVL72BLOCK_BAD_INPUT);
    EXPECT_EQ(nvl72block_place(nullptr, nullptr, nullptr, nullptr), nullptr);
}

TEST(CapiErrors, FirstFindingIsTheMessageAndAllAreReported) {
    Log log;
    nvl72block_error error{};
    const std::string path =
        write_file("BlockName=a Nodes=0-3\nBlockName=b Nodes=x\nBlockSizes=4\n");
    const nvl72block_reader how = reader(8, &log);
    EXPECT_EQ(nvl72block_topology_read(path.c_str(), &how, &error), nullptr);
    EXPECT_EQ(error.code, NVL72BLOCK_BAD_INPUT);
    EXPECT_THAT(error.message, HasSubstr("topology.conf:2: "));
    EXPECT_THAT(error.message, HasSubstr("no node x"));
    ASSERT_FALSE(log.lines.empty());
    EXPECT_THAT(log.lines.front(), StrEq(error.message));
}

TEST(CapiErrors, ExceptionOfTheResolverStaysInside) {
    nvl72block_error error{};
    EXPECT_EQ(build({{"a", "throw"}}, {4}, 8, &error), nullptr);
    EXPECT_EQ(error.code, NVL72BLOCK_INTERNAL);
    EXPECT_STREQ(error.message, "the resolver gave up");
}

TEST(CapiErrors, NodesYetToComeAreAWarningALineAndNoMore) {
    Log log;
    nvl72block_error error{};
    const std::string path = write_file(
        "BlockName=a Nodes=0-3,?90,?91\nBlockName=b Nodes=?92\nBlockName=c Nodes=?93\n"
        "BlockName=d Nodes=?94\nBlockName=e Nodes=4\nBlockName=f Nodes=?95\n"
        "BlockName=g Nodes=?96\nBlockName=h Nodes=?97\nBlockSizes=4\n");
    const nvl72block_reader how = reader(8, &log);
    const TopologyHandle topology(nvl72block_topology_read(path.c_str(), &how, &error));
    ASSERT_NE(topology, nullptr) << error.message;
    EXPECT_EQ(nvl72block_topology_block_count(topology.get()), 8U);
    EXPECT_THAT(log.lines, ElementsAre(HasSubstr("capi_topology.conf:1: BlockName=a: no node 91 "
                                                 "yet; create the nodes, or correct the names"),
                                       HasSubstr("capi_topology.conf:2: BlockName=b: no node 92"),
                                       HasSubstr("capi_topology.conf:3: "),
                                       HasSubstr("capi_topology.conf:4: "),
                                       HasSubstr("capi_topology.conf:6: "),
                                       HasSubstr("capi_topology.conf: 2 more lines like this")));
}

TEST(CapiErrors, LongMessagesAreCutNotOverrun) {
    nvl72block_error error{};
    const std::string name(5000, 'n');
    EXPECT_EQ(build({{"a", name.c_str()}}, {4}, 8, &error), nullptr);
    EXPECT_LT(std::string(error.message).size(), sizeof error.message);
}

TEST(CapiErrors, BlockWithoutNameIsNamedByItsPosition) {
    nvl72block_error error{};
    EXPECT_EQ(build({{"a", "0-3"}, {nullptr, "4-7"}}, {4}, 8, &error), nullptr);
    EXPECT_THAT(error.message, HasSubstr("block 2 has no name"));
}

TEST(CapiErrors, SuccessClearsAnOlderError) {
    nvl72block_error error{.code = NVL72BLOCK_INTERNAL, .message = "old"};
    EXPECT_NE(build({{"a", "0-3"}}, {4}, 8, &error), nullptr);
    EXPECT_EQ(error.code, NVL72BLOCK_OK);
    EXPECT_STREQ(error.message, "");
}

TEST(CapiTopology, AnswersQuestions) {
    const TopologyHandle topology = two_racks();
    ASSERT_NE(topology, nullptr);
    EXPECT_EQ(nvl72block_topology_node_count(topology.get()), 10U);
    EXPECT_EQ(nvl72block_topology_block_count(topology.get()), 2U);
    EXPECT_EQ(nvl72block_topology_planning_size(topology.get()), 4U);
    EXPECT_EQ(nvl72block_topology_level_count(topology.get()), 2U);
    EXPECT_EQ(nvl72block_topology_level_exponent(topology.get(), 1), 1U);
    EXPECT_STREQ(nvl72block_topology_block_name(topology.get(), 1), "b");
    EXPECT_EQ(nvl72block_topology_block_name(topology.get(), 2), nullptr);
    EXPECT_STREQ(nvl72block_topology_block_text(topology.get(), 0), "0-3");
    EXPECT_EQ(nvl72block_topology_find_block(topology.get(), "b"), 1U);
    EXPECT_EQ(nvl72block_topology_find_block(topology.get(), "c"), NVL72BLOCK_NO_BLOCK);
    EXPECT_EQ(nvl72block_topology_block_of(topology.get(), 5), 1U);
    EXPECT_EQ(nvl72block_topology_block_of(topology.get(), 9), NVL72BLOCK_NO_BLOCK);
    EXPECT_EQ(nvl72block_topology_block_of(topology.get(), 1000), NVL72BLOCK_NO_BLOCK);
}

TEST(CapiTopology, SetsOfNodes) {
    const TopologyHandle topology = two_racks();
    const std::uint64_t outside = 0x300;
    const std::uint64_t inside = 0x20;
    EXPECT_FALSE(nvl72block_topology_touches(topology.get(), {&outside, 10}));
    EXPECT_TRUE(nvl72block_topology_touches(topology.get(), {&inside, 10}));
    std::uint64_t word = 0x220;  // node 5 of rack b, node 9 outside
    nvl72block_topology_complete(topology.get(), &word, 10);
    EXPECT_EQ(word, 0x2F0U);
    nvl72block_topology_complete(topology.get(), &word, 10);
    EXPECT_EQ(word, 0x2F0U);
    word = 0;
    nvl72block_topology_members(topology.get(), 0, 99, &word, 10);
    EXPECT_EQ(word, 0xFFU);
}

TEST(CapiTopology, MembershipIsANewTopologyAndTwiceIsOnce) {
    const TopologyHandle topology = two_racks();
    const TopologyHandle moved(nvl72block_topology_move(topology.get(), 0, 1, nullptr));
    const TopologyHandle again(nvl72block_topology_move(moved.get(), 0, 1, nullptr));
    EXPECT_EQ(nvl72block_topology_block_of(topology.get(), 0), 0U);
    for (const auto* changed : {moved.get(), again.get()}) {
        EXPECT_EQ(nvl72block_topology_block_of(changed, 0), 1U);
        EXPECT_TRUE(nvl72block_topology_block_changed(changed, 0));
        EXPECT_EQ(nvl72block_topology_block_text(changed, 0), nullptr);
    }
    const TopologyHandle same(nvl72block_topology_move(topology.get(), 0, 0, nullptr));
    EXPECT_FALSE(nvl72block_topology_block_changed(same.get(), 0));
    const TopologyHandle gone(
        nvl72block_topology_move(moved.get(), 0, NVL72BLOCK_NO_BLOCK, nullptr));
    const std::uint64_t node0 = 1;
    EXPECT_FALSE(nvl72block_topology_touches(gone.get(), {&node0, 10}));
}

TEST(CapiTopology, NewBlockIsLastAndEmpty) {
    const TopologyHandle topology = two_racks();
    const TopologyHandle larger(nvl72block_topology_add_block(topology.get(), "c", nullptr));
    EXPECT_EQ(nvl72block_topology_find_block(larger.get(), "c"), 2U);
    EXPECT_EQ(nvl72block_topology_block_text(larger.get(), 2), nullptr);
    EXPECT_FALSE(nvl72block_topology_block_changed(larger.get(), 2));
}

// A block made at run time had any name, with which the last good topology could not be read back.
TEST(CapiTopology, NewBlockHasNoNameThatFilesRefuse) {
    const TopologyHandle topology = two_racks();
    nvl72block_error error{};
    for (const char* name : {"a b", "x[1-9]", "a\nb", "r1234567890123456789"}) {
        EXPECT_EQ(nvl72block_topology_add_block(topology.get(), name, &error), nullptr) << name;
        EXPECT_EQ(error.code, NVL72BLOCK_BAD_INPUT) << name;
    }
    EXPECT_STREQ(error.message,
                 "BlockName=r1234567890123456789: the name ends with 19 digits, more than Slurm "
                 "supports; use at most 18 digits");
    EXPECT_EQ(nvl72block_topology_add_block(topology.get(), "a b", &error), nullptr);
    EXPECT_STREQ(error.message,
                 "BlockName=a b: ' ' in a name would break the names of the blocks that join it; "
                 "use letters, digits, '-', '.' and '_'");
    const TopologyHandle longest(
        nvl72block_topology_add_block(topology.get(), "r123456789012345678", &error));
    EXPECT_NE(longest, nullptr) << error.message;
}

TEST(CapiTopology, WhatIsWrittenReadsBackTheSame) {
    const TopologyHandle topology = build({{"a", "0-3"}, {"b", ""}, {"c", "5"}}, {4, 8}, 10);
    const std::string path = write_file("");
    nvl72block_error error{};
    ASSERT_TRUE(nvl72block_topology_save(topology.get(), path.c_str(), nullptr, &error));
    nvl72block::StateSaver::of_process().wait();
    const nvl72block_reader how = reader(10);
    const TopologyHandle again(nvl72block_topology_read(path.c_str(), &how, &error));
    ASSERT_NE(again, nullptr) << error.message;
    for (std::uint32_t node = 0; node < 10; ++node)
        EXPECT_EQ(nvl72block_topology_block_of(again.get(), node),
                  nvl72block_topology_block_of(topology.get(), node));
    EXPECT_EQ(nvl72block_topology_level_count(again.get()),
              nvl72block_topology_level_count(topology.get()));
}

TEST(CapiFragmentation, WholeIsZeroAndHolesCount) {
    const TopologyHandle topology = two_racks();
    const std::uint64_t all = 0xFF;
    const std::uint64_t hole = 0xFE;
    const OptionsHandle usable = read_options("Nvl72Fragmentation=usable");
    EXPECT_EQ(nvl72block_fragmentation(topology.get(), nullptr, {&all, 10}), 0U);
    EXPECT_GT(nvl72block_fragmentation(topology.get(), nullptr, {&hole, 10}), 0U);
}

}  // namespace
