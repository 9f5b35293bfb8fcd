// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/input/numbers.hpp"

#include <gtest/gtest.h>

#include "cli/input/input_error.hpp"

namespace nvl72block::cli {
namespace {

TEST(Numbers, ReadCounts) {
    EXPECT_EQ(parse_count("--n", "0", 0), 0U);
    EXPECT_EQ(parse_count("--n", "4294967295", 1), 4294967295U);
    EXPECT_EQ(parse_large_count("--n", "18446744073709551615"), ~std::uint64_t{0});
}

TEST(Numbers, RefuseWhatIsNoCount) {
    for (const char* text :
         {"", "0", "-1", "+1", "1x", " 1", "4294967296", "1e3", "99999999999999999999999999"})
        EXPECT_THROW((void)parse_count("--n", text, 1), InputError) << text;
}

TEST(Numbers, ReadRanges) {
    EXPECT_EQ(parse_count_range("--nodes", "7").least, 7U);
    EXPECT_EQ(parse_count_range("--nodes", "7").most, 7U);
    EXPECT_EQ(parse_count_range("--nodes", "2-9").least, 2U);
    EXPECT_EQ(parse_count_range("--nodes", "2-9").most, 9U);
    EXPECT_EQ(parse_count_range("--nodes", "4k").most, 4096U);
    EXPECT_EQ(parse_count_range("--nodes", "1K-1M").least, 1024U);
    EXPECT_EQ(parse_count_range("--nodes", "1K-1M").most, 1048576U);
    for (const char* text :
         {"9-2", "2-", "-2", "0-3", "1-2-3", "a-b", "-", "k", "0k", "1kk", "4096m"})
        EXPECT_THROW((void)parse_count_range("--nodes", text), InputError) << text;
}

TEST(Numbers, MessagesNameLocationErrorAndRemedy) {
    try {
        (void)parse_count_range("--nodes", "9-2");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "--nodes: the range \"9-2\" ends before it begins; write 2-9");
    }
    try {
        (void)parse_count_range("--nodes", "4096m");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(),
                     "--nodes: \"4096m\" is not a whole number from 1 to 4294967295; write digits "
                     "only, within that range");
    }
}

}  // namespace
}  // namespace nvl72block::cli
