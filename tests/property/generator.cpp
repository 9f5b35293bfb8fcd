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
