// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/metrics/exposition.hpp"

#include <gtest/gtest.h>

namespace nvl72block::cli {
namespace {

TEST(Exposition, WritesFamiliesWithHelpAndType) {
    Exposition exposition;
    exposition.gauge("racks", "Racks.");
    exposition.sample({}, 6);
    exposition.gauge("nodes", "Nodes by state.");
    exposition.sample({{"state", "free"}, {"rack", "r1"}}, 18);
    EXPECT_EQ(exposition.text(),
              "# HELP racks Racks.\n# TYPE racks gauge\nracks 6\n"
              "# HELP nodes Nodes by state.\n# TYPE nodes gauge\n"
              "nodes{state=\"free\",rack=\"r1\"} 18\n");
}

TEST(Exposition, EscapesLabelValues) {
    Exposition exposition;
    exposition.gauge("jobs", "Jobs.");
    exposition.sample({{"reason", "a\"b\\c\nx\xff\x1b"}}, 1);
    EXPECT_NE(exposition.text().find("jobs{reason=\"a\\\"b\\\\c\\\\x0ax\\\\xff\\\\x1b\"} 1\n"),
              std::string::npos);
}

}  // namespace
}  // namespace nvl72block::cli
