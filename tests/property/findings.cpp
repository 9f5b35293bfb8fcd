// SPDX-License-Identifier: GPL-2.0-or-later
#include "findings.hpp"

#include <algorithm>
#include <functional>

namespace nvl72block::oracle {

namespace {

constexpr std::size_t kept_examples = 3;
constexpr std::size_t shown_jobs = 8;

bool is_failure(const std::string& kind) {
    return !kind.starts_with("note:") && !kind.starts_with("beyond:");
}

}  // namespace

void Findings::Kind::keep(Example example) {
    smallest.push_back(std::move(example));
    std::ranges::stable_sort(smallest, {}, &Example::size);
    if (smallest.size() > kept_examples) smallest.pop_back();
}

void Findings::add(const std::string& kind, const std::string& job, std::size_t size,
                   const std::string& example) {
    Kind& entry = kinds_[kind];
    ++entry.count;
    ++entry.by_job[job];
    if (keeps(kind, size)) entry.keep({size, example});
}

void Findings::add(const Findings& other) {
    for (const auto& [name, kind] : other.kinds_) {
        Kind& mine = kinds_[name];
        mine.count += kind.count;
        for (const auto& [job, count] : kind.by_job) mine.by_job[job] += count;
        for (const Example& example : kind.smallest) mine.keep(example);
    }
}

bool Findings::keeps(const std::string& kind, std::size_t size) const {
    const auto entry = kinds_.find(kind);
    return entry == kinds_.end() || entry->second.smallest.size() < kept_examples ||
           size < entry->second.smallest.back().size;
}

std::uint64_t Findings::count() const {
    std::uint64_t total = 0;
    for (const auto& [name, kind] : kinds_)
        if (is_failure(name)) total += kind.count;
    return total;
}

std::uint64_t Findings::beyond() const {
    std::uint64_t total = 0;
    for (const auto& [name, kind] : kinds_)
        if (name.starts_with("beyond:")) total += kind.count;
    return total;
}

std::uint64_t Findings::count(const std::string& kind) const {
    const auto entry = kinds_.find(kind);
    return entry == kinds_.end() ? 0 : entry->second.count;
}

std::string Findings::report(std::size_t examples) const {
    std::string text;
    for (const bool failures : {true, false})  // what is never allowed gets its examples first
        for (const auto& [name, kind] : kinds_)
            if (is_failure(name) == failures) text += kind.report(name, examples);
    return text;
}

std::string Findings::Kind::report(const std::string& name, std::size_t& examples) const {
    std::string text = name + ": " + std::to_string(count) + "\n";
    std::vector<std::pair<std::uint64_t, std::string>> jobs;
    for (const auto& [job, times] : by_job) jobs.emplace_back(times, job);
    std::ranges::sort(jobs, std::greater{});
    for (std::size_t i = 0; i < std::min(jobs.size(), shown_jobs); ++i)
        text += "    " + std::to_string(jobs[i].first) + " " + jobs[i].second + "\n";
    for (const Example& example : smallest) {
        if (examples == 0) break;
        --examples;
        text += "    " + example.text + "\n";
    }
    return text;
}

}  // namespace nvl72block::oracle
