// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include <limits>
#include <set>
#include <utility>

#include "cli/inventory/words.hpp"
#include "cli/state/parse.hpp"
#include "cli/state/record.hpp"
#include "text/excerpt.hpp"

namespace nvl72block::cli {
namespace {

ReservationRecord reservation_of(const Record& record, const NodeTable& table, Notes& notes) {
    ReservationRecord reservation;
    reservation.name = record.value("ReservationName");
    reservation.nodes = known_nodes(record.value("Nodes"), table,
                                    fmt::format("reservation {}", reservation.name), notes);
    reservation.start = parse_time(record.value("StartTime")).value_or(0);
    reservation.end =
        parse_time(record.value("EndTime")).value_or(std::numeric_limits<SlurmTime>::max());
    reservation.flags = record.value("Flags");
    reservation.users = record.value("Users");
    reservation.active = record.value("State") == "ACTIVE";
    return reservation;
}

}  // namespace

std::vector<ReservationRecord> parse_reservations(std::string_view text, const NodeTable& table,
                                                  Notes& notes) {
    std::vector<ReservationRecord> reservations;
    std::set<std::string> seen;
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        if (line.starts_with("ReservationName=")) {
            ReservationRecord reservation = reservation_of(Record(line), table, notes);
            if (seen.insert(reservation.name).second)
                reservations.push_back(std::move(reservation));
            else
                notes.add(second_record("reservation", reservation.name));
        } else if (!trim(line).empty() && !line.starts_with("No reservations")) {
            notes.add(
                fmt::format("a line about reservations is not understood: {}", excerpt(line)));
        }
    }
    return reservations;
}

}  // namespace nvl72block::cli
