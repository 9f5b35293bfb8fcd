// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/plan/plan_command.hpp"

#include <fmt/format.h>

#include <regex>
#include <set>
#include <sstream>

#include "../command.hpp"
#include "../state/snapshot_folder.hpp"

namespace nvl72block::cli {
namespace {

using nlohmann::json;

constexpr const char* two_racks =
    "BlockName=b1 Nodes=n[1-4]\n"
    "BlockName=b2 Nodes=n[5-8]\n"
    "BlockSizes=4,8\n";

class PlanCommand : public CommandTest {
  protected:
    PlanCommand() { write_topology(two_racks); }

    /// The JSON answers of a file of requests, one per line.
    std::vector<json> answers(const std::string& requests, int status) {
        const Result result = plan({"--json", "--requests", folder_.file("requests", requests)});
        EXPECT_EQ(result.status, status) << result.err;
        std::istringstream lines(result.out);
        std::vector<json> documents;
        for (std::string line; std::getline(lines, line);) documents.push_back(json::parse(line));
        return documents;
    }
};

TEST_F(PlanCommand, PrintsTheDocumentedJson) {
    const Result result = plan({"--nodes", "4", "--segment", "2", "--json"});
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(
        result.out,
        "{\"fits\":true,\"proven\":true,\"nodes\":\"n[1-4]\",\"segments\":[\"n[1-2]\",\"n[3-4]\"],"
        "\"blocks\":[{\"name\":\"b1\",\"nodes\":\"n[1-4]\",\"node_count\":4}],"
        "\"counts\":{\"nodes\":4,\"segments\":2,\"base_blocks\":1,\"broken_blocks\":1},"
        "\"cliques\":{\"enforced\":false}}\n");
    EXPECT_EQ(result.err, "");
}

TEST_F(PlanCommand, PrintsSegmentsAndBlocksForPeople) {
    const Result result = plan({"--nodes=6", "--segment=3"});
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.out,
              "fits: 6 nodes as 2 segments in 2 base blocks\n"
              "  nodes      n[1-3,5-7]\n"
              "  segment 1  n[1-3]\n"
              "  segment 2  n[5-7]\n"
              "  block      b1: n[1-3]\n"
              "  block      b2: n[5-7]\n");
}

TEST_F(PlanCommand, RefusesWithSentenceAndNumbers) {
    const Result result = plan({"--nodes=4", "--busy=n1,n5", "--drained=n2", "--json"});
    EXPECT_EQ(result.status, 1);
    const json answer = result.json();
    EXPECT_EQ(answer["fits"], false);
    EXPECT_EQ(answer["proven"], true);
    EXPECT_FALSE(answer["reason"].get<std::string>().empty());
    const json& numbers = answer["numbers"];
    EXPECT_EQ(numbers["code"], "no_block_fits");
    EXPECT_EQ(numbers["wanted_nodes"], 4);
    EXPECT_EQ(numbers["usable_nodes"], 5);
    EXPECT_EQ(numbers["drained_nodes"], 1);
    EXPECT_EQ(numbers["best_fit_nodes"], 3);
    EXPECT_TRUE(numbers["levels"].is_array());

    const Result for_people = plan({"--nodes=4", "--busy=n1,n5", "--drained=n2"});
    EXPECT_EQ(for_people.status, 1);
    EXPECT_EQ(for_people.out, answer["reason"].get<std::string>() + "\n");
}

/// Every number of the sentence is among the numbers for machines.
TEST_F(PlanCommand, NumbersHaveAllThatTheSentenceTells) {
    const auto collect = [](const json& node, std::set<std::string>& numbers) {
        const auto visit = [&numbers](const json& each, const auto& self) -> void {
            if (each.is_number()) numbers.insert(each.dump());
            if (each.is_structured())
                for (const json& child : each) self(child, self);
        };
        visit(node, visit);
    };
    const std::string features = folder_.file("features",
                                              "n[1-2] b78ed242-7b98-426f-b194-b76b8899f4ea.1\n"
                                              "n[3-4] b78ed242-7b98-426f-b194-b76b8899f4ea.2\n"
                                              "n[5-7] b78ed242-7b98-426f-b194-b76b8899f4eb.1\n");
    const std::vector<std::vector<std::string>> requests = {
        {"--nodes=6", "--segment=3", "--drained=n[1-2]"},
        {"--nodes=4", "--busy=n1,n5", "--exclude=n6"},
        {"--nodes=8", "--segment=4", "--busy=n1"},
        {"--nodes=2", "--max-blocks=1", "--busy=n[1-3],n[5-7]"},
        {"--nodes=3", "--busy=n7", "--clique=enforce", "--features", features},
        {"--nodes=4", "-w", "n1", "--busy=n2"}};
    for (std::vector<std::string> request : requests) {
        request.emplace_back("--json");
        const Result result = plan(request);
        ASSERT_EQ(result.status, 1) << result.out << result.err;
        const json answer = result.json();
        const auto sentence = answer["reason"].get<std::string>();
        std::set<std::string> numbers;
        collect(answer["numbers"], numbers);
        const std::regex number("[0-9]+");
        for (std::sregex_iterator each(sentence.begin(), sentence.end(), number), end; each != end;
             ++each)
            EXPECT_TRUE(numbers.contains(each->str()))
                << each->str() << " of \"" << sentence << "\" is not in " << answer["numbers"];
    }
}

TEST_F(PlanCommand, JsonTellsCliqueNumbers) {
    const std::string features = folder_.file("features",
                                              "n[1-2] b78ed242-7b98-426f-b194-b76b8899f4ea.1\n"
                                              "n[3-4] b78ed242-7b98-426f-b194-b76b8899f4ea.2\n"
                                              "n[5-8] b78ed242-7b98-426f-b194-b76b8899f4eb.1\n");
    const std::vector<std::string> enforce{"--clique=enforce", "--features", features, "--json"};
    std::vector<std::string> two{"--nodes=4", "--segment=2", "--busy=n[5-8]"};
    two.insert(two.end(), enforce.begin(), enforce.end());
    const json fits = plan(two).json();
    EXPECT_EQ(fits["cliques"],
              (json{{"enforced", true}, {"used", 2}, {"nodes_without_clique", 0}}));
    std::vector<std::string> three{"--nodes=3", "--busy=n[5-8]"};
    three.insert(three.end(), enforce.begin(), enforce.end());
    const json refused = plan(three).json();
    EXPECT_EQ(refused["numbers"]["cliques"],
              (json{{"enforced", true}, {"best_usable", 2}, {"nodes_without_clique", 0}}));
}

/// The refusal of issue 14, in plain terms.
TEST_F(PlanCommand, RefusalInPlainTerms) {
    write_topology(
        "BlockName=r1 Nodes=n[01-18]\nBlockName=r2 Nodes=n[19-36]\nBlockName=r3 Nodes=n[37-54]\n"
        "BlockName=r4 Nodes=n[55-72]\nBlockName=r5 Nodes=n[73-90]\nBlockName=r6 Nodes=n[91-99]\n"
        "BlockSizes=18\n");
    const Result result = plan({"--nodes=96", "--segment=16", "--json"});
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.json()["reason"],
              "needs 6 segments of 16 nodes; only 5 fit in the whole cluster; 99 nodes are usable");
    EXPECT_EQ(result.json()["numbers"]["segments_wanted"], 6);
    EXPECT_EQ(result.json()["numbers"]["segments_fit"], 5);
}

TEST_F(PlanCommand, TakesTheLargestCountOfARange) {
    const json answer = plan({"--nodes=1-99", "--busy=n3", "--json"}).json();
    EXPECT_EQ(answer["nodes"], "n[1-2,4-8]");
}

TEST_F(PlanCommand, PrefersLowerWeights) {
    const std::string weights = folder_.file("weights", "n[1-4] 10\n");
    const json answer = plan({"--nodes=2", "--weights", weights, "--json"}).json();
    EXPECT_EQ(answer["nodes"], "n[5-6]");
}

// More weights than a search tells apart: the placement keeps the rules, but need not be the best.
// Nothing told that of placements.
TEST_F(PlanCommand, SaysWhichPlacementsAreNotProven) {
    write_topology("BlockName=b1 Nodes=n[1-20]\n");
    std::string lines;
    for (int node = 1; node <= 20; ++node)
        lines += "n" + std::to_string(node) + " " + std::to_string(node) + "\n";
    const std::string weights = folder_.file("weights", lines);
    EXPECT_EQ(plan({"--nodes=2", "--weights", weights, "--json"}).json()["proven"], false);
    const std::string text = plan({"--nodes=2", "--weights", weights}).out;
    EXPECT_NE(text.find("\n  not proven search limit reached; a better placement may exist\n"),
              std::string::npos)
        << text;
}

TEST_F(PlanCommand, ReadsNodeListsAsSlurmDoes) {
    EXPECT_EQ(plan({"--nodes=3", "-w", "n6", "--json"}).json()["nodes"], "n[5-7]");
    // longer than the node count: the only nodes the job may have
    EXPECT_EQ(plan({"--nodes=2", "-w", "n[6-8]", "--json"}).json()["nodes"], "n[6-7]");
    EXPECT_EQ(plan({"-w", "n[2-3]", "--json"}).json()["nodes"], "n[2-3]");
    EXPECT_EQ(plan({"--nodes=4", "-x", "n1", "--json"}).json()["nodes"], "n[5-8]");
}

TEST_F(PlanCommand, NotesNamesThatAreInNoBlock) {
    const Result result = plan({"--nodes=1", "--busy=typo[1-2]"});
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.err, "note: --busy: typo[1-2] are in no block of " + topology_ + "\n");
}

TEST_F(PlanCommand, PlacesJobsOneAfterAnother) {
    const std::vector<json> jobs = answers("--nodes=3\n--nodes=4\n# full now\n--nodes=2\n", 1);
    ASSERT_EQ(jobs.size(), 3U);
    EXPECT_EQ(jobs[0]["line"], 1);
    EXPECT_EQ(jobs[0]["request"], "--nodes=3");
    EXPECT_EQ(jobs[0]["nodes"], "n[1-3]");
    EXPECT_EQ(jobs[1]["nodes"], "n[5-8]");
    EXPECT_EQ(jobs[2]["line"], 4);
    EXPECT_EQ(jobs[2]["fits"], false);
}

TEST_F(PlanCommand, KeepsTheBlocksOfAnExclusiveJobClosed) {
    const std::vector<json> jobs = answers("--nodes=1 --exclusive-topo\n--nodes=4\n--nodes=1\n", 1);
    ASSERT_EQ(jobs.size(), 3U);
    EXPECT_EQ(jobs[0]["nodes"], "n1");
    EXPECT_EQ(jobs[1]["nodes"], "n[5-8]");
    EXPECT_EQ(jobs[2]["fits"], false);
}

TEST_F(PlanCommand, GivesAnExclusiveJobOnlyBlocksWithoutBusyNodes) {
    EXPECT_EQ(plan({"--nodes=1", "--busy=n1", "--exclusive-topo", "--json"}).json()["nodes"], "n5");
    EXPECT_EQ(plan({"--nodes=1", "--busy=n[1,8]", "--exclusive-topo"}).status, 1);
    // drained nodes are no job: the rest of the block serves
    EXPECT_EQ(plan({"--nodes=1", "--drained=n[1,8]", "--exclusive-topo"}).status, 0);
}

TEST_F(PlanCommand, PutsTheLineBeforeEachAnswerForPeople) {
    const std::string file = folder_.file("requests", "--nodes=8\n--nodes=1\n");
    const Result result = plan({"--requests", file});
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.out.rfind("line 1: --nodes=8\nfits: 8 nodes in 2 base blocks\n", 0), 0U);
    EXPECT_NE(result.out.find("line 2: --nodes=1\ndoes not fit: "), std::string::npos);
}

TEST_F(PlanCommand, ChecksTheFeaturesFile) {
    const Result silent = plan({"--nodes=1", "--features", folder_.file("features", "")});
    EXPECT_EQ(silent.status, 2);
    EXPECT_EQ(silent.err,
              "--features: has no node; pass a file with the output of scontrol show nodes\n");
    EXPECT_EQ(plan({"--nodes=1", "--features", folder_.path() + "/none"}).status, 2);
    EXPECT_EQ(plan({"--nodes=1", "--features", folder_.path()}).status, 2);
}

TEST_F(PlanCommand, EndsWithTwoForBadInput) {
    const std::string requests = folder_.file("requests", "--nodes=4\n--nodes=x\n");
    const std::vector<std::vector<std::string>> inputs = {
        {},
        {"--nodes=0"},
        {"--nodes=-3"},
        {"--nodes=1", "--segment=0"},
        {"--nodes=99999999999999999999"},
        {"--nodes=4", "--busy=n[1-"},
        {"--nodes=4", "--busy=n[0-999999999]"},
        {"--nodes=4", "--policy=best"},
        {"--nodes=4", "--consolidate-segments"},
        {"--nodes=4", "--weights", folder_.path()},
        {"--nodes=4", "--nodez=4"},
        {"--nodes=4", "--requests", requests},
        {"--requests", requests},
    };
    for (const std::vector<std::string>& options : inputs) {
        const Result result = plan(options);
        EXPECT_EQ(result.status, 2) << testing::PrintToString(options);
        EXPECT_EQ(result.out, "") << testing::PrintToString(options);
        EXPECT_NE(result.err, "") << testing::PrintToString(options);
    }
    EXPECT_NE(plan({"--requests", requests}).err.find("requests:2: --nodes"), std::string::npos);
}

TEST_F(PlanCommand, SurvivesHugeNumbers) {
    EXPECT_EQ(plan({"--nodes=4294967295"}).status, 1);
    EXPECT_EQ(plan({"--nodes=4294967295", "--segment=4294967295"}).status, 1);
    EXPECT_EQ(plan({"--nodes=4294967295", "--segment=3"}).status, 1);
    EXPECT_EQ(plan({"--nodes=4294967294", "--segment=1"}).status, 1);
    EXPECT_EQ(plan({"--nodes=1-4294967295", "--max-blocks=4294967295"}).status, 0);
}

TEST_F(PlanCommand, PrintsJsonWhateverBytesNamesHold) {
    write_topology("BlockName=b\xff Nodes=n\xfe[1-2]\n");
    const Result result = plan({"--nodes=1", "--json"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.json()["fits"], true);
}

TEST(PlanInARunningCluster, SeesItsNodes) {
    const Folder folder;
    const std::string state = SnapshotText("##..x...........").write(folder);
    const Result fits = run_command({"plan", "--state", state, "--nodes=8", "--segment=4"});
    EXPECT_EQ(fits.status, 0) << fits.err;
    EXPECT_NE(fits.out.find("nodes      n[09-16]"), std::string::npos) << fits.out;
    const Result debug = run_command({"plan", "--state", state, "--nodes=3", "--partition=debug"});
    EXPECT_TRUE(debug.out.starts_with("needs 3 nodes; 2 nodes are usable\n")) << debug.out;
    EXPECT_EQ(run_command({"plan", "--state", state, "--nodes=3", "--busy=n01"}).status, 2);
    EXPECT_EQ(run_command({"plan", "--topology", state, "--nodes=3", "--partition=debug"})
                  .err.find("--partition: cannot be combined"),
              0U);
}

TEST(PlanInARunningCluster, ExclusiveTopoSharesNoBlockWithJobsAndReservations) {
    // Idle nodes of other partitions closed their blocks, too: n[05-16] are not in debug.
    const Folder folder;
    SnapshotText text("....#..x...x....");
    text.reservations =
        reservation_line("held", "n13", "2026-11-22T20:00:00", "2026-11-23T20:00:00");
    text.partitions += R"({"name":"some","nodes":"n[01-03,10-16]","up":true},)";
    const std::string state = text.write(folder);
    const auto nodes = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"plan", "--state", state, "--json", "--exclusive-topo"});
        const Result result = run_command(std::move(more));
        return result.status == 0 ? result.json()["nodes"].get<std::string>()
                                  : result.out + result.err;
    };
    EXPECT_EQ(nodes({"--nodes=1-16", "--segment=1"}), "n[01-04,09-11]");
    EXPECT_EQ(nodes({"--nodes=1-16", "--segment=1", "--partition=some"}), "n[01-03,10-11]");
    EXPECT_EQ(nodes({"--nodes=1", "--reservation=held"}), "n13");
}

TEST(PlanInARunningCluster, TakesNodesInTheOrderOfSlurm) {
    // slurm.conf lists the odd nodes first; the answer named n[01-02], slurmctld took n01 and n03.
    const Folder folder;
    SnapshotText text("");
    for (const int first : {1, 2})
        for (int node = first; node <= 16; node += 2)
            text.nodes += node_line(fmt::format("n{:02}", node), "IDLE+CLOUD");
    const Result result = run_command({"plan", "--state", text.write(folder), "-N2", "--json"});
    EXPECT_EQ(result.json()["nodes"], "n[01,03]") << result.err;
}

TEST(PlanInARunningCluster, FeaturesAndReservations) {
    const Folder folder;
    SnapshotText text("");
    for (int node = 1; node <= 16; ++node)
        text.nodes += node_line(fmt::format("n{:02}", node), "IDLE+CLOUD", 0,
                                node % 2 == 0 ? "blue,fast" : "blue");
    text.reservations =
        reservation_line("held", "n[05-06]", "2026-11-22T20:00:00", "2026-11-23T20:00:00");
    const std::string state = text.write(folder);
    const Result fast =
        run_command({"plan", "--state", state, "--json", "-N1-8", "--segment=1", "-Cfast&blue"});
    EXPECT_EQ(fast.json()["nodes"], "n[02,04,08,10,12,14,16]") << fast.err;
    const Result held =
        run_command({"plan", "--state", state, "--json", "-N1", "-Cfast", "--reservation=held"});
    EXPECT_EQ(held.json()["nodes"], "n06") << held.err;
    EXPECT_EQ(run_command({"plan", "--state", state, "-N1", "--reservation=none"}).status, 2);
    // A reservation that has not begun had its nodes free for the job.
    text.reservations =
        reservation_line("later", "n[05-06]", "2026-11-22T23:00:00", "2026-11-23T20:00:00");
    const Result later =
        run_command({"plan", "--state", text.write(folder), "-N1", "--reservation=later"});
    EXPECT_EQ(later.status, 1) << later.out << later.err;
    EXPECT_NE(later.out.find("reservation later begins at 23:00"), std::string::npos) << later.out;
    const Result counted = run_command({"plan", "--state", state, "-N1", "-C[blue*1]"});
    EXPECT_NE(counted.out.find("not considered: --constraint=[blue*1]; the answer may be "),
              std::string::npos);
}

TEST(PlanInARunningCluster, LimitsOfThePartition) {
    // debug allows four nodes and one hour; the answer told of neither.
    const Folder folder;
    const std::string state = SnapshotText().write(folder);
    const auto debug = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"plan", "--state", state, "-pdebug"});
        return run_command(std::move(more));
    };
    EXPECT_NE(debug({"-N5"}).out.find("partition debug allows at most 4 nodes per job"),
              std::string::npos);
    EXPECT_NE(debug({"-N1", "-t61"}).out.find("allows a time limit of at most 1 h"),
              std::string::npos);
    // Slurm holds a job whose maximum is above the partition's (PartitionNodeLimit); plan took four
    // nodes.
    const Result range = debug({"-N3-9", "--time=60"});
    EXPECT_EQ(range.status, 1);
    EXPECT_NE(range.out.find("allows at most 4 nodes per job, and the request allows up to 9; ask "
                             "for --nodes=3-4"),
              std::string::npos)
        << range.out;
    EXPECT_EQ(debug({"-N3-4", "--time=60", "--json"}).json()["nodes"], "n[01-04]");
}

TEST(PlanInARunningCluster, SaysWhatItLeavesOpen) {
    const Folder folder;
    SnapshotText text("");
    for (int node = 1; node <= 16; ++node)
        text.nodes += node_line(fmt::format("n{:02}", node), "IDLE+CLOUD+PLANNED");
    JobLine job;
    job.partition = "debug,main";
    text.jobs = job_line(job);
    const auto remarks =
        run_command({"plan", "--state", text.write(folder), "-N2", "--json"}).json()["remarks"];
    const std::string all = remarks.dump();
    EXPECT_EQ(all.find("slurmctld keeps slots"), std::string::npos);  // topology/block keeps none
    for (const char* part :
         {"TopologyPlugin=topology/block", "may share the nodes of partition main",
          "1 job waits in partition main", "2 of the nodes are planned for pending jobs"})
        EXPECT_NE(all.find(part), std::string::npos) << part << " in " << all;
}

/// A start was claimed in partitions that may not take the job.
TEST(PlanInARunningCluster, SaysWhoseJobsThePartitionTakes) {
    const Folder folder;
    SnapshotText text;
    text.partitions +=
        R"({"name":"some","nodes":"n[01-16]","up":true,"allow_groups":"g","allow_accounts":"a1,a2","allow_qos":"high","alloc_nodes":"login1","root_only":true},
{"name":"most","nodes":"n[01-16]","up":true,"deny_accounts":"a3","deny_qos":"low"},
{"name":"own","nodes":"n[01-16]","up":true,"needs_reservation":true},)";
    text.reservations =
        reservation_line("held", "n05", "2026-11-22T20:00:00", "2026-11-23T20:00:00");
    const std::string state = text.write(folder);
    const auto answer = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"plan", "--state", state, "--json"});
        return run_command(more);
    };
    const auto named = [](const std::string& remarks, const char* rule) {
        return remarks.find(rule) != std::string::npos;
    };
    const std::string some = answer({"-psome", "-N2"}).json()["remarks"].dump();
    for (const char* rule :
         {"partition some takes only jobs of groups g; whether that holds for the job is not known",
          "takes only jobs of accounts a1,a2; whether", "takes only jobs with QOS high; whether",
          "takes only jobs submitted on login1; whether",
          "takes only jobs submitted by root; the job's is alice"})
        EXPECT_TRUE(named(some, rule)) << rule << " in " << some;
    const std::string most = answer({"-pmost", "-N2"}).json()["remarks"].dump();
    EXPECT_TRUE(named(most, "partition most takes no jobs of accounts a3; whether")) << most;
    EXPECT_TRUE(named(most, "takes no jobs with QOS low; whether")) << most;
    EXPECT_FALSE(named(answer({"-N2"}).json()["remarks"].dump(), "takes"));

    // What the line gives counts.
    const auto line = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"--", "sbatch", "-N2", "--exclusive"});
        return answer(more).json()["remarks"].dump();
    };
    const std::string own = line({"-psome", "-Aa2", "-qhigh"});
    EXPECT_FALSE(named(own, "accounts") || named(own, "with QOS")) << own;
    EXPECT_TRUE(named(line({"-psome", "-Aa3"}), "accounts a1,a2; the job's is a3"));
    EXPECT_TRUE(named(line({"-pmost", "-qlow"}), "takes no jobs with QOS low; the job's is low"));
    EXPECT_FALSE(named(line({"-pmost", "-qhigh"}), "with QOS"));

    const Result refused = answer({"-pown", "-N1"});
    EXPECT_EQ(refused.status, 1);
    EXPECT_EQ(refused.json()["reason"],
              "the request can never fit: partition own takes only jobs with --reservation");
    EXPECT_EQ(answer({"-pown", "-N1", "--reservation=held"}).json()["nodes"], "n05");
}

/// A list was an unknown partition.
TEST(PlanInARunningCluster, PartitionsMayBeSeveral) {
    const Folder folder;
    const std::string state = SnapshotText("####............").write(folder);
    const auto answer = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"plan", "--state", state, "--json", "-pdebug,main"});
        return run_command(more);
    };
    const Result there = answer({"-N4", "-t60"});
    ASSERT_EQ(there.status, 0) << there.err;
    EXPECT_EQ(there.json()["nodes"], "n[05-08]");
    EXPECT_NE(there.out.find("it may run in partitions debug,main; the numbers are those of main"),
              std::string::npos)
        << there.out;
    EXPECT_NE(there.out.find("may share the nodes of partition main"), std::string::npos);
    EXPECT_EQ(answer({"-N4", "--time=x"}).status, 2);
    // debug never takes it, in main it waits.
    EXPECT_EQ(answer({"-N13"}).json()["numbers"]["permanent"], false);
}

/// Jobs of other partitions come first, too, where these have a tier that is not lower.
TEST(PlanInARunningCluster, CountsTheJobsOfOtherPartitionsThatComeFirst) {
    const Folder folder;
    SnapshotText text;
    text.partitions += R"({"name":"low","nodes":"n[01-16]","up":true},)";
    for (const char* partition : {"debug", "debug", "main", "low"}) {
        JobLine job;
        job.id = static_cast<unsigned>(text.jobs.size()) + 1;
        job.partition = partition;
        text.jobs += job_line(job);
    }
    const std::string all = run_command({"plan", "--state", text.write(folder), "-N2", "--json"})
                                .json()["remarks"]
                                .dump();
    for (const char* part :
         {"2 jobs wait in partition debug: Slurm may", "1 job waits in partition main: Slurm may"})
        EXPECT_NE(all.find(part), std::string::npos) << part << " in " << all;
    EXPECT_EQ(all.find("partition low"), std::string::npos) << all;
}

/// Only where the job does not fit.
TEST(PlanInARunningCluster, NamesJobsThatMayBePreempted) {
    const Folder folder;
    SnapshotText text("####............");
    text.config.insert(1, R"("preempt_type":"preempt/partition_prio",)");
    text.partitions += R"({"name":"low","nodes":"n[01-16]","up":true,"preemptible":true},)";
    JobLine job;
    job.partition = "low";
    job.state = "RUNNING";
    job.nodes = "n[01-04]";
    text.jobs = job_line(job);
    const std::string state = text.write(folder);
    const auto out = [&](const char* nodes) {
        return run_command({"plan", "--state", state, nodes}).out;
    };
    EXPECT_NE(
        out("-N13").find("  note       not counted: the nodes of 1 job that may be preempted for "
                         "it (PreemptType=preempt/partition_prio); the answer may be too "
                         "pessimistic\n"),
        std::string::npos)
        << out("-N13");
    EXPECT_EQ(out("-N12").find("preempted"), std::string::npos) << out("-N12");
}

// With policy demand, `plan` kept no slots: one node went where pack would put it.
TEST(PlanInARunningCluster, KeepsTheSlotsThatTheClusterKeeps) {
    const Folder folder;
    SnapshotText text("#...............");
    text.config = config_text("26.05.3", "none", "Nvl72Demand=3:1");
    const std::string stock = "topology/block";
    text.config.replace(text.config.find(stock), stock.size(), "topology/nvl72block");
    const std::string state = text.write(folder);
    const auto planned = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"plan", "--state", state, "--json", "-N1"});
        return run_command(std::move(more)).json();
    };
    const auto kept = planned({});
    EXPECT_EQ(kept["nodes"], "n05");  // n[02-04] is one of four slots of 3; n[06-08] stays one
    EXPECT_NE(kept["remarks"].dump().find("keeps slots for 3:1 (stated by Nvl72Demand)"),
              std::string::npos);
    EXPECT_EQ(planned({"--policy=demand", "--demand=auto"})["nodes"], "n05");
    EXPECT_EQ(planned({"--policy=demand", "--demand=off"})["nodes"], "n02");
    EXPECT_EQ(planned({"--policy=pack"})["nodes"], "n02");
}

// Reserved nodes counted as taken, so that their rack had no slot to lose.
TEST(PlanInARunningCluster, ReservedNodesAreIdle) {
    const Folder folder;
    SnapshotText text("...#............");
    text.config = config_text("26.05.3", "none", "Nvl72Demand=3:1");
    const auto node = [&] {
        return run_command({"plan", "--state", text.write(folder), "--json", "-N1"})
            .json()["nodes"];
    };
    EXPECT_EQ(node(), "n05");  // n[01-03] are a slot, the other racks have a node to spare
    text.reservations =
        reservation_line("held", "n01", "2026-11-22T20:00:00", "2026-11-23T20:00:00");
    EXPECT_EQ(node(), "n05");
}

}  // namespace
}  // namespace nvl72block::cli
