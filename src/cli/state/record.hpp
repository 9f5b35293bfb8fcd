// SPDX-License-Identifier: GPL-2.0-or-later
//
// One line of `scontrol -o show ...`: words KEY=VALUE, of which some values hold blanks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nvl72block::cli {

class Record {
  public:
    /// `line` has to outlive the record.
    explicit Record(std::string_view line) : line_(line) {}

    /// What follows the first KEY= up to the next blank; empty for "(null)", nullopt without the
    /// key.
    [[nodiscard]] std::optional<std::string_view> find(std::string_view key) const;
    /// The same, and empty without the key.
    [[nodiscard]] std::string_view value(std::string_view key) const;
    /// What follows the first KEY= up to the end of the line.
    [[nodiscard]] std::string_view rest(std::string_view key) const;
    /// The record from the first KEY= on; all of it without the key. A user's words before KEY= can
    /// then not be taken for keys.
    [[nodiscard]] Record from(std::string_view key) const;

  private:
    [[nodiscard]] std::size_t position(std::string_view key) const;

    std::string_view line_;
};

/// A number from 0 on, or 0 for any other text.
[[nodiscard]] std::uint64_t number_or_zero(std::string_view text);

/// Megabytes of "4G", "900000M" or "512"; 0 for any other text.
[[nodiscard]] std::uint64_t megabytes(std::string_view text);

/// GPUs of "gpu:4", "gpu:gb200:4(S:0-1),shard:8" or "gres/gpu:4"; 0 for none.
[[nodiscard]] std::uint32_t gpus_in(std::string_view text);

/// The number of "NAME=NUMBER" in a list such as "cpu=2,mem=1G,gres/gpu=4"; 0 where it is not in
/// it.
[[nodiscard]] std::uint64_t tres_in(std::string_view text, std::string_view name);

}  // namespace nvl72block::cli
