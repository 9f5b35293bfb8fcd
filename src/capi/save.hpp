// SPDX-License-Identifier: GPL-2.0-or-later
//
// Saving across the C boundary.
#pragma once

#include <string>
#include <utility>

#include "capi/planted.hpp"
#include "files/state_saver.hpp"
#include "nvl72block/engine.h"

namespace nvl72block::capi {

/// `failed` may be NULL.
inline void save(const char* path, std::string text, nvl72block_save_failed failed) {
    if (planted("save")) text.resize(text.size() / 2);
    StateSaver::of_process().save(path, std::move(text), [failed](const std::string& sentence) {
        if (failed != nullptr) failed(sentence.c_str());
    });
}

}  // namespace nvl72block::capi
