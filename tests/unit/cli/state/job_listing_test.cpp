// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/state/job_listing.hpp"

#include <gmock/gmock.h>

#include "cli/input/input_error.hpp"
#include "snapshot_folder.hpp"

namespace nvl72block::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Jobs of a cluster, as scontrol and squeue print them.
struct Queue {
    std::string text;
    std::string listing = "|\n";

    void add(const JobLine& job) {
        text += job_line(job);
        listing += squeue_output(job_line(job), "|");
    }
    /// With a name that squeue prints as it is, line feeds included.
    void add(JobLine job, const std::string& name) {
        job.name = "NAME";
        std::string line = job_line(job);
        std::string row = squeue_output(line, "|");
        text += line.replace(line.find("NAME"), 4, name);
        listing += row.replace(row.rfind("NAME"), 4, name);
    }
};

JobLine numbered(unsigned id) {
    JobLine job;
    job.id = id;
    job.more = "SegmentSize=4 SpreadSegments=Yes";
    return job;
}

const char* const doubt =
    ": a name, comment or path contains what scontrol prints for jobs, and cannot be trusted; "
    "state, nodes and all that counts are squeue's, memory per node and options of segments are "
    "not considered";

TEST(JobListing, TakesWhatOnlyScontrolPrints) {
    Queue queue;
    queue.add(numbered(2));
    queue.add(numbered(1));
    Notes notes;
    const auto jobs = listed_jobs(queue.listing, queue.text, notes);
    ASSERT_EQ(jobs.size(), 2U);
    EXPECT_THAT(jobs[0].line, HasSubstr("JobId=1 "));
    EXPECT_THAT(jobs[0].line, HasSubstr(" MinMemoryNode=0 SpreadSegments=Yes "));
    EXPECT_TRUE(notes.remarks().empty());
}

// `sbatch -J $'a\nJobId=9999 JobState=RUNNING NodeList=...'` made a job 9999.
TEST(JobListing, ALineFeedInANameMakesNoJob) {
    Queue queue;
    queue.add(numbered(1), "a\nJobId=9999 JobState=RUNNING NodeList=n[1-4] x");
    queue.add(numbered(2));
    Notes notes;
    const auto jobs = listed_jobs(queue.listing, queue.text, notes);
    ASSERT_EQ(jobs.size(), 2U);
    EXPECT_THAT(jobs[0].line, HasSubstr("JobId=1 UserId=alice Priority=1 JobState=PENDING "));
    EXPECT_THAT(jobs[0].line, Not(HasSubstr("SpreadSegments")));
    EXPECT_EQ(jobs[0].name, "a\\x0aJobId=9999 JobState=RUNNING NodeList=n[1-4] x");
    EXPECT_THAT(jobs[1].line, HasSubstr("SpreadSegments=Yes"));
    EXPECT_EQ(notes.remarks(), std::vector<std::string>{"job 1" + std::string(doubt)});
}

TEST(JobListing, NoJobSpeaksForAnother) {
    Queue queue;
    queue.add(numbered(1), "a\n" + job_line(numbered(2)) + "JobId=3 JobName=b");
    queue.add(numbered(2));
    queue.add(numbered(3));
    Notes notes;
    const auto jobs = listed_jobs(queue.listing, queue.text, notes);
    ASSERT_EQ(jobs.size(), 3U);
    for (const ListedJob& job : jobs) EXPECT_THAT(job.line, Not(HasSubstr("SpreadSegments")));
    EXPECT_EQ(notes.remarks(), std::vector<std::string>{"jobs 1, 2, 3" + std::string(doubt)});
}

TEST(JobListing, AWordOfScontrolsInATextIsNotBelieved) {
    for (const char* const name : {"x MinCPUsNode=1 MinMemoryNode=7G y", "x SegmentSize=4 y",
                                   "x NumNodes=5-5 y", "x JobState=RUNNING UserId=bob(1001) y"}) {
        Queue queue;
        queue.add(numbered(1), name);
        Notes notes;
        const auto jobs = listed_jobs(queue.listing, queue.text, notes);
        ASSERT_EQ(jobs.size(), 1U);
        EXPECT_THAT(jobs[0].line, HasSubstr("UserId=alice Priority=1 JobState=PENDING ")) << name;
        EXPECT_THAT(jobs[0].line, HasSubstr(" NumNodes=1-1 ")) << name;
        EXPECT_THAT(jobs[0].line, Not(HasSubstr("7G"))) << name;
    }
}

TEST(JobListing, NamesAFewOfManyDoubtfulJobs) {
    Queue queue;
    for (unsigned id = 1; id <= 7; ++id) queue.add(numbered(id), "x NumNodes=5 y");
    Notes notes;
    (void)listed_jobs(queue.listing, queue.text, notes);
    EXPECT_EQ(notes.remarks(),
              std::vector<std::string>{"jobs 1, 2, 3, 4, 5 and 2 more" + std::string(doubt)});
}

TEST(JobListing, AnIncompleteListIsRefused) {
    Queue queue;
    queue.add(numbered(1));
    Notes notes;
    const std::string cut = queue.listing.substr(0, queue.listing.size() / 2);
    for (const std::string& listing : {cut, std::string("\nx"), queue.listing + "2|"}) {
        try {
            (void)listed_jobs(listing, queue.text, notes);
            ADD_FAILURE() << listing;
        } catch (const InputError& error) {
            EXPECT_THAT(error.what(), HasSubstr("squeue: its list is not complete at job "));
        }
    }
}

TEST(JobListing, ASeparatorIsNeverUsedTwice) {
    EXPECT_NE(new_separator(), new_separator());
    EXPECT_EQ(new_separator().find_first_of(",:\n"), std::string::npos);
}

}  // namespace
}  // namespace nvl72block::cli
