// SPDX-License-Identifier: GPL-2.0-or-later
//
// The C boundary of options.
#include "nvl72block/options.hpp"

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capi/handles.hpp"

namespace engine = nvl72block;
using engine::capi::as_options;
using engine::capi::guarded;

const engine::Options& nvl72block::capi::as_options(const nvl72block_options* options) noexcept {
    static const Options defaults;
    return options == nullptr ? defaults : options->value;
}

nvl72block_options* nvl72block_options_read(const char* topology_param,
                                            void (*complain)(void* argument, const char* sentence),
                                            void* argument, nvl72block_error* error) noexcept {
    return guarded<nvl72block_options*>(error, nullptr, [&] {
        std::vector<std::string> findings;
        const std::string_view text = topology_param == nullptr ? "" : topology_param;
        auto options = std::make_unique<nvl72block_options>(
            nvl72block_options{engine::parse_options(text, findings)});
        if (complain != nullptr)
            for (const std::string& finding : findings) complain(argument, finding.c_str());
        return options.release();
    });
}

void nvl72block_options_free(nvl72block_options* options) noexcept {
    delete options;
}

bool nvl72block_options_settle(nvl72block_options* options,
                               const nvl72block_topology* topology) noexcept {
    if (options == nullptr || topology == nullptr) return false;
    const engine::CliqueMode mode = topology->cluster.clique_mode();
    return std::exchange(options->value.cliques, mode) != mode;
}

const char* nvl72block_options_value(const nvl72block_options* options, const char* key) noexcept {
    const std::string_view value = engine::value_of(as_options(options), key);
    return value.data() == nullptr ? "" : value.data();
}

bool nvl72block_options_have(const nvl72block_options* options, const char* word) noexcept {
    const std::string_view text = word;
    const std::size_t equals = text.find('=');
    return equals != std::string_view::npos &&
           engine::value_of(as_options(options), text.substr(0, equals)) == text.substr(equals + 1);
}

void nvl72block_options_text(const nvl72block_options* options, char* text, size_t size) noexcept {
    std::snprintf(text, size, "%s", "");
    guarded(nullptr, false, [&] {
        std::snprintf(text, size, "%s", to_string(as_options(options)).c_str());
        return true;
    });
}
