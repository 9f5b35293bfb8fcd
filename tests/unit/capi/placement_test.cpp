// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>

#include <array>
#include <vector>

#include "two_racks.hpp"

namespace {

using nvl72block::testing::AnswerHandle;
using nvl72block::testing::TopologyHandle;
using nvl72block::testing::two_racks;
using ::testing::ElementsAre;

TEST(CapiPlace, ReadsTheCallersBitsInPlace) {
    const TopologyHandle topology = two_racks();
    // Bits beyond the view's size are somebody else's and must not count.
    const std::array<std::uint64_t, 2> words = {~std::uint64_t{0xF1}, ~std::uint64_t{0}};
    nvl72block_request request{};
    request.min_nodes = request.max_nodes = 3;
    nvl72block_state state{};
    state.usable = {words.data(), 10};
    const AnswerHandle answer(nvl72block_place(topology.get(), &request, &state, nullptr));
    ASSERT_TRUE(nvl72block_answer_placed(answer.get())) << nvl72block_answer_sentence(answer.get());
    const nvl72block_view nodes = nvl72block_answer_nodes(answer.get());
    ASSERT_EQ(nodes.bits, 10U);
    EXPECT_EQ(nodes.words[0], 0xEU);
    EXPECT_EQ(nvl72block_answer_block_count(answer.get()), 1U);
    ASSERT_EQ(nvl72block_answer_segment_count(answer.get()), 1U);
    std::size_t count = 0;
    const std::uint32_t* segment = nvl72block_answer_segment(answer.get(), 0, &count);
    EXPECT_THAT(std::vector(segment, segment + count), ElementsAre(1U, 2U, 3U));
    EXPECT_EQ(nvl72block_answer_segment(answer.get(), 1, &count), nullptr);
}

TEST(CapiPlace, RefusalHasReasonAndSentence) {
    const TopologyHandle topology = two_racks();
    const std::uint64_t usable = 0x77;
    nvl72block_request request{};
    request.min_nodes = request.max_nodes = 4;
    nvl72block_state state{};
    state.usable = {&usable, 10};
    const AnswerHandle answer(nvl72block_place(topology.get(), &request, &state, nullptr));
    ASSERT_NE(answer, nullptr);
    EXPECT_FALSE(nvl72block_answer_placed(answer.get()));
    EXPECT_EQ(nvl72block_answer_reason(answer.get()), NVL72BLOCK_NO_BLOCK_FITS);
    EXPECT_FALSE(nvl72block_answer_permanent(answer.get()));
    EXPECT_STRNE(nvl72block_answer_sentence(answer.get()), "");
    EXPECT_EQ(nvl72block_answer_nodes(answer.get()).bits, 0U);
}

TEST(CapiPlace, SegmentThatDoesNotDivideIsRefusedForGood) {
    const TopologyHandle topology = two_racks();
    const std::uint64_t usable = 0xFF;
    nvl72block_request request{};
    request.min_nodes = request.max_nodes = 5;
    request.segment_size = 2;
    nvl72block_state state{};
    state.usable = {&usable, 10};
    const AnswerHandle answer(nvl72block_place(topology.get(), &request, &state, nullptr));
    EXPECT_EQ(nvl72block_answer_reason(answer.get()), NVL72BLOCK_BAD_REQUEST);
    EXPECT_TRUE(nvl72block_answer_permanent(answer.get()));
}

std::vector<std::string> suggestions(std::uint64_t usable, const nvl72block_request& request,
                                     const nvl72block_job_facts& job) {
    std::vector<std::string> found;
    nvl72block_state state{};
    state.usable = {&usable, 10};
    nvl72block_suggest(
        two_racks().get(), &request, &state, &job,
        [](void* argument, const char* option) {
            static_cast<std::vector<std::string>*>(argument)->emplace_back(option);
        },
        &found);
    return found;
}

TEST(CapiSuggest, HandsOverEachOption) {
    nvl72block_request request{};
    request.min_nodes = request.max_nodes = 4;
    request.exclusive = true;
    nvl72block_job_facts job{};
    job.tasks = 8;
    const std::uint64_t shared = 0xFF;
    job.without_exclusive = {&shared, 10};
    EXPECT_THAT(suggestions(0x37, request, job),
                ElementsAre("--nodes=3 --ntasks=6", "--segment=2"));
    job.may_share_blocks = true;
    job.least_nodes = 4;
    EXPECT_THAT(suggestions(0x37, request, job),
                ElementsAre("--segment=2", "without --exclusive=topo"));
}

TEST(CapiSuggest, NothingWithoutAQuestion) {
    nvl72block_suggest(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
    EXPECT_THAT(suggestions(0xFF, {}, {}), ElementsAre());
}

}  // namespace
