// SPDX-License-Identifier: GPL-2.0-or-later
//
// Looks for the slowest decision and the one that takes most memory: random requests to random
// clusters, and changes to the worst of them. worst_search see --help for the options.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <limits>

#include "candidate.hpp"
#include "measured.hpp"

namespace nvl72block::bench {
namespace {

struct Options {
    std::uint32_t racks = 512;
    double seconds = 30;
    std::uint64_t seed = 1;
    std::optional<std::uint64_t> budget;
    std::size_t shown = 5;
    unsigned give_up = 60;        ///< seconds for one decision
    std::optional<bool> cliques;  ///< enforced in every request, or in none
    std::vector<std::string> repeat;
};

/// The candidate under way, for the handler of the alarm.
char under_way[1024];

extern "C" void give_up(int) {
    static constexpr char text[] = "gave up: ";
    (void)!write(STDOUT_FILENO, text, sizeof text - 1);
    (void)!write(STDOUT_FILENO, under_way, std::strlen(under_way));
    (void)!write(STDOUT_FILENO, "\n", 1);
    _exit(3);
}

struct Found {
    Candidate candidate;
    double milliseconds = 0;
    std::size_t bytes = 0;
    std::uint64_t steps = 0;
    bool placed = false, proven = false;

    /// The size of the cluster against that of the first goal.
    [[nodiscard]] double racks_share() const { return candidate.racks / 512.0; }
};

std::string to_string(const Found& found) {
    char text[160];
    std::snprintf(text, sizeof text, "%9.3f ms %7.2f MB %9llu steps %s%s  ", found.milliseconds,
                  static_cast<double>(found.bytes) * 1e-6,
                  static_cast<unsigned long long>(found.steps), found.placed ? "placed" : "refused",
                  found.proven ? "" : ", not proven");
    return text + to_string(found.candidate);
}

/// The worst so far by one measure, worst first.
class Worst {
  public:
    Worst(double (*measure)(const Found&), std::size_t kept) : measure_(measure), kept_(kept) {}

    [[nodiscard]] bool would_add(const Found& found) const {
        return found_.size() < kept_ || measure_(found) > measure_(found_.back());
    }
    void add(const Found& found) {
        if (!would_add(found)) return;
        found_.push_back(found);
        std::ranges::stable_sort(found_, std::greater{}, measure_);
        if (found_.size() > kept_) found_.pop_back();
    }
    [[nodiscard]] const std::vector<Found>& list() const { return found_; }
    /// Measures all of them so many times, in turn, and keeps the least of each.
    template <typename Measure>
    void measure_anew(int times, Measure milliseconds) {
        for (Found& found : found_) found.milliseconds = std::numeric_limits<double>::infinity();
        for (; times > 0; --times)
            for (Found& found : found_)
                found.milliseconds = std::min(found.milliseconds, milliseconds(found.candidate));
        std::ranges::stable_sort(found_, std::greater{}, measure_);
    }

  private:
    double (*measure_)(const Found&);
    std::size_t kept_;
    std::vector<Found> found_;
};

class Search {
  public:
    explicit Search(const Options& options) : options_(options), random_(options.seed) {}

    void run() {
        for (const std::string& text : options_.repeat)
            std::puts(to_string(measure(parse_candidate(text))).c_str());
        if (!options_.repeat.empty()) return;
        const auto begin = std::chrono::steady_clock::now();
        const auto seconds = [&] {
            return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        };
        std::uint64_t decisions = 0;
        for (; seconds() < options_.seconds; ++decisions) {
            if (decisions % 64 == 0) find_pace();
            Found found = measure_at_pace(next());
            // Other looks tell whether the machine was busy.
            for (int look = 0; look < looks && would_add(found); ++look) {
                find_pace();
                found.milliseconds =
                    std::min(found.milliseconds, measure_at_pace(found.candidate).milliseconds);
            }
            slowest_.add(found);
            largest_.add(found);
            costliest_.add(found);
        }
        std::printf("%llu decisions on %u racks in %.0f s, seed %llu\n",
                    static_cast<unsigned long long>(decisions), options_.racks, seconds(),
                    static_cast<unsigned long long>(options_.seed));
        const auto milliseconds = [&](const Candidate& candidate) {
            return measure(candidate).milliseconds;
        };
        slowest_.measure_anew(looks_at_the_end, milliseconds);
        costliest_.measure_anew(looks_at_the_end, milliseconds);
        print("slowest", slowest_);
        print("most memory", largest_);
        print("most time per step", costliest_);
    }

  private:
    [[nodiscard]] bool would_add(const Found& found) const {
        return slowest_.would_add(found) || costliest_.would_add(found);
    }

    Candidate next() {
        Candidate candidate = draw();
        while (options_.cliques && *options_.cliques != (candidate.partitions > 0))
            candidate = draw();
        return candidate;
    }

    /// A new candidate, or a change of one of the worst.
    Candidate draw() {
        const Worst& worst = one_in(random_, 3)   ? costliest_
                             : one_in(random_, 4) ? largest_
                                                  : slowest_;
        if (worst.list().empty() || one_in(random_, 3))
            return random_candidate(random_, options_.racks);
        return changed(random_, worst.list()[random_.below(worst.list().size())].candidate);
    }

    /// A fixed decision tells how fast the machine is: what was found in a slow phase would keep
    /// out all that is found in a fast one.
    void find_pace() {
        double now = std::numeric_limits<double>::infinity();
        for (int look = 0; look < 3; ++look) now = std::min(now, measure(fixed_).milliseconds);
        if (first_pace_ == 0) first_pace_ = now;
        pace_ = now / first_pace_;
    }

    /// In milliseconds of the first phase.
    Found measure_at_pace(const Candidate& candidate) {
        Found found = measure(candidate);
        found.milliseconds /= pace_;
        return found;
    }

    Found measure(const Candidate& candidate) {
        const Scene scene = stage_.scene(candidate);
        std::snprintf(under_way, sizeof under_way, "%s", to_string(candidate).c_str());
        alarm(options_.give_up);
        const Measured measured = measured_place(*scene.topology, scene.request(candidate),
                                                 scene.state(), Budget{options_.budget});
        alarm(0);
        return {candidate,
                measured.milliseconds,
                measured.bytes,
                steps_of(measured.answer),
                measured.answer.index() == 0,
                is_proven(measured.answer)};
    }

    void print(const char* title, const Worst& worst) const {
        std::printf("%s:\n", title);
        for (std::size_t i = 0; i < std::min(options_.shown, worst.list().size()); ++i)
            std::puts(to_string(worst.list()[i]).c_str());
    }

    static constexpr std::size_t kept = 40;
    static constexpr int looks = 6;
    static constexpr int looks_at_the_end = 50;
    Options options_;
    Random random_;
    Stage stage_;
    const Candidate fixed_ = parse_candidate("racks=512 sizes=18 fill=free nodes=1024 seg=16");
    double first_pace_ = 0;  // milliseconds of fixed_
    double pace_ = 1;        // times as many now
    Worst slowest_{[](const Found& found) { return found.milliseconds; }, kept};
    Worst largest_{[](const Found& found) { return static_cast<double>(found.bytes); }, kept};
    /// Where the steps tell least of the time, among decisions that are not quick anyhow.
    Worst costliest_{[](const Found& found) {
                         const double quick = 0.3 * found.racks_share();
                         return found.milliseconds < quick
                                    ? 0.0
                                    : found.milliseconds / static_cast<double>(found.steps);
                     },
                     kept};
};

}  // namespace
}  // namespace nvl72block::bench

int main(int count, char** arguments) {
    nvl72block::bench::Options options;
    CLI::App app("Looks for the slowest decision and for the one that takes most memory.");
    app.add_option("--racks", options.racks, "racks of 18 nodes")->capture_default_str();
    app.add_option("--seconds", options.seconds, "how long to look")->capture_default_str();
    app.add_option("--seed", options.seed)->capture_default_str();
    app.add_option("--budget", options.budget, "steps a decision; without it the engine's own");
    app.add_option("--show", options.shown, "of the worst")->capture_default_str();
    app.add_option("--give-up", options.give_up, "seconds for one decision, then print it and end")
        ->capture_default_str();
    app.add_option("--cliques", options.cliques, "1: enforced in every request; 0: in none");
    app.add_option("--repeat", options.repeat, "measure these lines instead");
    CLI11_PARSE(app, count, arguments);
    std::signal(SIGALRM, nvl72block::bench::give_up);
    nvl72block::bench::Search(options).run();
}
