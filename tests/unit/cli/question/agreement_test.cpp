// SPDX-License-Identifier: GPL-2.0-or-later
//
// The commands tell the same of one running cluster, and the same as the plugin.
#include <fmt/format.h>

#include <algorithm>

#include "../state/snapshot_folder.hpp"

namespace nvl72block::cli {
namespace {

class AgreementTest : public testing::Test {
  protected:
    Result ask(const std::string& command, const SnapshotText& text,
               std::vector<std::string> options = {}) {
        options.insert(options.begin(), {command, "--state", text.write(folder_)});
        return run_command(options);
    }

    /// Nodes that are free, busy and out of service, as each command counts them.
    std::vector<std::string> counts(const SnapshotText& text) {
        const auto show = ask("show", text, {"--json"}).json()["nodes"];
        const auto room = ask("capacity", text, {"--json"}).json();
        SnapshotText asked = text;
        JobLine job;
        job.id = 99;
        asked.jobs += job_line(job);
        const auto why = ask("why", asked, {"99", "--json"}).json();
        const std::string metrics = ask("metrics", text).out;
        const auto sample = [&](const std::string& state) {
            const std::string name = "\nnvl72block_nodes{state=\"" + state + "\"} ";
            return std::stoi(metrics.substr(metrics.find(name) + name.size()));
        };
        const auto words = [](int free, int busy, int drained) {
            return fmt::format("{} free, {} busy, {} out of service", free, busy, drained);
        };
        return {
            words(show["free"], show["busy"], show["drained"]),
            words(sample("free"), sample("busy"), sample("drained")),
            words(room["free"]["count"], room["busy"]["count"], room["out_of_service"]["count"]),
            words(why["usable"], why["busy"], why["out_of_service"])};
    }

    /// A node's line in place of that of an idle one.
    static void replace(SnapshotText& text, const std::string& name, const std::string& line) {
        const std::size_t begin = text.nodes.find(R"({"name":")" + name + R"(")");
        text.nodes.replace(begin, text.nodes.find('\n', begin) + 1 - begin, line);
    }

    Folder folder_;
};

void expect_all(const std::vector<std::string>& answers, const std::string& expected) {
    EXPECT_EQ(answers, std::vector<std::string>(answers.size(), expected));
}

/// Slurm gives it to no other job, and the plugin counts it as drained.
TEST_F(AgreementTest, ADrainingNodeIsOutOfService) {
    SnapshotText text("##..............");
    replace(text, "n01", node_line("n01", "ALLOCATED+DRAIN", 140, "", "fan"));
    expect_all(counts(text), "14 free, 1 busy, 1 out of service");
}

/// `scontrol reboot` without ASAP lets jobs start until the node is idle at the moment when Slurm
/// reboots it; then it is DOWN+REBOOT_ISSUED. With ASAP it is drained.
TEST_F(AgreementTest, ANodeWhoseRebootIsRequestedIsInService) {
    SnapshotText text;
    replace(text, "n01", node_line("n01", "IDLE+REBOOT_REQUESTED"));
    replace(text, "n02", node_line("n02", "DOWN+REBOOT_ISSUED"));
    replace(text, "n03", node_line("n03", "IDLE+DRAIN+REBOOT_REQUESTED"));
    expect_all(counts(text), "14 free, 0 busy, 2 out of service");
}

/// A node that is powered down has no active features; its clique stays what it is.
TEST_F(AgreementTest, CliquesAreThoseOfAvailableFeatures) {
    const std::string clique = "b78ed242-7b98-426f-b194-b76b8899f4ea.1";
    SnapshotText text("");
    for (unsigned node = 1; node <= 16; ++node)
        text.nodes += node_line(fmt::format("n{:02}", node), "IDLE", 0, clique, "", "");
    EXPECT_NE(ask("metrics", text).out.find("\nnvl72block_clique_nodes 16\n"), std::string::npos);
    JobLine job;
    job.id = 13;
    job.state = "RUNNING";
    job.nodes = "n[01-04]";
    text.jobs = job_line(job);
    EXPECT_EQ(ask("why", text, {"13", "--json"}).json()["cliques"]["used"], 1);
}

/// A --constraint is met by the active ones.
TEST_F(AgreementTest, ConstraintsAreMetByActiveFeatures) {
    SnapshotText text("");
    for (unsigned node = 1; node <= 16; ++node)
        text.nodes += node_line(fmt::format("n{:02}", node), "IDLE", 0, "quad,flat", "",
                                node <= 4 ? "quad" : "flat");
    JobLine job;
    job.id = 13;
    job.features = "quad";
    text.jobs = job_line(job);
    EXPECT_EQ(ask("why", text, {"13", "--json"}).json()["usable"], 4);
}

/// ExclusiveTopo=YES holds for each job of the partition.
TEST_F(AgreementTest, ThePartitionMakesItsJobsExclusive) {
    SnapshotText text("#...#...#...#...");
    text.partitions.replace(text.partitions.find("topo\":false"), 11, "topo\":true");
    JobLine job;
    job.id = 13;
    job.count = "2-2";
    text.jobs = job_line(job);
    EXPECT_EQ(ask("why", text, {"13", "--json"}).json()["fits"], false);
    EXPECT_EQ(ask("plan", text, {"--nodes", "2"}).status, 1);
}

TEST_F(AgreementTest, JobsOfSeveralPartitionsWaitInEachOfThem) {
    SnapshotText text("................");
    JobLine job;
    job.id = 13;
    JobLine other = job;
    other.id = 14;
    other.partition = "debug,main";
    other.priority = 9;
    text.jobs = job_line(job) + job_line(other);
    EXPECT_EQ(ask("why", text, {"13", "--json"}).json()["reason"]["jobs_of_higher_priority"], 1);
    EXPECT_NE(ask("plan", text, {"--nodes", "2"}).out.find("2 jobs wait in partition main"),
              std::string::npos);
}

/// Slurm's reason is PartitionNodeLimit or PartitionTimeLimit, however many nodes are free.
TEST_F(AgreementTest, LimitsOfThePartitionHold) {
    SnapshotText text;
    JobLine job;
    job.id = 13;
    job.partition = "debug";
    job.count = "5-5";
    job.reason = "PartitionNodeLimit";
    text.jobs = job_line(job);
    const std::string refusal =
        "the request can never fit: partition debug allows at most 4 nodes per job";
    EXPECT_EQ(ask("why", text, {"13", "--json"}).json()["refusal"]["sentence"], refusal);
    EXPECT_NE(ask("plan", text, {"--nodes", "5", "--partition", "debug"}).out.find(refusal),
              std::string::npos);
    job.count = "4-4";
    job.limit = "02:00:00";
    job.reason = "PartitionTimeLimit";
    text.jobs = job_line(job);
    EXPECT_EQ(ask("why", text, {"13", "--json"}).json()["refusal"]["sentence"],
              "the request can never fit: partition debug allows a time limit of at most 1 h");
}

/// Its QOS or an operator's change overrides the limit: "the request can never fit", and it starts.
TEST_F(AgreementTest, LimitsThatSlurmctldDoesNotHoldTheJobToDoNotCount) {
    SnapshotText text;
    JobLine job;
    job.id = 13;
    job.partition = "debug";
    job.limit = "02:00:00";
    for (const char* reason : {"Resources", "Priority", "PartitionDown", "PartitionNodeLimit"}) {
        job.reason = reason;
        text.jobs = job_line(job);
        EXPECT_EQ(ask("why", text, {"13", "--json"}).json()["fits"], true) << reason;
    }
}

/// Its nodes are idle, but nothing starts in it.
TEST_F(AgreementTest, OfSeveralPartitionsThoseThatAreUpCount) {
    SnapshotText text("....############");
    text.partitions =
        R"({"name":"a","nodes":"n[01-04]","tier":1},{"name":"b","nodes":"n[05-16]","up":true,"tier":1},)";
    JobLine job;
    job.id = 13;
    job.partition = "a,b";
    text.jobs = job_line(job);
    const auto answer = ask("why", text, {"13", "--json"}).json();
    EXPECT_EQ(answer["fits"], false);
    EXPECT_EQ(answer["partition"], "b");
    job.partition = "a";
    text.jobs = job_line(job);
    EXPECT_NE(
        ask("why", text, {"13"}).out.find("note: partition a is down: nothing starts in it\n"),
        std::string::npos);
}

/// Slurm starts it in the partition that takes it.
TEST_F(AgreementTest, OneOfSeveralPartitionsMayTakeTheJob) {
    SnapshotText text;
    JobLine job;
    job.id = 13;
    job.partition = "debug,main";
    job.count = "5-5";
    text.jobs = job_line(job);
    const auto answer = ask("why", text, {"13", "--json"}).json();
    EXPECT_EQ(answer["partition"], "main");
    EXPECT_EQ(answer["fits"], true);
}

}  // namespace
}  // namespace nvl72block::cli
