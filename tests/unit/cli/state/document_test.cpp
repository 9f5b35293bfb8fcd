// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/state/document.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <csignal>

#include "cli/input/input_error.hpp"
#include "snapshot_folder.hpp"

namespace nvl72block::cli {
namespace {

using ::testing::HasSubstr;

template <typename Action>
std::string failure(const Action& action) {
    try {
        (void)action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

std::string refusal(const std::string& text) {
    return failure([&] { return Document(text, "state.json"); });
}

TEST(DocumentTest, OtherTextsAreRefused) {
    for (const char* text : {"", "x", "[]", "7", "{\"format\":2", "{\"format\":2}\n\xff"})
        EXPECT_THAT(refusal(text), HasSubstr("state.json: is not a JSON document; ")) << text;
    EXPECT_THAT(refusal("{}"), HasSubstr("has no \"format\""));
    EXPECT_THAT(refusal(R"({"format":"2"})"), HasSubstr("\"format\" is not a number"));
    EXPECT_THAT(refusal(R"({"format":3})"),
                HasSubstr("has format 3; this command reads format 2; use the nvl72block and "));
    for (const char* offset : {"1.5", "\"x\"", "90000", "-90000", "18446744073709551615"})
        EXPECT_THAT(refusal(fmt::format(R"({{"format":2,"utc_offset":{}}})", offset)),
                    HasSubstr("\"utc_offset\" is not a number of seconds within a day"));
}

TEST(DocumentTest, TimesAreThoseOfTheClockOnTheWall) {
    const Document document(R"({"format":2,"utc_offset":-3600,"time":1795380681})", "x");
    EXPECT_EQ(document.root().time("time"), 1795380681 - 3600);
}

TEST(DocumentTest, SnapshotsAreReadAsTheyWereWritten) {
    const Folder folder;
    SnapshotText text("#...............");
    text.jobs = job_line({});
    const std::string copy = folder.path() + "/copy";
    write_snapshot(copy, text.document());
    EXPECT_EQ(read_snapshot(copy).json(), text.document().json());
    write_snapshot(copy, SnapshotText().document());
    EXPECT_EQ(read_snapshot(copy).json(), SnapshotText().document().json()) << "replaced";
}

/// While it lives, no file can have more than a few bytes.
class FullDisk {
  public:
    FullDisk() : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &limit_);
        const rlimit few{16, limit_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &few);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;
    ~FullDisk() {
        setrlimit(RLIMIT_FSIZE, &limit_);
        std::signal(SIGXFSZ, handler_);
    }

  private:
    rlimit limit_{};
    void (*handler_)(int);
};

/// The file was emptied before it was written, and a full disk took the previous snapshot.
TEST(DocumentTest, ASnapshotThatCannotBeWrittenLeavesThePreviousOne) {
    const Folder folder;
    const Document before = SnapshotText("#...............").document();
    write_snapshot(folder.path(), before);
    std::string said;
    {
        const FullDisk disk;
        said = failure([&] {
            write_snapshot(folder.path(), SnapshotText().document());
            return 0;
        });
    }
    EXPECT_THAT(said, HasSubstr(folder.path() + ": cannot write "));
    EXPECT_EQ(read_snapshot(folder.path()).json(), before.json());
}

TEST(DocumentTest, DirectoriesThatAreNoSnapshots) {
    const Folder folder;
    EXPECT_THAT(failure([&] { return read_snapshot(folder.path()); }),
                HasSubstr("/state.json: cannot be read: "));
    (void)folder.file("snapshot.json", R"({"format":1})");
    EXPECT_EQ(failure([&] { return read_snapshot(folder.path()); }),
              folder.path() +
                  ": is a snapshot of nvl72block 0.2.0 or earlier, text of scontrol's; "
                  "read it with that version, or take a new one");
    EXPECT_THROW(write_snapshot(folder.path(), SnapshotText().document()), InputError);
}

}  // namespace
}  // namespace nvl72block::cli
