// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/build_plugin/build_tools.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nvl72block::cli {
namespace {

/// A host without any of the tools.
ProgramResult nothing(const std::vector<std::string>&, const std::string&) {
    return {program_missing, ""};
}

TEST(BuildTools, AHostWithNothingIsToldThePackagesOfItsDistribution) {
    const auto missing = missing_tools(nothing);
    EXPECT_EQ(missing_message(missing, "PRETTY_NAME=\"Debian\"\nID=debian\n"),
              "missing on this host: a C++ compiler, a C compiler, CMake 3.25 or later, Ninja, the "
              "library fmt, the library Boost.Graph; install with: apt-get install cmake g++ gcc "
              "libboost-graph-dev libfmt-dev ninja-build");
    EXPECT_THAT(
        missing_message(missing, "ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n"),
        testing::EndsWith("install with: dnf install boost-devel cmake fmt-devel gcc gcc-c++ "
                          "ninja-build"));
    EXPECT_THAT(missing_message(missing, ""), testing::HasSubstr("; on Debian: apt-get install"));
}

TEST(BuildTools, ToolsThatAnswerAreNotMissing) {
    const auto missing = missing_tools([](const auto& command, const auto&) {
        return ProgramResult{0, command.front() == "cmake" ? "cmake version 4.0.1" : ""};
    });
    EXPECT_TRUE(missing.empty());
}

}  // namespace
}  // namespace nvl72block::cli
