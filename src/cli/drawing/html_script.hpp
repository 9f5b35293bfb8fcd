// SPDX-License-Identifier: GPL-2.0-or-later
//
// The fixed parts of the web page.
#pragma once

namespace nvl72block::cli {

extern const char* const page_style;
extern const char* const page_script;

}  // namespace nvl72block::cli
