// SPDX-License-Identifier: GPL-2.0-or-later
//
// A small cluster that the bytes build, change and ask for places: every answer keeps the rules
// (tests/property/rules.hpp), whatever the budget.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "nvl72block/placement.hpp"
#include "nvl72block/topology.hpp"
#include "property/rules.hpp"

using namespace nvl72block;  // NOLINT(google-build-using-namespace)

namespace {

class Bytes {
  public:
    Bytes(const std::uint8_t* data, std::size_t size) : next_(data), end_(data + size) {}
    [[nodiscard]] bool empty() const { return next_ == end_; }
    /// Below `limit`; 0 when all are read.
    std::uint32_t below(std::uint32_t limit) { return empty() ? 0 : *next_++ % limit; }
    bool one_in(std::uint32_t n) { return below(n) == n - 1; }

  private:
    const std::uint8_t* next_;
    const std::uint8_t* end_;
};

Topology build(Bytes& bytes) {
    KnownBlocks blocks;
    blocks.default_size = 1 + bytes.below(6);
    const std::uint32_t count = 1 + bytes.below(8), outside = bytes.below(4);
    for (BlockIndex block = 0; block < count; ++block) {
        blocks.names.push_back("b" + std::to_string(block));
        blocks.block_of.insert(blocks.block_of.end(), bytes.below(8), block);
    }
    blocks.block_of.insert(blocks.block_of.end(), outside, no_block);
    if (!bytes.one_in(3))
        for (unsigned exponent = 0; exponent < 4; ++exponent)
            if (exponent == 0 || bytes.one_in(2))
                blocks.sizes.push_back(blocks.default_size << exponent);
    return Topology::of_blocks(std::move(blocks));
}

class History {
  public:
    explicit History(Bytes& bytes)
        : bytes_(bytes),
          topology_(build(bytes)),
          usable_(topology_.node_count()),
          weight_(topology_.node_count()),
          cpus_(topology_.node_count(), 4) {}

    void run() {
        const auto nodes = static_cast<std::uint32_t>(topology_.node_count());
        for (int step = 0; step < 24 && !bytes_.empty() && nodes > 0; ++step) {
            const NodeIndex node = bytes_.below(nodes);
            switch (bytes_.below(6)) {
                case 0:
                    topology_ = topology_.with_node_in(node, bytes_.below(topology_.block_count()));
                    break;
                case 1:
                    weight_[node] = bytes_.below(3);
                    cpus_[node] = bytes_.below(6);
                    break;
                case 2:
                    join();
                    break;
                case 3:
                    usable_.reset(node);
                    break;
                case 4:
                    for (NodeIndex i = node; i < nodes; ++i) usable_.set(i);
                    break;
                default:
                    ask(nodes);
            }
        }
    }

  private:
    /// Cliques within the blocks.
    void join() {
        std::vector<std::uint32_t> island(topology_.node_count());
        for (std::uint32_t& each : island) each = bytes_.one_in(7) ? no_island : bytes_.below(2);
        topology_ = topology_.without_islands().with_islands(std::move(island));
    }

    Request request(std::uint32_t nodes) {
        Request made;
        made.min_nodes = 1 + bytes_.below(nodes);
        made.max_nodes = made.min_nodes + (bytes_.one_in(3) ? bytes_.below(nodes) : 0);
        made.segment_size = bytes_.one_in(2) ? 1 + bytes_.below(nodes) : 0;
        made.spread_segments = made.segment_size > 0 && bytes_.one_in(4);
        made.consolidate_segments = made.segment_size > 0 && bytes_.one_in(4);
        made.exclusive = bytes_.one_in(4);
        made.max_base_blocks = bytes_.one_in(4) ? 1 + bytes_.below(4) : 0;
        made.cpus = bytes_.one_in(4) ? bytes_.below(100) : 0;
        made.sized_by_totals = made.cpus > 0 && bytes_.one_in(2);
        made.policy = static_cast<Policy>(bytes_.below(3));
        return made;
    }

    void ask(std::uint32_t nodes) {
        Request wanted = request(nodes);
        NodeSet required(nodes);
        if (bytes_.one_in(4)) {
            required.set(bytes_.below(nodes));
            wanted.required = required;
        }
        Budget budget;
        if (bytes_.one_in(2)) budget.steps = std::uint64_t{bytes_.below(4)} * bytes_.below(40);
        const State state{.usable = usable_,
                          .weight = weight_,
                          .cpus = cpus_,
                          .gpus = {},
                          .drained = {},
                          .excluded = {}};
        const Answer answer = place(topology_, wanted, state, budget);
        if (const auto* refusal = std::get_if<Refusal>(&answer)) {
            if (sentence(*refusal).empty()) std::abort();
            return;
        }
        const std::string trouble =
            oracle::check(topology_, wanted, state, std::get<Placement>(answer));
        if (trouble.empty()) return;
        std::fprintf(stderr, "%s\n", trouble.c_str());
        std::abort();
    }

    Bytes& bytes_;
    Topology topology_;
    NodeSet usable_;
    std::vector<std::uint64_t> weight_;
    std::vector<std::uint32_t> cpus_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes bytes(data, size);
    History(bytes).run();
    return 0;
}
