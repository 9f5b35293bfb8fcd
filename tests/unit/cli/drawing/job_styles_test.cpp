// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/drawing/job_styles.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <set>
#include <string>

#include "pictures.hpp"

namespace nvl72block::cli {
namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

/// What the eye gets of linear RGB: Machado, Oliveira and Fernandes 2009, full severity.
constexpr std::array<Matrix, 4> visions = {{
    {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {{{0.152286, 1.052583, -0.204868},
      {0.114503, 0.786281, 0.099216},
      {-0.003882, -0.048116, 1.051998}}},
    {{{0.367322, 0.860646, -0.227968},
      {0.280085, 0.672501, 0.047413},
      {-0.011820, 0.042940, 0.968881}}},
    {{{1.255528, -0.076749, -0.178779},
      {-0.078411, 0.930809, 0.147602},
      {0.004733, 0.691367, 0.303900}}},
}};

double channel(const std::string& color, std::size_t at) {
    const double value = std::stoi(color.substr(at, 2), nullptr, 16) / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

Triple times(const Matrix& matrix, const Triple& by) {
    Triple result{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) result[i] += matrix[i][j] * by[j];
    return result;
}

/// CIELAB of "#rrggbb" as seen.
Triple seen(const std::string& color, const Matrix& vision) {
    Triple rgb = times(vision, {channel(color, 1), channel(color, 3), channel(color, 5)});
    for (double& value : rgb) value = std::clamp(value, 0.0, 1.0);
    constexpr Matrix to_xyz = {
        {{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}};
    Triple xyz = times(to_xyz, rgb);
    constexpr Triple white = {0.95047, 1.0, 1.08883};
    for (std::size_t i = 0; i < 3; ++i) {
        const double t = xyz[i] / white[i];
        xyz[i] = t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116;
    }
    return {116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])};
}

double difference(const Triple& a, const Triple& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

TEST(JobStyles, ColourBlindReadersTellAllColoursApart) {
    for (const Matrix& vision : visions)
        for (std::size_t i = 0; i < job_colors.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_GT(
                    difference(seen(job_colors[i].fill, vision), seen(job_colors[j].fill, vision)),
                    15)
                    << job_colors[i].fill << " " << job_colors[j].fill;
}

TEST(JobStyles, TextContrastsWithItsColour) {
    for (const JobColor& color : job_colors) {
        const std::string fill = color.fill;
        const double luminance =
            0.2126 * channel(fill, 1) + 0.7152 * channel(fill, 3) + 0.0722 * channel(fill, 5);
        const double contrast = color.dark ? 1.05 / (luminance + 0.05) : (luminance + 0.05) / 0.05;
        EXPECT_GT(contrast, 4.5) << fill;
    }
}

TEST(JobStyles, JobsTouchOnANodeInARackAndAcrossRacks) {
    Picture picture = picture_of({"AAB.", "ACC.", ".D.E"});
    picture.racks[2].nodes[3].jobs = {4, 5};
    picture.jobs.push_back({"F", ""});
    const std::vector<std::vector<JobIndex>> touching = touching_jobs(picture);
    EXPECT_EQ(touching[0], (std::vector<JobIndex>{1, 2}));
    EXPECT_EQ(touching[1], (std::vector<JobIndex>{0, 2}));
    EXPECT_EQ(touching[2], (std::vector<JobIndex>{0, 1, 3}));
    EXPECT_EQ(touching[4], (std::vector<JobIndex>{5}));
}

void expect_different_neighbors(const Picture& picture) {
    const std::vector<JobStyle> styles = job_styles(picture);
    const std::vector<std::vector<JobIndex>> touching = touching_jobs(picture);
    ASSERT_EQ(styles.size(), picture.jobs.size());
    for (std::size_t job = 0; job < touching.size(); ++job)
        for (const JobIndex other : touching[job]) {
            EXPECT_NE(styles[job], styles[other]) << job << " " << other;
            if (touching[job].size() < job_colors.size()) {
                EXPECT_NE(styles[job].color, styles[other].color) << job << " " << other;
            }
        }
}

TEST(JobStyles, NeighborsHaveDifferentColours) {
    expect_different_neighbors(picture_of({"ABCDEFGHI", "BCDEFGHIJ", "AAAAAAAAA"}));
}

/// Jobs of 1 to 40 nodes, one after the other, some of them in two parts.
Picture crowded(unsigned seed, std::size_t racks) {
    std::mt19937 random(seed);
    Picture picture;
    for (std::size_t r = 0; r < racks; ++r) {
        picture.racks.emplace_back();
        picture.racks.back().nodes.resize(18);
    }
    std::size_t left = 0;
    for (DrawnRack& rack : picture.racks)
        for (DrawnNode& node : rack.nodes) {
            if (left == 0) {
                left = 1 + random() % 40;
                picture.jobs.emplace_back();
            }
            --left;
            const auto newest = static_cast<JobIndex>(picture.jobs.size() - 1);
            node.jobs = {random() % 50 == 0 ? static_cast<JobIndex>(random() % (newest + 1))
                                            : newest};
        }
    return picture;
}

TEST(JobStyles, NeighborsDifferInCrowdedClusters) {
    for (unsigned seed = 1; seed <= 20; ++seed) expect_different_neighbors(crowded(seed, 72));
}

TEST(JobStyles, AJobWithMoreNeighborsThanStylesIsNoError) {
    Picture picture = picture_of({"ABCDEFGHIJKLMNOPQRSTUVW"});
    picture.racks[0].nodes[0].jobs.clear();
    for (JobIndex job = 0; job < picture.jobs.size(); ++job)
        picture.racks[0].nodes[0].jobs.push_back(job);
    EXPECT_EQ(job_styles(picture).size(), picture.jobs.size());
}

TEST(JobStyles, BandsAreForJobsThatNeedThem) {
    for (const JobStyle& style : job_styles(picture_of({"AABBCCDD", "EEFFGGHH"})))
        EXPECT_FALSE(style.banded);
}

}  // namespace
}  // namespace nvl72block::cli
