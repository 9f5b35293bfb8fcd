// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/workload/generator.hpp"

#include <algorithm>
#include <cmath>

#include "text/seconds.hpp"

namespace nvl72block::replay {
namespace {

/// The value of `table` for a share, with the quantile above it and how far it is towards that.
struct Place {
    std::size_t above = 1;
    double part = 0;
};

Place place_of(double share) {
    Place place;
    while (place.above + 1 < quantile_shares.size() && quantile_shares[place.above] <= share)
        ++place.above;
    const double below = quantile_shares[place.above - 1];
    place.part = (share - below) / (quantile_shares[place.above] - below);
    return place;
}

/// Between two durations in equal ratios, for they differ by orders of magnitude.
double duration(const Quantiles& table, double share) {
    const Place place = place_of(share);
    const double low = std::max(1.0, table[place.above - 1]);
    return low * std::pow(std::max(1.0, table[place.above]) / low, place.part);
}

std::size_t jobs_on_a_day(const Quantiles& table, double share, Random& random) {
    const Place place = place_of(share);
    const double low = table[place.above - 1];
    const double count = low + (table[place.above] - low) * place.part;
    // Up or down at random, so that days with less than one job count as well.
    return static_cast<std::size_t>(count + random.uniform());
}

/// The place of one of `weights`, each as likely as it weighs.
template <typename Weights>
std::size_t draw(const Weights& weights, Random& random) {
    double total = 0;
    for (const double weight : weights) total += weight;
    double left = random.uniform() * total;
    std::size_t place = 0;
    for (; place + 1 < weights.size() && left >= weights[place]; ++place) left -= weights[place];
    return place;
}

/// `count` shares, one at random from each of as many equal parts of [0, 1).
std::vector<double> even_shares(std::size_t count, Random& random) {
    std::vector<double> shares(count);
    for (std::size_t i = 0; i < count; ++i)
        shares[i] = (static_cast<double>(i) + random.uniform()) / static_cast<double>(count);
    return shares;
}

/// The last of the cards, from which it is removed.
template <typename Card>
Card deal(std::vector<Card>& cards) {
    Card card = cards.back();
    cards.pop_back();
    return card;
}

class Generator {
  public:
    Generator(const LogFigures& figures, Random& random) : figures_(figures), random_(random) {}

    std::vector<TraceJob> jobs(std::size_t count) {
        std::vector<TraceJob> jobs;
        for (std::int64_t begin = 0; jobs.size() < count; begin += day) add_day(begin, jobs);
        jobs.resize(count);
        const std::int64_t first = jobs.empty() ? 0 : jobs.front().arrival;
        for (TraceJob& job : jobs) job.arrival -= first;
        return jobs;
    }

  private:
    void add_day(std::int64_t begin, std::vector<TraceJob>& jobs) {
        std::vector<std::int64_t> arrivals(jobs_of_next_day());
        for (std::int64_t& arrival : arrivals)
            arrival = begin + static_cast<std::int64_t>(draw(figures_.hours, random_)) * hour +
                      static_cast<std::int64_t>(random_.below(hour));
        std::sort(arrivals.begin(), arrivals.end());
        for (const std::int64_t arrival : arrivals) {
            if (jobs_.empty()) fill_jobs();
            jobs.push_back(deal(jobs_));
            jobs.back().arrival = arrival;
        }
    }

    std::size_t jobs_of_next_day() {
        if (days_.empty()) {
            days_ = even_shares(figures_.days, random_);
            random_.shuffle(days_);
        }
        return jobs_on_a_day(figures_.jobs_per_day, deal(days_), random_);
    }

    void fill_jobs() {
        for (const SizeClass& each : figures_.classes) {
            std::vector<std::uint32_t> gpus;
            for (const SizeClass::Size& size : each.sizes)
                gpus.insert(gpus.end(), size.jobs, size.gpus);
            random_.shuffle(gpus);
            const std::vector<double> shares = even_shares(gpus.size(), random_);
            for (std::size_t i = 0; i < gpus.size(); ++i) {
                TraceJob job;
                job.gpus = gpus[i];
                job.duration = std::llround(duration(each.seconds, shares[i]));
                job.time_limit = time_limit(job.duration);
                if (figures_.in_one_segment) job.segment = (job.gpus + 3) / 4;
                jobs_.push_back(job);
            }
        }
        random_.shuffle(jobs_);
    }

    /// A part of its limit that is as likely to be any from 1 down to as far below the mean.
    std::int64_t time_limit(std::int64_t duration) {
        if (figures_.limit_use == 0) return 0;
        const double use = 1 - 2 * (1 - figures_.limit_use) * random_.uniform();
        return std::llround(static_cast<double>(duration) / use);
    }

    const LogFigures& figures_;
    Random& random_;
    std::vector<double> days_;    // shares of days to come, in random order
    std::vector<TraceJob> jobs_;  // jobs to come, without arrival
};

}  // namespace

std::vector<TraceJob> generate(const LogFigures& figures, std::size_t count, Random& random) {
    return Generator(figures, random).jobs(count);
}

}  // namespace nvl72block::replay
