// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/show/watch.hpp"

#include <fmt/format.h>
#include <sys/select.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <ctime>
#include <ostream>
#include <string_view>

#include "cli/output/printable_stream.hpp"
#include "text/take_item.hpp"

namespace nvl72block::cli {
namespace {

// Control sequences that every terminal with a second screen knows (xterm's ctlseqs).
constexpr std::string_view enter_screen = "\x1b[?1049h\x1b[?25l";
constexpr std::string_view leave_screen = "\x1b[?25h\x1b[?1049l";
constexpr std::string_view to_start = "\x1b[H";
constexpr std::string_view clear_rest_of_line = "\x1b[K";
constexpr std::string_view next_line = "\r\n";
constexpr std::string_view clear_below = "\x1b[J";

constexpr std::array stopping{SIGINT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t stop_requested = 0;
std::array<struct sigaction, stopping.size()> previous;

extern "C" void request_stop(int) {
    stop_requested = 1;
}

class SecondScreen {
  public:
    explicit SecondScreen(std::ostream& out) : out_(out) {
        write_control(out_, enter_screen);
        out_ << std::flush;
    }
    SecondScreen(const SecondScreen&) = delete;
    SecondScreen& operator=(const SecondScreen&) = delete;
    ~SecondScreen() {
        write_control(out_, leave_screen);
        out_ << std::flush;
    }

  private:
    std::ostream& out_;
};

/// As many lines as there is room for; the last one then tells what is missing.
void draw(std::ostream& out, std::string_view text, unsigned height) {
    while (text.ends_with('\n')) text.remove_suffix(1);
    std::size_t left = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
    write_control(out, to_start);
    for (unsigned row = 1; left > 0; ++row) {
        if (row >= height && left > 1) {
            out << fmt::format("{} more lines; the terminal is too small", left);
            write_control(out, clear_rest_of_line);
            break;
        }
        out << take_item(text, '\n');
        write_control(out, clear_rest_of_line);
        if (--left > 0) write_control(out, next_line);
    }
    write_control(out, clear_below);
    out << std::flush;
}

}  // namespace

void watch(std::ostream& out, const Watched& watched) {
    // The first text is made before the screen changes: what is wrong then is an ordinary error.
    std::string text = watched.text(watched.size());
    const SecondScreen screen(out);
    while (true) {
        draw(out, text, watched.size().height);
        if (!watched.wait()) return;
        text = watched.text(watched.size());
    }
}

StopSignals::StopSignals() {
    stop_requested = 0;
    struct sigaction action {};
    action.sa_handler = request_stop;
    // An interrupted write goes on: the drawing, and what restores the screen.
    action.sa_flags = SA_RESTART;
    for (std::size_t i = 0; i < stopping.size(); ++i)
        (void)sigaction(stopping[i], &action, &previous[i]);
}

StopSignals::~StopSignals() {
    for (std::size_t i = 0; i < stopping.size(); ++i)
        (void)sigaction(stopping[i], &previous[i], nullptr);
}

bool StopSignals::stopped() {
    return stop_requested != 0;
}

bool StopSignals::wait(std::chrono::seconds time) {
    // Blocked until pselect() waits: one that arrives after stopped() was asked ends the wait, too.
    sigset_t signals;
    sigset_t before;
    sigemptyset(&signals);
    for (const int signal : stopping) sigaddset(&signals, signal);
    (void)pthread_sigmask(SIG_BLOCK, &signals, &before);
    const timespec left{static_cast<std::time_t>(time.count()), 0};
    if (!stopped()) (void)pselect(0, nullptr, nullptr, nullptr, &left, &before);
    (void)pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return !stopped();
}

}  // namespace nvl72block::cli
