// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "../state/snapshot_folder.hpp"

namespace nvl72block::cli {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class ReportTest : public testing::Test {
  protected:
    Result report(const SnapshotText& text) {
        return run_command({"report", "--state", text.write(folder_), "13"});
    }

    /// Runs the command for plan that the report names, on the report's own files.
    Result repeat(const std::string& text) {
        const auto section = [&](const std::string& name) {
            const std::string head = "--- " + name + "\n";
            const std::size_t begin = text.find(head) + head.size();
            return text.substr(begin, text.find("\n--- ", begin) + 1 - begin);
        };
        const std::string commands = section("commands");
        std::istringstream words(commands.substr(commands.find("nvl72block plan")));
        std::vector<std::string> arguments;
        for (std::string word; words >> word;) arguments.push_back(word);
        arguments.erase(arguments.begin());
        for (std::string& argument : arguments)
            if (argument == "topology.conf" || argument == "weights")
                argument = folder_.file(argument, section(argument));
        return run_command(arguments);
    }

    Folder folder_;
};

JobLine job_13(const std::string& count, const nlohmann::json& more) {
    return waiting_job(count, more, "secretname");
}

TEST_F(ReportTest, HasTheClusterTheJobAndTheAnswersWithoutNames) {
    SnapshotText text("####....####..x.");
    text.jobs = job_line(job_13("4-4", {{"segment_size", 4}}));
    const Result result = report(text);
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out,
                HasSubstr("--- topology.conf\nBlockName=rack001 Nodes=n[00001-00004]\n"));
    EXPECT_THAT(result.out, HasSubstr("PartitionName=job Nodes=n[00001-00016] Default=YES"));
    EXPECT_THAT(result.out,
                HasSubstr("scontrol update NodeName=n[00001-00004,00009-00012,00015] State=DRAIN"));
    EXPECT_THAT(result.out, ContainsRegex("sbatch --nodes=4 --segment=4 --exclusive .*--wrap"));
    EXPECT_THAT(result.out, HasSubstr("PENDING (Resources)\nplan n[00005-00008]\n"));
    EXPECT_THAT(result.out, Not(ContainsRegex("secretname|alice|n05")));
    EXPECT_THAT(repeat(result.out).out, HasSubstr("n[00005-00008]"));
}

TEST_F(ReportTest, AJobThatDoesNotFit) {
    SnapshotText text("####....####..x.");
    text.jobs = job_line(job_13("8-8", {{"segment_size", 4}}));
    const std::string out = report(text).out;
    EXPECT_THAT(out, HasSubstr("plan does not fit\n"));
    EXPECT_EQ(repeat(out).status, 1);
}

TEST_F(ReportTest, AJobThatIsNotThere) {
    SnapshotText text("................");
    text.jobs.clear();
    const Result result = report(text);
    EXPECT_EQ(result.status, 2);
    EXPECT_THAT(result.err, HasSubstr("13"));
}

}  // namespace
}  // namespace nvl72block::cli
