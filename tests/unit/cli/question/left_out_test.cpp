// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/question/left_out.hpp"

#include <sstream>

#include "../state/snapshot_folder.hpp"

namespace nvl72block::cli {
namespace {

using Names = std::vector<std::string>;

/// Job 13 of 16 nodes with 140 CPUs, 900000 MB and 4 GPUs each.
class LeftOut : public testing::Test {
  protected:
    /// Members of partition main.
    void set_partition(const nlohmann::json& more) {
        nlohmann::ordered_json main{
            {"name", "main"}, {"nodes", "n[01-16]"}, {"default", true}, {"up", true}, {"tier", 2}};
        if (!more.is_null()) main.update(more);
        text_.partitions = record_line(main) + record_line({{"name", "low"},
                                                            {"nodes", "n[01-16]"},
                                                            {"up", true},
                                                            {"preemptible", true},
                                                            {"tier", 1}});
    }
    JobQuestion ask(const nlohmann::json& more = {}, const std::string& exclusive = "node") {
        JobLine waiting = waiting_job("2-2", more);
        waiting.exclusive = exclusive;
        text_.jobs = running_ + job_line(waiting);
        state_ = std::make_unique<ClusterState>(read_state({text_.write(folder_), ""}, notes_));
        return job_question(*state_, state_->jobs.back(), 0);
    }
    Names not_considered(const nlohmann::json& more = {}, const std::string& exclusive = "node") {
        return ask(more, exclusive).not_considered;
    }
    void run_job(const std::string& partition) {
        JobLine job;
        job.state = "RUNNING";
        job.partition = partition;
        job.nodes = "n[01-02]";
        running_ = job_line(job);
    }

    SnapshotText text_;
    std::string running_;
    Folder folder_;
    std::ostringstream notes_;
    std::unique_ptr<ClusterState> state_;
};

TEST_F(LeftOut, NothingWhereNothingIsSet) {
    set_partition({});
    const JobQuestion question = ask({{"tres_per_node", "gres:gpu:4"}}, "");
    EXPECT_EQ(question.not_considered, Names{});
    EXPECT_EQ(question.not_counted, Names{});
    EXPECT_EQ(too_hopeful(question), "");
    EXPECT_EQ(too_pessimistic(question), "");
}

TEST_F(LeftOut, MemoryPerNode) {
    set_partition({{"max_memory_per_node", 800000}});
    const Names named{"MaxMemPerNode=800000 of partition main"};
    EXPECT_EQ(not_considered(), named);  // all memory of a node
    EXPECT_EQ(not_considered({{"memory_per_node", 700000}}), Names{});
    EXPECT_EQ(not_considered({{"memory_per_cpu", 6000}}), named);  // of 140 CPUs
    EXPECT_EQ(not_considered({{"memory_per_cpu", 5000}}), Names{});
    EXPECT_EQ(not_considered({{"memory_per_cpu", 6000}}, ""), Names{});  // of 1 CPU
    EXPECT_EQ(not_considered({{"memory_per_cpu", 6000}, {"cpus", 268}}, ""), named);
    set_partition({{"max_memory_per_node", 900000}});
    EXPECT_EQ(not_considered(), Names{});
}

/// --hint=nomultithread changes nothing on cores of one thread.
TEST_F(LeftOut, ThreadsPerCoreWhereNodesHaveOthers) {
    set_partition({});
    EXPECT_EQ(not_considered({{"threads_per_core", 1}}), Names{});
    EXPECT_EQ(not_considered({{"threads_per_core", 2}}), Names{"--threads-per-core"});
}

/// Backfill shortens a job to its --time-min; the answer was that it waits for the reservation.
TEST_F(LeftOut, AShorterRunBeforeAReservation) {
    set_partition({});
    text_.reservations =
        reservation_line("soon", "n[01-16]", "2026-11-22T21:21:21", "2026-11-23T20:00:00");
    const auto usable = [&](const nlohmann::json& more) {
        const JobQuestion question = ask(more);
        return offer_at(*state_, Occupancy(*state_), question, question.viewer, state_->now)
            .usable.count();
    };
    EXPECT_EQ(usable({}), 0U);
    EXPECT_EQ(usable({{"time_min", 600}}), 16U);
    EXPECT_EQ(usable({{"time_min", 3600}}), 0U);
    // With a deadline, Slurm plans the whole time limit.
    EXPECT_EQ(usable({{"time_min", 600}, {"deadline", time_of("2026-11-23T20:00:00")}}), 0U);
}

/// Of a job in the queue, slurmctld has raised the CPUs already.
TEST_F(LeftOut, MemoryPerCpuOfAJobThatIsNotInTheQueueYet) {
    set_partition({{"max_memory_per_cpu", 4000}});
    EXPECT_EQ(not_considered({{"memory_per_cpu", 6000}}), Names{});
    const auto planned = [&](const nlohmann::json& more) {
        (void)ask(more);
        JobRecord job = state_->jobs.back();
        job.id = 0;
        return job_question(*state_, job, 0).not_considered;
    };
    const Names named{"MaxMemPerCPU=4000 of partition main"};
    EXPECT_EQ(planned({{"memory_per_cpu", 6000}}), named);
    EXPECT_EQ(planned({{"memory_per_cpu", 4000}}), Names{});
    EXPECT_EQ(planned({{"memory_per_node", 4001}}), named);
    EXPECT_EQ(planned({{"memory_per_node", 4000}}), Names{});
    EXPECT_EQ(planned({{"memory_per_node", 8000}, {"cpus_per_task", 2}}), Names{});
    EXPECT_EQ(planned({}), Names{});
}

TEST_F(LeftOut, CpusPerNodeAndSocket) {
    set_partition({{"max_cpus_per_node", 100}});
    EXPECT_EQ(not_considered({}, ""), Names{"MaxCPUsPerNode=100 of partition main"});
    // A job of whole nodes gets none of these at all.
    EXPECT_EQ(not_considered(), Names{});
    EXPECT_EQ(ask().suitable.count(), 0U);
    EXPECT_EQ(ask().remarks, Names{"MaxCPUsPerNode=100 of partition main: no job gets the whole of "
                                   "16 nodes with more CPUs"});
    set_partition({{"max_cpus_per_node", 140}});
    EXPECT_EQ(not_considered({}, ""), Names{});
    EXPECT_EQ(ask().suitable.count(), 16U);

    set_partition({{"max_cpus_per_socket", 60}});
    const Names named{"MaxCPUsPerSocket=60 of partition main"};
    EXPECT_EQ(not_considered({}, ""), named);
    EXPECT_EQ(not_considered(), Names{});
    EXPECT_EQ(not_considered({{"tasks_per_node", 61}}), named);
}

TEST_F(LeftOut, DefaultsPerGpu) {
    set_partition({{"default_cpus_per_gpu", 40}, {"default_memory_per_gpu", 200000}});
    EXPECT_EQ(not_considered({}, ""), Names{});  // no GPUs
    EXPECT_EQ(
        not_considered({{"tres_per_node", "gres:gpu:3"}}, ""),
        (Names{"DefCpuPerGPU=40 of partition main", "DefMemPerGPU=200000 of partition main"}));
    // Whole nodes have enough for three GPUs, but no 160 CPUs for four.
    EXPECT_EQ(not_considered({{"tres_per_node", "gres:gpu:3"}}), Names{});
    EXPECT_EQ(not_considered({{"tres_per_node", "gres:gpu:4"}}),
              Names{"DefCpuPerGPU=40 of partition main"});
    EXPECT_EQ(not_considered({{"tres_per_job", "gres:gpu:2"}}),
              Names{"DefCpuPerGPU=40 of partition main"});
}

TEST_F(LeftOut, ReservationsOfCores) {
    set_partition({});
    const std::string line = record_line({{"name", "cores"},
                                          {"nodes", "n[01-02]"},
                                          {"start", time_of("2026-11-22T20:00:00")},
                                          {"end", time_of("2026-11-23T20:00:00")},
                                          {"partial", true}});
    text_.reservations = line;
    EXPECT_EQ(not_considered({{"reservation", "cores"}}),
              Names{"that reservation cores has a part of its nodes only"});
    EXPECT_EQ(ask({}, "").not_counted,
              Names{"what reservation cores leaves of its nodes to other jobs"});
    EXPECT_EQ(ask().not_counted, Names{});  // of whole nodes: it leaves nothing
}

TEST_F(LeftOut, MagneticReservations) {
    set_partition({});
    const auto magnetic = [](const char* nodes, const char* end) {
        return record_line({{"name", "pull"},
                            {"nodes", nodes},
                            {"start", time_of("2026-11-22T20:00:00")},
                            {"end", time_of(end)},
                            {"magnetic", true}});
    };
    text_.reservations = magnetic("n[01-02]", "2026-11-23T20:00:00");
    EXPECT_EQ(too_pessimistic(ask()),
              "not counted: the nodes of reservation pull, if it takes the job (MAGNETIC); the "
              "answer may be too pessimistic");
    EXPECT_EQ(ask({{"excluded_nodes", "n[01-02]"}}).not_counted, Names{});
    EXPECT_EQ(ask({{"reservation", "pull"}}).not_counted, Names{});
    text_.reservations = magnetic("n[01-02]", "2026-11-22T20:30:00");  // it has ended
    EXPECT_EQ(ask().not_counted, Names{});
}

TEST_F(LeftOut, Preemption) {
    set_partition({{"preemptible", true}});
    run_job("low");
    text_.config.insert(1, R"("preempt_type":"preempt/partition_prio",)");
    EXPECT_EQ(ask().not_counted, Names{"the nodes of 1 job that may be preempted for it "
                                       "(PreemptType=preempt/partition_prio)"});
    EXPECT_EQ(ask({{"partition", "low"}}).not_counted, Names{});  // of no lower tier
    EXPECT_EQ(ask({{"excluded_nodes", "n[01-02]"}}).not_counted, Names{});
    run_job("main");
    EXPECT_EQ(ask().not_counted, Names{});
    const std::string by_tier = "partition_prio";
    text_.config.replace(text_.config.find(by_tier), by_tier.size(), "qos");
    EXPECT_EQ(ask().not_counted,
              Names{"the nodes of 1 job that may be preempted for it (PreemptType=preempt/qos)"});
    set_partition({});  // PreemptMode=OFF
    EXPECT_EQ(ask().not_counted, Names{});
}

TEST_F(LeftOut, SeveralReservations) {
    set_partition({});
    text_.reservations =
        reservation_line("one", "n[01-02]", "2026-11-22T20:00:00", "2026-11-23T20:00:00") +
        reservation_line("two", "n[03-04]", "2026-11-22T20:00:00", "2026-11-23T20:00:00");
    const JobQuestion question = ask({{"reservation", "two,one"}});
    EXPECT_EQ(question.viewer.reservation, "two");
    EXPECT_EQ(question.remarks,
              Names{"it may run in reservations two,one; the numbers are those of two"});
}

/// The memory of all CPUs of a whole node is allocated: it seemed to fit with that of one CPU.
TEST_F(LeftOut, MemoryPerCpuOfWholeNodes) {
    set_partition({});
    const auto usable = [&](std::uint64_t memory, const char* exclusive) {
        const JobQuestion question = ask({{"memory_per_cpu", memory}}, exclusive);
        return offer_at(*state_, Occupancy(*state_), question, question.viewer, state_->now)
            .usable.count();
    };
    EXPECT_EQ(usable(6428, "node"), 16U);  // 140 times as much is 899920
    EXPECT_EQ(usable(6429, "node"), 0U);
    EXPECT_EQ(usable(6429, ""), 16U);
}

}  // namespace
}  // namespace nvl72block::cli
