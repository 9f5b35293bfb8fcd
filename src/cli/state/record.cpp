// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/state/record.hpp"

#include <algorithm>
#include <cmath>

#include "text/blanks.hpp"
#include "text/number.hpp"
#include "text/tres.hpp"

namespace nvl72block::cli {

std::size_t Record::position(std::string_view key) const {
    for (std::size_t at = line_.find(key); at != std::string_view::npos;
         at = line_.find(key, at + 1)) {
        const std::size_t end = at + key.size();
        if ((at == 0 || line_[at - 1] == ' ') && end < line_.size() && line_[end] == '=') return at;
    }
    return std::string_view::npos;
}

std::optional<std::string_view> Record::find(std::string_view key) const {
    const std::size_t at = position(key);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view tail = line_.substr(at + key.size() + 1);
    const std::string_view word = tail.substr(0, tail.find_first_of(blanks));
    return word == "(null)" ? std::string_view{} : word;
}

std::string_view Record::value(std::string_view key) const {
    return find(key).value_or(std::string_view{});
}

std::string_view Record::rest(std::string_view key) const {
    const std::size_t at = position(key);
    return at == std::string_view::npos ? std::string_view{}
                                        : trim(line_.substr(at + key.size() + 1));
}

Record Record::from(std::string_view key) const {
    const std::size_t at = position(key);
    return Record(at == std::string_view::npos ? line_ : line_.substr(at));
}

std::uint64_t number_or_zero(std::string_view text) {
    return number_of<std::uint64_t>(text).value_or(0);
}

std::uint64_t megabytes(std::string_view text) {
    if (text.empty()) return 0;
    double factor = 1;
    switch (text.back()) {
        case 'K':
            factor = 1.0 / 1024;
            break;
        case 'M':
            break;
        case 'G':
            factor = 1024;
            break;
        case 'T':
            factor = 1024.0 * 1024;
            break;
        default:
            return number_or_zero(text);
    }
    const auto number = number_of<double>(text.substr(0, text.size() - 1));
    if (!number || *number < 0 || *number * factor > 1e15) return 0;
    return static_cast<std::uint64_t>(std::ceil(*number * factor));
}

std::uint32_t gpus_in(std::string_view text) {
    std::uint64_t total = 0;
    while (!text.empty()) {
        std::string_view entry = text.substr(0, text.find(','));
        text.remove_prefix(std::min(entry.size() + 1, text.size()));
        entry = entry.substr(0, entry.find('('));
        if (entry.starts_with("gres/") || entry.starts_with("gres:")) entry.remove_prefix(5);
        if (entry != "gpu" && !entry.starts_with("gpu:") && !entry.starts_with("gpu=")) continue;
        const std::size_t last = entry.find_last_of(":=");
        const auto count = last == std::string_view::npos
                               ? std::nullopt
                               : number_of<std::uint32_t>(entry.substr(last + 1));
        total += count.value_or(1);  // "gpu" and "gpu:gb200" are one GPU
    }
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(total, 1U << 30));
}

std::uint64_t tres_in(std::string_view text, std::string_view name) {
    std::uint64_t amount = 0;
    for_each_tres(text, [&](std::string_view each, std::string_view number) {
        if (each == name) amount = number_or_zero(number);
    });
    return amount;
}

}  // namespace nvl72block::cli
