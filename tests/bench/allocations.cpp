// SPDX-License-Identifier: GPL-2.0-or-later
#include "allocations.hpp"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

std::size_t live_bytes = 0;
std::size_t peak_bytes = 0;
std::size_t allocations = 0;

void* counted(std::size_t bytes) {
    void* memory = std::malloc(bytes);
    if (memory == nullptr) throw std::bad_alloc();
    live_bytes += malloc_usable_size(memory);
    peak_bytes = std::max(peak_bytes, live_bytes);
    ++allocations;
    return memory;
}

void discounted(void* memory) {
    live_bytes -= malloc_usable_size(memory);
    std::free(memory);
}

}  // namespace

void* operator new(std::size_t bytes) {
    return counted(bytes);
}
void* operator new[](std::size_t bytes) {
    return counted(bytes);
}
void operator delete(void* memory) noexcept {
    discounted(memory);
}
void operator delete[](void* memory) noexcept {
    discounted(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    discounted(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    discounted(memory);
}

namespace nvl72block::bench {

Taken allocated() noexcept {
    return {peak_bytes, live_bytes, allocations};
}

void restart_peak() noexcept {
    peak_bytes = live_bytes;
}

}  // namespace nvl72block::bench
