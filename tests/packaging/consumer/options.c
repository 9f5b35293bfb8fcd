/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The engine's C interface in a C file.
 */
#include "nvl72block/engine.h"

bool default_policy_is_demand(void);

bool default_policy_is_demand(void) {
    return nvl72block_options_have(NULL, "Nvl72Policy=demand");
}
