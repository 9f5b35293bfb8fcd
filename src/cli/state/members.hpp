// SPDX-License-Identifier: GPL-2.0-or-later
//
// The members of a record in the document of nvl72block-records. One that is not there has no
// value; one of another kind than is asked for is an InputError with its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "text/times.hpp"

namespace nvl72block::cli {

/// What a document is, for all its records.
struct DocumentFacts {
    std::string file;             ///< for messages
    std::int64_t utc_offset = 0;  ///< seconds: from the document's times to SlurmTime
};

class Members {
  public:
    /// `json` and `facts` have to outlive it; `place` is e.g. "jobs[12]".
    Members(const nlohmann::json& json, const DocumentFacts& facts, std::string place);

    /// As printable() writes it; empty for none.
    [[nodiscard]] std::string text(const char* key) const;
    /// The same with its line feeds.
    [[nodiscard]] std::string lines(const char* key) const;
    [[nodiscard]] bool flag(const char* key) const;

    /// From 0 to the largest one of the type.
    template <typename Number>
    [[nodiscard]] std::optional<Number> find(const char* key) const {
        const auto number = integer(key, std::numeric_limits<Number>::max());
        return number ? std::optional(static_cast<Number>(*number)) : std::nullopt;
    }
    template <typename Number>
    [[nodiscard]] Number number(const char* key) const {
        return find<Number>(key).value_or(0);
    }
    [[nodiscard]] std::optional<SlurmTime> time(const char* key) const;
    /// Seconds.
    [[nodiscard]] std::optional<std::int64_t> duration(const char* key) const;

    /// A list of records; nothing for a member that is not there.
    template <typename Visit>
    void for_each(const char* key, Visit visit) const {
        const nlohmann::json* list = list_under(key);
        if (list == nullptr) return;
        for (std::size_t i = 0; i < list->size(); ++i)
            visit(Members((*list)[i], *facts_, key + ("[" + std::to_string(i) + "]")));
    }
    /// The record under `key`; InputError without it.
    [[nodiscard]] Members record(const char* key) const;

    /// InputError: the member cannot be what it is.
    [[noreturn]] void reject(const char* key, const std::string& message) const;

  private:
    [[nodiscard]] const nlohmann::json* member(const char* key) const;
    [[nodiscard]] const std::string* text_under(const char* key) const;
    [[nodiscard]] const nlohmann::json* list_under(const char* key) const;
    [[nodiscard]] std::optional<std::uint64_t> integer(const char* key, std::uint64_t most) const;

    const nlohmann::json* json_;
    const DocumentFacts* facts_;
    std::string place_;
};

}  // namespace nvl72block::cli
