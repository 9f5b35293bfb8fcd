// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/shadow/shadow_file.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "cli/input/input_error.hpp"
#include "files/append_bounded.hpp"
#include "files/read_file.hpp"
#include "text/take_item.hpp"

namespace nvl72block::cli {
namespace {

constexpr std::size_t longest_file = std::size_t{64} << 20;
constexpr std::size_t most_cluster_nodes = std::size_t{1} << 20;
constexpr std::string_view block_key = "block.";

RackUse rack_use(const ShadowTopology& topology, const NodeSet& idle, const NodeSet& nodes) {
    RackUse use;
    for (const NodeSet& block : topology.blocks) {
        std::uint32_t members = 0;
        std::uint32_t used = 0;
        std::uint32_t were_idle = 0;
        block.for_each([&](NodeIndex node) {
            ++members;
            used += nodes.test(node);
            were_idle += idle.test(node);
        });
        use.racks += used != 0;
        use.broken += used != 0 && used < members && were_idle == members;
    }
    return use;
}

/// A job that gets whole nodes has all their GPUs. `nodes`: that topology/block gave.
bool is_unlike(const ShadowRecord& record, std::size_t nodes) {
    const auto number = [&](const char* key) { return record.number(key).value_or(0); };
    const std::uint64_t cpus = number("cpus.block");
    if (nodes < number("min") || nodes > record.number("max").value_or(nodes)) return true;
    if (cpus == 0) return false;
    const std::uint64_t gpus = number("gpus.block");
    const bool too_many = number("gpus") != 0 && gpus > number("gpus") && number("exclusive") == 0;
    return cpus < number("min.cpus") || gpus < number("gpus") || too_many;
}

/// Puts records together, one after the other.
class Reader {
  public:
    void read_line(std::string_view line) {
        if (line.empty()) return;
        const auto record = parse_shadow_line(line);
        if (!record || !read_record(*record))
            ++file_.damaged;
        else
            has_records_ = true;
    }

    /// Whether each line with something in it is damaged: then it is a file of another kind.
    [[nodiscard]] bool is_foreign() const { return file_.damaged != 0 && !has_records_; }

    [[nodiscard]] ShadowFile finish() {
        for (const auto& [since, tally] : tallies_) {
            file_.questions += tally.number("questions").value_or(0);
            file_.both_held += tally.number("both.held").value_or(0);
            file_.unsettled += tally.number("unsettled").value_or(0);
            file_.lost += tally.number("lost").value_or(0);
        }
        return std::move(file_);
    }

  private:
    bool read_record(const ShadowRecord& record) {
        if (record.kind == "topology") return read_topology(record);
        if (record.kind == "decision") return read_decision(record);
        if (record.kind == "released") return read_release(record);
        const auto time = static_cast<std::int64_t>(record.number("t").value_or(0));
        // The last tally of each slurmctld counts.
        if (record.kind == "tally") tallies_[record.number("since").value_or(0)] = record;
        if (record.kind == "off") file_.switched_off = time;
        if (record.kind == "fault")
            file_.faults.push_back(
                {time, std::string(record.text("kind")), std::string(record.text("what"))});
        return true;  // another kind is of a later version
    }

    bool read_topology(const ShadowRecord& record) {
        ShadowTopology topology{.id = std::string(record.text("id")),
                                .slurm = std::string(record.text("slurm")),
                                .options = std::string(record.text("options")),
                                .sizes = std::string(record.text("sizes")),
                                .nodes = record.number("nodes").value_or(0),
                                .blocks = {}};
        if (topology.nodes > most_cluster_nodes) return false;
        for (auto field = record.fields.lower_bound(block_key);
             field != record.fields.end() && field->first.starts_with(block_key); ++field) {
            auto nodes = parse_node_ranges(field->second, topology.nodes);
            if (!nodes) return false;
            topology.blocks.push_back(*std::move(nodes));
        }
        std::string id = topology.id;
        topologies_.insert_or_assign(std::move(id),
                                     std::make_shared<const ShadowTopology>(std::move(topology)));
        return true;
    }

    bool read_decision(const ShadowRecord& record) {
        const auto topology = topologies_.find(std::string(record.text("topology")));
        if (topology == topologies_.end()) return false;
        ShadowDecision decision;
        decision.topology = topology->second;
        const std::size_t size = decision.topology->nodes;
        const auto candidates = record.nodes("candidates", size);
        const auto idle = record.nodes("idle", size);
        const auto block = record.nodes("block", size);
        const auto ours = record.nodes("nvl72block", size);
        if (!candidates || !idle || !block || !ours) return false;
        decision.record = record;
        decision.time = static_cast<std::int64_t>(record.number("t").value_or(0));
        decision.job = record.number("job").value_or(0);
        decision.candidates = *candidates;
        decision.idle = *idle;
        if (!block->empty()) decision.block = *block;
        if (!ours->empty()) decision.ours = *ours;
        decision.block_use = rack_use(*decision.topology, *idle, *block);
        decision.ours_use = rack_use(*decision.topology, *idle, *ours);
        decision.block_ns = record.number("ns.block").value_or(0);
        decision.ours_ns = record.number("ns.nvl72block").value_or(0);
        decision.unlike = decision.block && is_unlike(record, block->count());
        decision.waits = record.number("waits").value_or(0) != 0;
        file_.decisions.push_back(std::move(decision));
        return true;
    }

    /// Of the held job whose record has that time.
    bool read_release(const ShadowRecord& record) {
        const auto job = record.number("job");
        const auto since = static_cast<std::int64_t>(record.number("since").value_or(0));
        const auto time = static_cast<std::int64_t>(record.number("t").value_or(0));
        const auto held = std::find_if(
            file_.decisions.rbegin(), file_.decisions.rend(), [&](const ShadowDecision& each) {
                return each.job == job && !each.block && each.time == since;
            });
        if (held == file_.decisions.rend()) return true;  // its record is gone by now
        held->released = true;
        if (record.number("started").value_or(0) != 0)
            held->waited = std::max<std::int64_t>(time - since, 0);
        return true;
    }

    ShadowFile file_;
    bool has_records_ = false;
    std::map<std::string, std::shared_ptr<const ShadowTopology>> topologies_;
    std::map<std::uint64_t, ShadowRecord> tallies_;
};

void read_lines_of(const std::string& text, Reader& reader) {
    for (std::string_view rest = text; !rest.empty();) reader.read_line(take_item(rest, '\n'));
}

}  // namespace

ShadowFile read_shadow_text(const std::string& text) {
    Reader reader;
    read_lines_of(text, reader);
    return reader.finish();
}

ShadowFile read_shadow_file(const std::string& path) {
    Reader reader;
    std::string text;
    const auto older = read_file(set_aside(path), longest_file, text);
    if (!older) read_lines_of(text, reader);
    if (const auto failure = read_file(path, longest_file, text)) {
        if (older)
            throw InputError(
                path, failure->reason,
                "run as SlurmUser or root on the host of slurmctld, which writes the file with "
                "TopologyParam=Nvl72Shadow=on; or pass a copy");
    } else {
        read_lines_of(text, reader);
    }
    if (reader.is_foreign())
        throw InputError(path, "has no record of shadow mode",
                         "pass nvl72block_shadow of StateSaveLocation, or a copy");
    return reader.finish();
}

}  // namespace nvl72block::cli
