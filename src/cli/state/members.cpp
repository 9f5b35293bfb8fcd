// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/state/members.hpp"

#include <fmt/format.h>

#include <utility>

#include "cli/input/input_error.hpp"
#include "text/printable.hpp"

namespace nvl72block::cli {
namespace {

/// The end of the year 9999, and ten thousand years: what is beyond is no time, and sums of what is
/// within stay far from the ends of the type.
constexpr std::uint64_t latest = 253'402'300'799;
constexpr std::uint64_t longest = 315'569'520'000;

}  // namespace

Members::Members(const nlohmann::json& json, const DocumentFacts& facts, std::string place)
    : json_(&json), facts_(&facts), place_(std::move(place)) {
    if (!json.is_object())
        throw InputError(facts.file, fmt::format("{} is not a record", place_),
                         "use one that nvl72block-records or nvl72block snapshot wrote");
}

void Members::reject(const char* key, const std::string& message) const {
    throw InputError(facts_->file, fmt::format("{}: \"{}\" {}", place_, key, message),
                     "use one that nvl72block-records or nvl72block snapshot wrote");
}

const nlohmann::json* Members::member(const char* key) const {
    const auto found = json_->find(key);
    return found == json_->end() || found->is_null() ? nullptr : &*found;
}

const nlohmann::json* Members::list_under(const char* key) const {
    const nlohmann::json* found = member(key);
    if (found != nullptr && !found->is_array()) reject(key, "is not a list");
    return found;
}

Members Members::record(const char* key) const {
    const nlohmann::json* found = member(key);
    if (found == nullptr) reject(key, "is missing");
    return {*found, *facts_, key};
}

const std::string* Members::text_under(const char* key) const {
    const nlohmann::json* found = member(key);
    if (found != nullptr && !found->is_string()) reject(key, "is not a text");
    return found == nullptr ? nullptr : &found->get_ref<const std::string&>();
}

std::string Members::text(const char* key) const {
    const std::string* text = text_under(key);
    return text == nullptr ? std::string() : printable(*text);
}

std::string Members::lines(const char* key) const {
    const std::string* text = text_under(key);
    return text == nullptr ? std::string() : printable_lines(*text);
}

bool Members::flag(const char* key) const {
    const nlohmann::json* found = member(key);
    if (found == nullptr) return false;
    if (!found->is_boolean()) reject(key, "is neither true nor false");
    return found->get<bool>();
}

std::optional<std::uint64_t> Members::integer(const char* key, std::uint64_t most) const {
    const nlohmann::json* found = member(key);
    if (found == nullptr) return std::nullopt;
    // What the parser has read from a text is unsigned where it is not negative.
    if (!found->is_number_unsigned() || found->get<std::uint64_t>() > most)
        reject(key, fmt::format("is not a number from 0 to {}", most));
    return found->get<std::uint64_t>();
}

std::optional<SlurmTime> Members::time(const char* key) const {
    const auto seconds = integer(key, latest);
    if (!seconds) return std::nullopt;
    return static_cast<SlurmTime>(*seconds) + facts_->utc_offset;
}

std::optional<std::int64_t> Members::duration(const char* key) const {
    const auto seconds = integer(key, longest);
    return seconds ? std::optional(static_cast<std::int64_t>(*seconds)) : std::nullopt;
}

}  // namespace nvl72block::cli
