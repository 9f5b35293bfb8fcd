// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/state_saver.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <new>
#include <stdexcept>
#include <vector>

#include "folder.hpp"

namespace nvl72block {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A file system that does not answer before it is told to.
class Disk {
  public:
    StateSaver::Write write() {
        return [this](const std::filesystem::path& path, const std::string& text) {
            std::unique_lock lock(mutex_);
            ++begun_;
            changed_.notify_all();
            changed_.wait(lock, [this] { return answers_; });
            written_.push_back(path.string() + "=" + text);
            return failure_;
        };
    }
    void answer() {
        const std::lock_guard lock(mutex_);
        answers_ = true;
        changed_.notify_all();
    }
    void wait_until_begun(int writes) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return begun_ >= writes; });
    }
    void fail(const std::string& failure) { failure_ = failure; }
    [[nodiscard]] std::vector<std::string> written() {
        const std::lock_guard lock(mutex_);
        return written_;
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool answers_ = false;
    int begun_ = 0;
    std::vector<std::string> written_;
    std::string failure_;
};

/// What was reported, from any thread.
class Reports {
  public:
    StateSaver::Report report() {
        return [this](const std::string& sentence) {
            const std::lock_guard lock(mutex_);
            sentences_.push_back(sentence);
        };
    }
    [[nodiscard]] std::vector<std::string> sentences() {
        const std::lock_guard lock(mutex_);
        return sentences_;
    }

  private:
    std::mutex mutex_;
    std::vector<std::string> sentences_;
};

constexpr auto never = std::chrono::hours(24);

TEST(StateSaver, NobodyWaitsForADiskAndTheNewestTextWins) {
    Disk disk;
    StateSaver saver(disk.write(), never);
    saver.save("a", "1", nullptr);
    disk.wait_until_begun(1);
    // The disk does not answer, and yet all of these return.
    saver.save("a", "2", nullptr);
    saver.save("b", "1", nullptr);
    saver.save("a", "3", nullptr);
    EXPECT_EQ(saver.unwritten("a"), "3");
    EXPECT_EQ(saver.unwritten("b"), "1");
    EXPECT_EQ(disk.written(), std::vector<std::string>());
    disk.answer();
    saver.wait();
    EXPECT_THAT(disk.written(), ElementsAre("a=1", "a=3", "b=1"));
    EXPECT_EQ(saver.unwritten("a"), std::nullopt);
}

TEST(StateSaver, WhatIsBeingWrittenIsNotInTheFileYet) {
    Disk disk;
    StateSaver saver(disk.write(), never);
    saver.save("a", "1", nullptr);
    disk.wait_until_begun(1);
    EXPECT_EQ(saver.unwritten("a"), "1");
    disk.answer();
    saver.wait();
}

TEST(StateSaver, WorksAgainAfterItWasDone) {
    Disk disk;
    disk.answer();
    StateSaver saver(disk.write(), never);
    for (const char* text : {"1", "2", "3"}) {
        saver.save("a", text, nullptr);
        saver.wait();
    }
    EXPECT_THAT(disk.written(), ElementsAre("a=1", "a=2", "a=3"));
}

TEST(StateSaver, FailuresAreReported) {
    Disk disk;
    disk.fail("cannot write a: No space left on device");
    disk.answer();
    Reports reports;
    StateSaver saver(disk.write(), never);
    saver.save("a", "1", reports.report());
    saver.wait();
    EXPECT_THAT(reports.sentences(), ElementsAre("cannot write a: No space left on device"));
}

TEST(StateSaver, AWriteThatLastsIsReportedByWhoSavesNext) {
    Disk disk;
    Reports reports;
    StateSaver saver(disk.write(), std::chrono::seconds(0));
    saver.save("a", "1", reports.report());
    disk.wait_until_begun(1);
    saver.save("b", "1", reports.report());
    EXPECT_THAT(reports.sentences(), ElementsAre());
    saver.save("a", "2", reports.report());
    EXPECT_THAT(reports.sentences(), ElementsAre(HasSubstr("a has been written for ")));
    disk.answer();
    saver.wait();
}

// It would end the process.
TEST(StateSaver, NoExceptionLeavesTheThread) {
    Reports reports;
    StateSaver throwing(
        [](const auto&, const auto&) -> std::string { throw std::runtime_error("odd"); }, never);
    throwing.save("a", "1", reports.report());
    throwing.wait();
    EXPECT_THAT(reports.sentences(), ElementsAre("odd"));
    StateSaver worse([](const auto&, const auto&) -> std::string { throw 1; }, never);
    worse.save("a", "1", [](const std::string&) { throw 2; });
    worse.wait();
    StateSaver reporting([](const auto&, const auto&) -> std::string { return "odd"; }, never);
    reporting.save("a", "1", [](const std::string&) { throw std::runtime_error("odder"); });
    reporting.wait();
}

// slurmctld's signals are for the thread that waits for them.
TEST(StateSaver, ItsThreadTakesNoSignal) {
    sigset_t seen;
    sigemptyset(&seen);
    StateSaver saver(
        [&seen](const auto&, const auto&) -> std::string {
            pthread_sigmask(SIG_SETMASK, nullptr, &seen);
            return {};
        },
        never);
    saver.save("a", "1", nullptr);
    saver.wait();
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGCHLD, SIGUSR1, SIGUSR2})
        EXPECT_EQ(sigismember(&seen, signal), 1) << signal;
    sigset_t own;
    pthread_sigmask(SIG_SETMASK, nullptr, &own);
    EXPECT_EQ(sigismember(&own, SIGTERM), 0);
}

class SaverOfProcess : public FolderTest {};

TEST_F(SaverOfProcess, WritesForTheOwnerAloneAndRemovesOldDrafts) {
    (void)write("state.new-abcdef", "of a killed writer");
    StateSaver::of_process().save(at("state"), "text", nullptr);
    StateSaver::of_process().wait();
    EXPECT_EQ(content("state"), "text");
    EXPECT_EQ(mode("state"), 0600U);
    EXPECT_EQ(files(), 1);
}

// slurmctld forks when it goes into the background: its child has none of its threads.
TEST_F(SaverOfProcess, AForkedProcessSavesToo) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP()
        << "a sanitizer's allocator may be locked in a forked process by a thread that it has not";
#endif
    StateSaver::of_process().save(at("parent"), "text", nullptr);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        StateSaver::of_process().save(at("child"), "text", nullptr);
        StateSaver::of_process().wait();
        std::_Exit(content("child") == "text" ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    StateSaver::of_process().wait();
    EXPECT_EQ(content("parent"), "text");
}

}  // namespace
}  // namespace nvl72block
