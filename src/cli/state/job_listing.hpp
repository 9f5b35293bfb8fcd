// SPDX-License-Identifier: GPL-2.0-or-later
//
// The queue as squeue lists it. scontrol prints a job's name, comment and paths unescaped, so that
// a line feed in them begins a new line, and "JobState=RUNNING" in them looks like a field. squeue
// prints the same records with a separator that the caller chooses: a random one, which no job's
// text can contain.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/state/notes.hpp"

namespace nvl72block::cli {

/// A separator that was not used before.
[[nodiscard]] std::string new_separator();

/// The words that make squeue list all jobs, with `separator` behind each field. What this Slurm
/// version has no field for stays empty.
[[nodiscard]] std::vector<std::string> listing_words(const std::string& separator);

/// squeue's output with its separator before it, as it is kept in a snapshot.
[[nodiscard]] std::string listing_text(const std::string& separator, const std::string& output);

struct ListedJob {
    /// In the form of `scontrol -o show jobs`, without JobName=. No value but that of
    /// SystemComment=, the last one, contains a blank.
    std::string line;
    std::string name;
};

/// The jobs of `listing` in the order of their numbers. What squeue does not print (memory per
/// node, the list of --nodes=1,3,7, options of segments) comes from `text`, scontrol's output, for
/// each job whose text there is beyond doubt; the others are named in a note. InputError if
/// `listing` is not what listing_text() made.
[[nodiscard]] std::vector<ListedJob> listed_jobs(std::string_view listing, std::string_view text,
                                                 Notes& notes);

}  // namespace nvl72block::cli
