// SPDX-License-Identifier: GPL-2.0-or-later
#include "generator.hpp"

#include <cstdlib>

namespace nvl72block::oracle {

std::string random_block(Random& random, std::uint32_t free, std::uint32_t size) {
    std::string text;
    for (std::uint32_t left = size; left > 0; --left) {
        const bool take = random.between(1, left) <= free;
        if (take) --free;
        text += take ? '0' : random.pick("....xe");
    }
    return text;
}

std::string random_nodes(Random& random, std::uint32_t nodes, const std::string& marks) {
    std::string text;
    for (std::uint32_t i = 0; i < nodes; ++i) text += random.pick(marks);
    return text;
}

std::string random_islands(Random& random, const Case& sample) {
    std::string text;
    const bool strays = random.one_in(3);
    for (const std::string& block : sample.blocks) {
        const std::uint32_t most = random.between(1, 3);
        for (std::size_t node = 0; node < block.size(); ++node)
            text += strays && random.one_in(5)
                        ? '-'
                        : static_cast<char>('0' + random.between(0, most - 1));
    }
    return text + std::string(sample.outside.size(), '-');
}

std::uint64_t random_total(Random& random, const Instance& instance,
                           const std::vector<std::uint32_t>& values) {
    if (values.empty()) return 0;
    std::uint32_t sum = 0;
    instance.usable.view().for_each([&](NodeIndex node) { sum += values[node]; });
    return random.between(1, random.one_in(2) ? sum + 2 : sum / 2 + 1);
}

void give_resources(Random& random, Case& sample) {
    static const std::vector<std::string> values{"4", "48", "2468", "0a", "1", "33339"};
    const auto some = [&] {
        return values[random.between(0, static_cast<std::uint32_t>(values.size()) - 1)];
    };
    std::size_t nodes = sample.outside.size();
    for (const std::string& block : sample.blocks) nodes += block.size();
    const auto count = static_cast<std::uint32_t>(nodes);
    if (!random.one_in(4)) sample.cpus = random_nodes(random, count, some());
    if (sample.cpus.empty() || random.one_in(2)) sample.gpus = random_nodes(random, count, some());
}

std::uint32_t scale() {
    const char* text = std::getenv("NVL72BLOCK_ORACLE_SCALE");
    const int value = text == nullptr ? 1 : std::atoi(text);
    return value > 1 ? static_cast<std::uint32_t>(value) : 1;
}

void vary(Random& random, Request& request, std::uint32_t blocks) {
    request.policy = random.one_in(2) ? Policy::compact : Policy::pack;
    request.exclusive = random.one_in(3);
    request.max_base_blocks = random.one_in(2) ? random.between(1, blocks) : 0;
}

}  // namespace nvl72block::oracle
