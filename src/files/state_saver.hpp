// SPDX-License-Identifier: GPL-2.0-or-later
//
// State that a daemon keeps in files, written beside its work: whoever has something to save holds
// locks that others wait for, and a file system can take minutes.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace nvl72block {

/// Writes texts to files in a thread of its own. The thread is there only while there is something
/// to write, so that a process that forks, or ends, need not know of it. All calls are for several
/// threads at once, and none waits for a file but wait().
class StateSaver {
  public:
    /// Writes a file; returns the empty string or what went wrong, in one sentence.
    using Write = std::function<std::string(const std::filesystem::path&, const std::string&)>;
    /// Told what went wrong, in one sentence, mostly by the thread that writes.
    using Report = std::function<void(const std::string&)>;

    /// The saver of this process, which writes with write_whole() for the owner alone; what killed
    /// writers left of a file it removes before it first writes it. It is never destroyed: a
    /// process that ends does not wait for a write that is under way. A forked process has another
    /// one, with nothing to write.
    [[nodiscard]] static StateSaver& of_process();

    /// For tests: `write` in place of write_whole(), and how long one write may last untold.
    StateSaver(Write write, std::chrono::steady_clock::duration patience);

    /// Hands over `text` for `path`. What waits for the same file and is not being written yet is
    /// dropped. A write of that file that has been under way for a minute is reported at once.
    /// Throws where there is no memory or no thread; the text may be written with the next one.
    void save(std::filesystem::path path, std::string text, Report report);

    /// Hands over whole lines to be appended with append_bounded(), after those that wait for the
    /// same file. Where more than a megabyte waits lines are dropped, which is reported at
    /// once. Throws as save().
    void append(std::filesystem::path path, std::string head, std::string lines, std::size_t limit,
                Report report);

    /// The newest text for `path` that may not be in the file yet.
    [[nodiscard]] std::optional<std::string> unwritten(const std::filesystem::path& path) const;

    /// Returns when nothing is left to write.
    void wait() const;

  private:
    struct Work;
    struct Job;
    void hand_over(const std::shared_ptr<const Job>& job, std::unique_lock<std::mutex> lock);

    std::shared_ptr<Work> work_;  // shared with the thread
};

}  // namespace nvl72block
