// SPDX-License-Identifier: GPL-2.0-or-later
//
// From a node's features to its clique.
#include <algorithm>
#include <cctype>

#include "nvl72block/clique.hpp"
#include "text/blanks.hpp"
#include "text/ignoring_case.hpp"
#include "text/number.hpp"
#include "text/take_item.hpp"

namespace nvl72block {
namespace {

using Uuid = std::array<std::uint8_t, 16>;

constexpr std::size_t uuid_length = 36;
constexpr std::string_view uuid_key = "ClusterUUID_";
constexpr std::string_view id_key = "CliqueId_";

bool is_dash_position(std::size_t at) {
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
        if (is_dash_position(at)) {
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

/// A feature without the namespace that whatever set it may have put before it: Slinky's operator
/// writes the features of a node's annotation as "k8s/<feature>".
std::string_view without_namespace(std::string_view feature) {
    return feature.substr(feature.rfind('/') + 1);
}

/// Collects what a node's features say and sees whether they agree.
class Reader {
  public:
    explicit Reader(std::string_view prefix) : prefix_(prefix) {}

    void read(std::string_view feature) {
        const std::string_view own = without_namespace(feature);
        if (starts_with_ignoring_case(own, uuid_key))
            return take_uuid(feature, own.substr(uuid_key.size()));
        if (starts_with_ignoring_case(own, id_key))
            return take_id(feature, own.substr(id_key.size()));
        // A configured prefix may contain the namespace, or only what follows it.
        for (const std::string_view text : {feature, own}) {
            if (!prefix_.empty() && text.starts_with(prefix_))
                return take_name(feature, text.substr(prefix_.size()));
        }
        const std::size_t dot = own.find('.');
        if (dot != own.npos && is_nearly_uuid(own.substr(0, dot))) take_name(feature, own);
    }

    void take_name(std::string_view feature, std::string_view name) {
        take_uuid(feature, take_item(name, '.'));
        take_id(feature, name);
    }

    [[nodiscard]] NodeClique finish() const {
        NodeClique clique;
        clique.text = std::string(feature_);
        if (status_ != CliqueStatus::valid) {
            clique.status = status_;
        } else if (uuid_ && id_) {
            clique = {CliqueStatus::valid, {*uuid_, *id_}, {}};
        } else if (uuid_) {
            clique.status = CliqueStatus::uuid_without_id;
        } else if (id_) {
            clique.status = CliqueStatus::id_without_uuid;
        }
        return clique;
    }

  private:
    void fail(std::string_view feature, CliqueStatus status) {
        if (status_ != CliqueStatus::valid) return;  // the first one counts
        status_ = status;
        feature_ = feature;
    }

    void take_uuid(std::string_view feature, std::string_view text) {
        Uuid uuid{};
        if (!read_uuid(text, uuid)) return fail(feature, CliqueStatus::malformed_uuid);
        if (is_zero(uuid)) return fail(feature, CliqueStatus::zero_uuid);
        if (uuid_ && *uuid_ != uuid) return fail(feature, CliqueStatus::two_cliques);
        uuid_ = uuid;
        if (status_ == CliqueStatus::valid) feature_ = feature;
    }

    void take_id(std::string_view feature, std::string_view text) {
        std::uint32_t id = 0;
        if (!read_id(text, id)) return fail(feature, CliqueStatus::malformed_id);
        if (id_ && *id_ != id) return fail(feature, CliqueStatus::two_cliques);
        id_ = id;
        if (status_ == CliqueStatus::valid) feature_ = feature;
    }

    std::string_view prefix_;
    std::optional<Uuid> uuid_;
    std::optional<std::uint32_t> id_;
    CliqueStatus status_ = CliqueStatus::valid;
    std::string_view feature_;
};

}  // namespace

NodeClique read_clique(std::string_view features, std::string_view prefix) {
    Reader reader(prefix);
    while (!features.empty()) reader.read(trim(take_item(features)));
    return reader.finish();
}

NodeClique read_clique_name(std::string_view text) {
    Reader reader({});
    reader.take_name(text, text);
    return reader.finish();
}

}  // namespace nvl72block
