// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/replay/progress_bar.hpp"

#include <fmt/format.h>

#include <utility>

#include "cli/output/printable_stream.hpp"

namespace nvl72block::cli {
namespace {

constexpr unsigned bar_width = 40;
constexpr const char* wipe_line = "\r\x1b[K";

}  // namespace

ProgressBar::ProgressBar(std::ostream& stream, std::string title, std::size_t total, bool visible)
    : stream_(stream), title_(std::move(title)), total_(total), visible_(visible && total > 0) {}

ProgressBar::~ProgressBar() {
    if (!visible_) return;
    write_control(stream_, wipe_line);
    stream_ << std::flush;
}

void ProgressBar::update(std::size_t done) {
    if (!visible_) return;
    const auto percent = static_cast<unsigned>(100 * done / total_);
    if (percent == shown_percent_) return;
    shown_percent_ = percent;
    draw(percent);
}

void ProgressBar::draw(unsigned percent) {
    const unsigned filled = bar_width * percent / 100;
    write_control(stream_, wipe_line);
    stream_ << fmt::format("{:<12} [{}{}] {:>3}%", title_, std::string(filled, '#'),
                           std::string(bar_width - filled, '.'), percent)
            << std::flush;
}

}  // namespace nvl72block::cli
