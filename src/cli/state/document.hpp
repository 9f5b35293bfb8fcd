// SPDX-License-Identifier: GPL-2.0-or-later
//
// The document that a cluster's state is read from: what nvl72block-records prints, with the
// demand that slurmctld has learned. records/README.md describes its members.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "cli/state/members.hpp"

namespace nvl72block::cli {

class Document {
  public:
    /// InputError if `text` is no document of the format that this command reads.
    Document(std::string_view text, const std::string& file);

    [[nodiscard]] Members root() const { return {json_, facts_, "document"}; }
    [[nodiscard]] const std::string& file() const { return facts_.file; }
    [[nodiscard]] const nlohmann::json& json() const { return json_; }

    /// slurmctld's file of the demand that it has learned (StateSaveLocation/nvl72block_demand).
    void add_demand(const std::string& text) { json_["demand"] = text; }

  private:
    nlohmann::json json_;
    DocumentFacts facts_;
};

/// That of the running cluster, with the demand where this user on this host may read it.
/// InputError as ask_records().
[[nodiscard]] Document live_document();

/// That of the running cluster, of which only "config" is there.
[[nodiscard]] Document live_configuration();

/// Reads a directory that write_snapshot() wrote; InputError where it is none.
[[nodiscard]] Document read_snapshot(const std::string& folder);

/// Writes the only file of a directory, which is made if need be; InputError if it holds something
/// other than a snapshot or cannot be written.
void write_snapshot(const std::string& folder, const Document& document);

}  // namespace nvl72block::cli
