// SPDX-License-Identifier: GPL-2.0-or-later
//
// From a node's features to its clique.
#include <algorithm>
#include <cctype>

#include "nvl72block/clique.hpp"
#include "text/number.hpp"

namespace nvl72block {
namespace {

using Uuid = std::array<std::uint8_t, 16>;

constexpr std::size_t uuid_length = 36;
constexpr std::string_view uuid_key = "ClusterUUID_";
constexpr std::string_view id_key = "CliqueId_";

bool is_dash_place(std::size_t at) {
    return at == 8 || at == 13 || at == 18 || at == 23;
}

/// The value of a hexadecimal digit, or -1.
int digit_value(char letter) {
    if (letter >= '0' && letter <= '9') return letter - '0';
    if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
    if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
    return -1;
}

bool read_uuid(std::string_view text, Uuid& uuid) {
    if (text.size() != uuid_length) return false;
    std::size_t digits = 0;
    for (std::size_t at = 0; at < uuid_length; ++at) {
        if (is_dash_place(at)) {
            if (text[at] != '-') return false;
            continue;
        }
        const int value = digit_value(text[at]);
        if (value < 0) return false;
        uuid[digits / 2] = static_cast<std::uint8_t>(uuid[digits / 2] << 4 | value);
        ++digits;
    }
    return true;
}

bool read_id(std::string_view text, std::uint32_t& id) {
    const auto number = number_of<std::uint32_t>(text);
    id = number.value_or(0);
    return number.has_value();
}

bool is_zero(const Uuid& uuid) {
    return std::ranges::all_of(uuid, [](std::uint8_t byte) { return byte == 0; });
}

/// Text that stands where a UUID should and was surely meant as one: about its length, five groups
/// of letters and digits or none.
bool is_nearly_uuid(std::string_view text) {
    constexpr std::size_t shortest = 30;
    constexpr std::size_t longest = 42;
    if (text.size() < shortest || text.size() > longest) return false;
    const auto dashes = std::ranges::count(text, '-');
    return (dashes == 0 || dashes == 4) && std::ranges::all_of(text, [](char letter) {
               return letter == '-' || std::isalnum(static_cast<unsigned char>(letter)) != 0;
           });
}

bool starts_with_key(std::string_view text, std::string_view key) {
    return text.size() >= key.size() &&
           std::ranges::equal(text.substr(0, key.size()), key, [](char left, char right) {
               return std::tolower(static_cast<unsigned char>(left)) ==
                      std::tolower(static_cast<unsigned char>(right));
           });
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Collects what a node's features say and sees whether they agree.
class Reader {
  public:
    explicit Reader(std::string_view prefix) : prefix_(prefix) {}

    void read(std::string_view feature) {
        if (starts_with_key(feature, uuid_key))
            return take_uuid(feature, feature.substr(uuid_key.size()));
        if (starts_with_key(feature, id_key))
            return take_id(feature, feature.substr(id_key.size()));
        if (!prefix_.empty() && feature.starts_with(prefix_))
            return take_name(feature, feature.substr(prefix_.size()));
        const std::size_t dot = feature.find('.');
        if (dot != feature.npos && is_nearly_uuid(feature.substr(0, dot)))
            take_name(feature, feature);
    }

    void take_name(std::string_view feature, std::string_view name) {
        const std::size_t dot = std::min(name.find('.'), name.size());
        take_uuid(feature, name.substr(0, dot));
        take_id(feature, dot == name.size() ? std::string_view() : name.substr(dot + 1));
    }

    [[nodiscard]] NodeClique finish() const {
        NodeClique clique;
        clique.text = std::string(feature_);
        if (problem_ != CliqueProblem::none) {
            clique.problem = problem_;
        } else if (uuid_ && id_) {
            clique = {CliqueProblem::none, {*uuid_, *id_}, {}};
        } else if (uuid_) {
            clique.problem = CliqueProblem::uuid_without_id;
        } else if (id_) {
            clique.problem = CliqueProblem::id_without_uuid;
        }
        return clique;
    }

  private:
    void fail(std::string_view feature, CliqueProblem problem) {
        if (problem_ != CliqueProblem::none) return;  // the first one counts
        problem_ = problem;
        feature_ = feature;
    }

    void take_uuid(std::string_view feature, std::string_view text) {
        Uuid uuid{};
        if (!read_uuid(text, uuid)) return fail(feature, CliqueProblem::malformed_uuid);
        if (is_zero(uuid)) return fail(feature, CliqueProblem::zero_uuid);
        if (uuid_ && *uuid_ != uuid) return fail(feature, CliqueProblem::two_cliques);
        uuid_ = uuid;
        if (problem_ == CliqueProblem::none) feature_ = feature;
    }

    void take_id(std::string_view feature, std::string_view text) {
        std::uint32_t id = 0;
        if (!read_id(text, id)) return fail(feature, CliqueProblem::malformed_id);
        if (id_ && *id_ != id) return fail(feature, CliqueProblem::two_cliques);
        id_ = id;
        if (problem_ == CliqueProblem::none) feature_ = feature;
    }

    std::string_view prefix_;
    std::optional<Uuid> uuid_;
    std::optional<std::uint32_t> id_;
    CliqueProblem problem_ = CliqueProblem::none;
    std::string_view feature_;
};

}  // namespace

NodeClique read_clique(std::string_view features, std::string_view prefix) {
    Reader reader(prefix);
    while (!features.empty()) {
        const std::size_t comma = std::min(features.find(','), features.size());
        reader.read(trimmed(features.substr(0, comma)));
        features.remove_prefix(std::min(comma + 1, features.size()));
    }
    return reader.finish();
}

NodeClique read_clique_name(std::string_view text) {
    Reader reader({});
    reader.take_name(text, text);
    return reader.finish();
}

}  // namespace nvl72block
