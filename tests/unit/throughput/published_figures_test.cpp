// SPDX-License-Identifier: GPL-2.0-or-later
#include "throughput/published_figures.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace nvl72block::throughput {
namespace {

std::string table_line(const PublishedFigure& figure) {
    return fmt::format("| {} | {} | {:.3g} | {:.3g} | {} | {} |", figure.what, figure.unit,
                       figure.measured, figure.predicted,
                       figure.fitted ? "fitted" : confirmed(figure) ? "yes" : "**no**",
                       figure.source);
}

TEST(PublishedFigures, Print) {
    for (const PublishedFigure& figure : published_figures()) puts(table_line(figure).c_str());
}

}  // namespace
}  // namespace nvl72block::throughput
