// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/state_saver.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <exception>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "files/append_bounded.hpp"
#include "files/write_whole.hpp"

namespace nvl72block {
namespace {

using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

constexpr Clock::duration patience_of_process = std::chrono::minutes(1);
constexpr std::size_t most_lines_waiting = std::size_t{1} << 20;  // bytes per log

/// A daemon's signals are for its own threads.
class SignalsBlocked {
  public:
    SignalsBlocked() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  private:
    sigset_t before_{};
};

/// write_whole() for the owner; the first time for a path its old drafts go.
class CleanWriter {
  public:
    std::string operator()(const fs::path& path, const std::string& text) {
        if (known_.insert(path).second) remove_drafts(path);
        return write_whole(path, text, Readers::owner);
    }

  private:
    std::set<fs::path> known_;
};

}  // namespace

struct StateSaver::Job {
    fs::path path;
    std::string text;
    Report report;
    std::size_t limit = 0;  // 0: the text is the whole file, else of a log to append to
    std::string head{};     // of a log that begins
};

struct StateSaver::Work {
    Work(Write write_, Clock::duration patience_) : write(std::move(write_)), patience(patience_) {}

    /// Writes a job outside the lock. What is thrown must not end the process.
    void write_one(const Job& job) noexcept {
        try {
            const std::string failure =
                job.limit == 0 ? write(job.path, job.text)
                               : append_bounded(job.path, job.head, job.text, job.limit);
            if (!failure.empty() && job.report) job.report(failure);
        } catch (const std::exception& error) {
            try {
                if (job.report) job.report(error.what());
            } catch (...) {  // nothing is left to say it with
            }
        } catch (...) {
        }
    }

    void run() {
        std::unique_lock lock(mutex);
        while (!waiting.empty()) {
            const std::shared_ptr<const Job> job = std::move(waiting.begin()->second);
            waiting.erase(waiting.begin());
            now = job;
            since = Clock::now();
            lock.unlock();
            write_one(*job);
            lock.lock();
            now.reset();
        }
        running = false;
        idle.notify_all();
    }

    const Write write;  // called by one thread at a time
    const Clock::duration patience;
    std::mutex mutex;  // of what follows
    std::condition_variable idle;
    std::map<fs::path, std::shared_ptr<const Job>> waiting;  // one text per file
    std::shared_ptr<const Job> now;                          // being written
    Clock::time_point since;                                 // when that began
    bool running = false;
};

StateSaver::StateSaver(Write write, Clock::duration patience)
    : work_(std::make_shared<Work>(std::move(write), patience)) {}

StateSaver& StateSaver::of_process() {
    struct Own {
        pid_t process = ::getpid();
        StateSaver saver{CleanWriter(), patience_of_process};
    };
    // Without a lock: in a forked process it could be one that nobody releases.
    static std::atomic<Own*> own = nullptr;
    Own* found = own.load();
    while (found == nullptr || found->process != ::getpid()) {
        auto made = std::make_unique<Own>();
        if (own.compare_exchange_strong(found, made.get())) found = made.release();
    }
    return found->saver;
}

void StateSaver::save(fs::path path, std::string text, Report report) {
    hand_over(std::make_shared<const Job>(Job{std::move(path), std::move(text), std::move(report)}),
              std::unique_lock(work_->mutex));
}

void StateSaver::append(fs::path path, std::string head, std::string lines, std::size_t limit,
                        Report report) {
    auto job = std::make_shared<Job>(
        Job{std::move(path), std::move(lines), std::move(report), limit, std::move(head)});
    std::unique_lock lock(work_->mutex);
    if (const auto found = work_->waiting.find(job->path); found != work_->waiting.end()) {
        const std::size_t waits = found->second->text.size();
        if (waits + job->text.size() > most_lines_waiting) {
            lock.unlock();
            if (job->report)
                job->report(fmt::format("{} is written too slowly: {} bytes wait, more are dropped",
                                        job->path.string(), waits));
            return;
        }
        job->text.insert(0, found->second->text);
    }
    hand_over(job, std::move(lock));
}

void StateSaver::hand_over(const std::shared_ptr<const Job>& job,
                           std::unique_lock<std::mutex> lock) {
    std::optional<Clock::duration> lasted;
    work_->waiting.insert_or_assign(job->path, job);
    if (!work_->running) {
        const SignalsBlocked blocked;
        std::thread([work = work_] {
            pthread_setname_np(pthread_self(), "nvl72_save");
            work->run();
        }).detach();
        work_->running = true;
    }
    if (work_->now && work_->now->path == job->path) lasted = Clock::now() - work_->since;
    lock.unlock();
    if (lasted && *lasted >= work_->patience && job->report)
        job->report(fmt::format("{} has been written for {} s and is not done", job->path.string(),
                                std::chrono::duration_cast<std::chrono::seconds>(*lasted).count()));
}

std::optional<std::string> StateSaver::unwritten(const fs::path& path) const {
    const std::lock_guard lock(work_->mutex);
    if (const auto found = work_->waiting.find(path); found != work_->waiting.end())
        return found->second->text;
    if (work_->now && work_->now->path == path) return work_->now->text;
    return std::nullopt;
}

void StateSaver::wait() const {
    std::unique_lock lock(work_->mutex);
    work_->idle.wait(lock, [this] { return !work_->running; });
}

}  // namespace nvl72block
