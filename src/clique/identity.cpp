// SPDX-License-Identifier: GPL-2.0-or-later
//
// A clique's identity as text, and the words for what is wrong with one.
#include <fmt/format.h>

#include <iterator>

#include "nvl72block/clique.hpp"

namespace nvl72block {

std::string to_string(const CliqueIdentity& identity) {
    std::string out;
    out.reserve(47);
    for (std::size_t byte = 0; byte < identity.uuid.size(); ++byte) {
        if (byte == 4 || byte == 6 || byte == 8 || byte == 10) out += '-';
        fmt::format_to(std::back_inserter(out), "{:02x}", identity.uuid[byte]);
    }
    fmt::format_to(std::back_inserter(out), ".{}", identity.id);
    return out;
}

const char* to_string(CliqueStatus status) {
    switch (status) {
        case CliqueStatus::valid:
            return "the clique is valid";
        case CliqueStatus::absent:
            return "no feature names a clique";
        case CliqueStatus::zero_uuid:
            return "the ClusterUUID is all zero";
        case CliqueStatus::malformed_uuid:
            return "the ClusterUUID is malformed";
        case CliqueStatus::malformed_id:
            return "the CliqueId is not a number";
        case CliqueStatus::two_cliques:
            return "two different cliques are named";
        case CliqueStatus::id_without_uuid:
            return "a CliqueId without a ClusterUUID";
        case CliqueStatus::uuid_without_id:
            return "a ClusterUUID without a CliqueId";
        case CliqueStatus::gpus_disagree:
            break;
    }
    return "its GPUs report different cliques";
}

}  // namespace nvl72block
