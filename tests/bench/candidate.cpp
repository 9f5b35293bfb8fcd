// SPDX-License-Identifier: GPL-2.0-or-later
#include "candidate.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "racks.hpp"

namespace nvl72block::bench {
namespace {

std::uint32_t number(const std::string& text) {
    return static_cast<std::uint32_t>(std::stoul(text));
}

std::vector<std::uint32_t> numbers(const std::string& text) {
    std::vector<std::uint32_t> list;
    std::istringstream in(text);
    for (std::string word; std::getline(in, word, ',');) list.push_back(number(word));
    return list;
}

constexpr DemandSize demanded[] = {{18, 125}, {16, 125}, {9, 125}, {8, 125},
                                   {6, 125},  {4, 125},  {3, 125}, {2, 125}};

void set_demand(Candidate& candidate, std::uint32_t sizes) {
    if (sizes > std::size(demanded)) throw std::invalid_argument("demand is up to 8");
    candidate.demand = sizes;
    if (sizes > 0) candidate.request.policy = Policy::demand;
}

void set_flag(Candidate& candidate, const std::string& word) {
    Request& request = candidate.request;
    if (word == "spread")
        request.spread_segments = true;
    else if (word == "cons")
        request.consolidate_segments = true;
    else if (word == "excl")
        request.exclusive = true;
    else if (word == "compact")
        request.policy = Policy::compact;
    else if (word == "sized")
        request.sized_by_totals = true;
    else
        throw std::invalid_argument("unknown word: " + word);
}

/// The two numbers of "4-8"; one number is both.
std::pair<std::uint32_t, std::uint32_t> two(const std::string& text, char between) {
    const std::size_t at = text.find(between);
    if (at == std::string::npos) return {number(text), number(text)};
    return {number(text), number(text.substr(at + 1))};
}

void set_value(Candidate& candidate, const std::string& key, const std::string& value) {
    Request& request = candidate.request;
    if (key == "racks")
        candidate.racks = number(value);
    else if (key == "sizes")
        candidate.sizes = numbers(value);
    else if (key == "fill")
        candidate.fill = value;
    else if (key == "weights")
        candidate.weights = number(value);
    else if (key == "partitions")
        candidate.partitions = number(value);
    else if (key == "required")
        std::tie(candidate.required_racks, candidate.required_each) = two(value, 'x');
    else if (key == "demand")
        set_demand(candidate, number(value));
    else if (key == "seed")
        candidate.seed = std::stoull(value);
    else if (key == "nodes")
        std::tie(request.min_nodes, request.max_nodes) = two(value, '-');
    else if (key == "seg")
        request.segment_size = number(value);
    else if (key == "max")
        request.max_base_blocks = number(value);
    else if (key == "cpus")
        request.cpus = std::stoull(value);
    else if (key == "gpus")
        request.gpus = std::stoull(value);
    else
        throw std::invalid_argument("unknown key: " + key);
}

// ---- drawing -----------------------------------------------------------------------------------

std::string random_fill(Random& random) {
    static constexpr const char* fills[] = {"idle", "idle", "free", "free",   "one",    "half",
                                            "60",   "80",   "95",   "used60", "used80", "used95"};
    return fills[random.below(std::size(fills))];
}

std::vector<std::uint32_t> random_sizes(Random& random, std::uint32_t racks) {
    const auto all = surveyed_sizes(racks);
    return all[random.below(all.size())];
}

void draw_segment(Random& random, Request& request) {
    static constexpr std::uint32_t segments[] = {1, 2, 3, 4, 8, 9, 16, 17, 18, 19, 20, 36, 40, 72};
    request.segment_size = one_in(random, 3)
                               ? 0
                               : (one_in(random, 4) ? between(random, 1, 200)
                                                    : segments[random.below(std::size(segments))]);
    request.spread_segments = one_in(random, 4);
    request.consolidate_segments = one_in(random, 6);
}

/// Small counts as likely as large ones.
void draw_nodes(Random& random, Request& request, std::uint32_t nodes) {
    std::uint32_t most = nodes;
    while (most > 8 && one_in(random, 2)) most /= 2;
    request.max_nodes = between(random, 1, most);
    const std::uint32_t segment = request.segment_size;
    if (segment > 0) request.max_nodes = std::max(1U, request.max_nodes / segment) * segment;
    request.min_nodes = request.max_nodes;
    if (one_in(random, 3))
        request.min_nodes = one_in(random, 2) ? 1 : between(random, 1, request.max_nodes);
}

void draw_cap(Random& random, Request& request, std::uint32_t racks) {
    request.max_base_blocks = 0;
    if (!one_in(random, 2)) return;
    const std::uint32_t needed = request.max_nodes / rack_nodes + 1;
    request.max_base_blocks =
        one_in(random, 2) ? between(random, 1, racks) : needed + between(random, 0, 1 + needed / 4);
}

void draw_totals(Random& random, Request& request) {
    request.cpus = request.gpus = 0;
    request.sized_by_totals = false;
    if (!one_in(random, 4)) return;
    if (one_in(random, 2))
        request.cpus = std::uint64_t{request.max_nodes} * between(random, 60, 120);
    if (request.cpus == 0 || one_in(random, 2))
        request.gpus = std::uint64_t{request.max_nodes} * between(random, 3, 7);
    request.sized_by_totals = one_in(random, 2);
    if (request.sized_by_totals) request.min_nodes = 1;
}

void draw_required(Random& random, Candidate& candidate) {
    candidate.required_racks = candidate.required_each = 0;
    if (!one_in(random, 4)) return;
    candidate.required_racks =
        between(random, 1, std::min(candidate.racks, candidate.request.max_nodes));
    candidate.required_each =
        between(random, 1,
                std::clamp(candidate.request.max_nodes / candidate.required_racks, 1U, rack_nodes));
}

void draw_flags(Random& random, Candidate& candidate) {
    static constexpr std::uint32_t classes[] = {1, 1, 3, 16, 24};
    static constexpr std::uint32_t partitions[] = {0, 0, 0, 1, 2, 3, 6};
    candidate.partitions = partitions[random.below(std::size(partitions))];
    candidate.weights = classes[random.below(std::size(classes))];
    candidate.request.exclusive = one_in(random, 4);
    candidate.request.policy = one_in(random, 4) ? Policy::compact : Policy::pack;
    const bool demand = one_in(random, 2);
    set_demand(candidate, demand ? between(random, 1, std::size(demanded)) : 0);
}

}  // namespace

std::string to_string(const Candidate& candidate) {
    const Request& request = candidate.request;
    std::string text = "racks=" + std::to_string(candidate.racks) + " sizes=";
    for (std::size_t i = 0; i < candidate.sizes.size(); ++i)
        text += (i == 0 ? "" : ",") + std::to_string(candidate.sizes[i]);
    text += " fill=" + candidate.fill + " weights=" + std::to_string(candidate.weights);
    const auto add = [&](const char* key, std::uint64_t value) {
        if (value > 0) text += std::string(" ") + key + "=" + std::to_string(value);
    };
    if (candidate.partitions > 0) text += " partitions=" + std::to_string(candidate.partitions);
    if (candidate.required_racks > 0)
        text += " required=" + std::to_string(candidate.required_racks) + "x" +
                std::to_string(candidate.required_each);
    add("demand", candidate.demand);
    add("seed", candidate.seed);
    text += " nodes=" + std::to_string(request.min_nodes);
    if (request.max_nodes != request.min_nodes) text += "-" + std::to_string(request.max_nodes);
    add("seg", request.segment_size);
    add("max", request.max_base_blocks);
    add("cpus", request.cpus);
    add("gpus", request.gpus);
    if (request.spread_segments) text += " spread";
    if (request.consolidate_segments) text += " cons";
    if (request.exclusive) text += " excl";
    if (request.policy == Policy::compact) text += " compact";
    if (request.sized_by_totals) text += " sized";
    return text;
}

Candidate parse_candidate(const std::string& text) {
    Candidate candidate;
    std::istringstream in(text);
    for (std::string word; in >> word;) {
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos)
            set_flag(candidate, word);
        else
            set_value(candidate, word.substr(0, equals), word.substr(equals + 1));
    }
    return candidate;
}

Candidate random_candidate(Random& random, std::uint32_t racks) {
    Candidate candidate;
    candidate.racks = racks;
    candidate.sizes = random_sizes(random, racks);
    candidate.fill = random_fill(random);
    candidate.seed = 1 + random.below(1000);
    draw_segment(random, candidate.request);
    draw_nodes(random, candidate.request, racks * rack_nodes);
    draw_cap(random, candidate.request, racks);
    draw_totals(random, candidate.request);
    draw_required(random, candidate);
    draw_flags(random, candidate);
    return candidate;
}

Candidate changed(Random& random, Candidate candidate) {
    Request& request = candidate.request;
    switch (random.below(9)) {
        case 0:
            candidate.sizes = random_sizes(random, candidate.racks);
            break;
        case 1:
            candidate.fill = random_fill(random);
            break;
        case 2:
            candidate.seed = 1 + random.below(1000);
            break;
        case 3:
            draw_segment(random, request);
            break;
        case 4:
            draw_nodes(random, request, candidate.racks * rack_nodes);
            break;
        case 5:
            draw_cap(random, request, candidate.racks);
            break;
        case 6:
            draw_totals(random, request);
            break;
        case 7:
            draw_required(random, candidate);
            break;
        default:
            draw_flags(random, candidate);
    }
    const std::uint32_t segment = request.segment_size;
    if (segment > 0 && request.min_nodes == request.max_nodes)
        request.min_nodes = request.max_nodes = std::max(1U, request.max_nodes / segment) * segment;
    return one_in(random, 3) ? changed(random, candidate) : candidate;
}

// ---- scenes ------------------------------------------------------------------------------------

namespace {

NodeSet filled(const Candidate& candidate, const Topology& topology, Random& random) {
    const std::string& fill = candidate.fill;
    if (std::isdigit(static_cast<unsigned char>(fill.front())) != 0)
        return uniform_occupancy(random, topology.node_count(), number(fill));
    NodeSet usable(topology.node_count());
    for (std::uint32_t rack = 0; rack < candidate.racks; ++rack) {
        std::uint32_t busy = 0;
        if (fill == "one") busy = 1;
        if (fill == "half") busy = rack % 2;
        if (fill == "free") busy = between(random, 0, rack_nodes);
        for (std::uint32_t node = busy; node < rack_nodes; ++node)
            usable.set(rack * rack_nodes + node);
    }
    return usable;
}

/// The first usable nodes of the first racks that have enough.
NodeSet required_nodes(const Candidate& candidate, const NodeSet& usable) {
    NodeSet required(usable.size());
    std::uint32_t racks = 0;
    for (std::uint32_t rack = 0; rack < candidate.racks && racks < candidate.required_racks;
         ++rack) {
        std::vector<NodeIndex> nodes;
        for (std::uint32_t node = 0; node < rack_nodes; ++node)
            if (usable.test(rack * rack_nodes + node)) nodes.push_back(rack * rack_nodes + node);
        if (nodes.size() < candidate.required_each) continue;
        ++racks;
        for (std::uint32_t i = 0; i < candidate.required_each; ++i) required.set(nodes[i]);
    }
    return required;
}

void set_idle(Scene& scene, Random& random) {
    scene.idle = NodeSet(scene.usable.size());
    for (NodeIndex node = 0; node < scene.usable.size(); ++node)
        if (scene.usable.test(node) != one_in(random, 10)) scene.idle.set(node);
}

}  // namespace

/// What jobs leave takes thousands of decisions to make: few different ones, and each once.
const NodeSet& Stage::used(const Candidate& candidate, const Topology& topology) {
    const std::uint64_t seed = candidate.racks > 1000 ? 0 : candidate.seed % 3;
    const std::string key = std::to_string(candidate.racks) + " " + candidate.fill + " " +
                            std::to_string(candidate.sizes.size() * 100 + candidate.sizes.front()) +
                            " " + std::to_string(seed);
    const auto [entry, fresh] = used_.try_emplace(key);
    if (fresh) {
        Random random(seed);
        entry->second = used_occupancy(random, topology, number(candidate.fill.substr(4)));
    }
    return entry->second;
}

const std::shared_ptr<const Topology>& Stage::topology(const Candidate& candidate) {
    const std::uint32_t partitions = candidate.partitions;
    auto& known = topologies_[{candidate.racks, candidate.sizes, partitions}];
    if (known) return known;
    Topology racks = make_racks(candidate.racks, candidate.sizes);
    if (partitions > 0) {
        std::vector<std::uint32_t> island_of(racks.node_count());
        for (NodeIndex node = 0; node < racks.node_count(); ++node)
            island_of[node] = node % rack_nodes * partitions / rack_nodes;
        racks = racks.with_islands(std::move(island_of));
    }
    known = std::make_shared<const Topology>(std::move(racks));
    return known;
}

Scene Stage::scene(const Candidate& candidate) {
    const auto& topology = this->topology(candidate);
    Random random(candidate.seed);
    Scene scene{topology, {}, {}, {}, {}, {}, {}, {}};
    scene.usable = candidate.fill.starts_with("used") ? used(candidate, *topology)
                                                      : filled(candidate, *topology, random);
    scene.weight = random_weights(random, *topology, candidate.weights);
    if (candidate.required_racks > 0) scene.required = required_nodes(candidate, scene.usable);
    scene.demand.assign(std::begin(demanded), std::begin(demanded) + candidate.demand);
    if (candidate.demand > 0) set_idle(scene, random);
    if (candidate.request.cpus + candidate.request.gpus == 0) return scene;
    for (NodeIndex node = 0; node < topology->node_count(); ++node) {
        scene.cpus.push_back(one_in(random, 2) ? 72 : 144);
        scene.gpus.push_back(one_in(random, 2) ? 4 : 8);
    }
    return scene;
}

Request Scene::request(const Candidate& candidate) const {
    Request request = candidate.request;
    request.demand = demand;
    request.required = required.empty() ? NodeSetView{} : required.view();
    return request;
}

State Scene::state() const {
    State state;
    state.usable = usable;
    state.weight = weight;
    state.cpus = cpus;
    state.gpus = gpus;
    state.idle = idle;
    return state;
}

}  // namespace nvl72block::bench
