// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/hostlist.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../node_set/dice.hpp"

namespace nvl72block {
namespace {

using Names = std::vector<std::string>;

Names expand(std::string_view text) {
    std::string error;
    auto names = expand_hostlist(text, error);
    EXPECT_TRUE(names) << error;
    return names.value_or(Names{});
}

std::string error_of(std::string_view text) {
    std::string error;
    EXPECT_FALSE(expand_hostlist(text, error)) << text;
    return error;
}

struct ExpandCase {
    std::string_view text;
    Names names;
};

TEST(ExpandHostlist, ReadsSlurmsNotation) {
    const ExpandCase cases[] = {
        {"", {}},
        {"login1", {"login1"}},
        {"a,b", {"a", "b"}},
        {"n[1-3]", {"n1", "n2", "n3"}},
        {"n[008-011]", {"n008", "n009", "n010", "n011"}},
        {"n[8-11]", {"n8", "n9", "n10", "n11"}},
        {"n[1-2,5,7-8]", {"n1", "n2", "n5", "n7", "n8"}},
        {"n[1,01,001]", {"n1", "n01", "n001"}},
        {"n[1-3]x[2-3]", {"n1x2", "n1x3", "n2x2", "n2x3", "n3x2", "n3x3"}},
        {"r[1-2]c[1,3]n[0-1]",
         {"r1c1n0", "r1c1n1", "r1c3n0", "r1c3n1", "r2c1n0", "r2c1n1", "r2c3n0", "r2c3n1"}},
        {"n[1-2]-ib", {"n1-ib", "n2-ib"}},
        {"[1-2]", {"1", "2"}},
        {"n[1-2],login1,m[3]", {"n1", "n2", "login1", "m3"}},
        {"n1,n1", {"n1", "n1"}},
        {" a, b\t,c\n", {"a", "b", "c"}},
        {",a,,b,", {"a", "b"}},
        {"n[0]", {"n0"}},
        {"n[999999999999999999]", {"n999999999999999999"}},
    };
    for (const auto& [text, names] : cases) EXPECT_EQ(expand(text), names) << text;
}

TEST(ExpandHostlist, QuotesWhatIsMalformed) {
    const struct {
        std::string_view text;
        std::string_view error;
    } cases[] = {
        {"n[1-3", "'n[1-3': '[' without ']'"},
        {"n1-3]", "'n1-3]': ']' without '['"},
        {"a,n[[1]]", "'n[[1]]': '[' inside brackets"},
        {"n[]", "'n[]': '' is not a number or a range of numbers"},
        {"n[1,,2]", "'n[1,,2]': '' is not a number or a range of numbers"},
        {"n[a-b]", "'n[a-b]': 'a-b' is not a number or a range of numbers"},
        {"n[1-]", "'n[1-]': '1-' is not a number or a range of numbers"},
        {"n[-1]", "'n[-1]': '-1' is not a number or a range of numbers"},
        {"n[1 -2]", "'n[1 -2]': '1 -2' is not a number or a range of numbers"},
        {"n[1-2-3]", "'n[1-2-3]': '1-2-3' is not a number or a range of numbers"},
        {"n[+1]", "'n[+1]': '+1' is not a number or a range of numbers"},
        {"n[5-3]", "'n[5-3]': the range '5-3' ends before it begins"},
        {"n[1000000000000000000]",
         "'n[1000000000000000000]': '1000000000000000000' is not a number or a range of numbers"},
        {"block{b1}", "'block{b1}': '{' and '}' are not allowed in a node name"},
        {"n[0-999999999]", "'n[0-999999999]': the list has more than 262144 names"},
    };
    for (const auto& [text, error] : cases) EXPECT_EQ(error_of(text), error) << text;
}

TEST(ExpandHostlist, StopsAtTheLimit) {
    static_assert(max_hostlist_names == 262144);
    EXPECT_EQ(expand("n[0-262143]").size(), max_hostlist_names);
    EXPECT_THAT(error_of("n[0-262144]"), testing::HasSubstr("more than 262144 names"));
    EXPECT_THAT(error_of("a,n[0-262143]"), testing::HasSubstr("more than 262144 names"));
    EXPECT_THAT(error_of("n[0-1023]x[0-1024]"), testing::HasSubstr("more than 262144 names"));
    EXPECT_THAT(error_of("a[0-9999]b[0-9999]c[0-9999]d[0-9999]e[0-9999]"),
                testing::HasSubstr("more than 262144 names"));
    EXPECT_THAT(error_of(std::string(1000, 'n') + "[0-99999]"),
                testing::HasSubstr("more than 67108864 characters"));
}

struct CompressCase {
    Names names;
    std::string_view text;
};

TEST(CompressHostlist, WritesSlurmsNotation) {
    const CompressCase cases[] = {
        {{}, ""},
        {{"login"}, "login"},
        {{"n1"}, "n1"},
        {{"n1", "n2", "n3"}, "n[1-3]"},
        {{"n1", "n3"}, "n[1,3]"},
        {{"n1", "n2", "n4", "n7", "n8"}, "n[1-2,4,7-8]"},
        {{"n001", "n002"}, "n[001-002]"},
        {{"n9", "n10"}, "n[9-10]"},
        {{"n099", "n100"}, "n[099-100]"},
        {{"n99", "n100", "n101"}, "n[99-101]"},
        {{"n1", "n01"}, "n1,n01"},
        {{"n9", "n010"}, "n9,n010"},
        {{"n100", "n010"}, "n[100,010]"},
        {{"a1", "b1", "b2"}, "a1,b[1-2]"},
        {{"n2", "n1"}, "n[2,1]"},
        {{"n1", "n1"}, "n[1,1]"},
        {{"login", "login"}, "login,login"},
        {{"login", "login1", "login2"}, "login,login[1-2]"},
        {{"r1n1", "r1n2", "r2n1"}, "r1n[1-2],r2n1"},
        {{"n1-ib", "n2-ib"}, "n1-ib,n2-ib"},
        {{"7", "8"}, "[7-8]"},
        {{"n0", "n1"}, "n[0-1]"},
    };
    for (const auto& [names, text] : cases) EXPECT_EQ(compress_hostlist(names), text);
}

TEST(CompressHostlist, LongNumbersSurvive) {
    const Names names = {"n18446744073709551615", "n18446744073709551616"};
    const std::string text = compress_hostlist(names);
    EXPECT_EQ(expand(text), names) << text;
}

/// Names with a few prefixes and widths, with runs, gaps and repetitions.
Names random_names(Dice& dice) {
    const char* const prefixes[] = {"n", "node", "r1n", "", "x-"};
    Names names;
    unsigned number = 0;
    for (unsigned left = 1 + dice.below(31); left > 0; --left) {
        number = dice.below(4) == 0 ? dice.below(1201) : number + 1;
        names.push_back(fmt::format("{}{:0{}}", prefixes[dice.below(10) == 0 ? dice.below(5) : 0],
                                    number, dice.below(10) == 0 ? 1 + dice.below(4) : 3));
    }
    return names;
}

TEST(CompressHostlist, ExpandsToTheSameNames) {
    Dice dice(72);
    for (int round = 0; round < 5000; ++round) {
        const Names names = random_names(dice);
        const std::string text = compress_hostlist(names);
        ASSERT_EQ(expand(text), names) << text;
    }
}

}  // namespace
}  // namespace nvl72block
