/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The engine's C interface in a C file.
 */
#include <string.h>

#include "nvl72block/engine.h"

bool default_policy_is_demand(void);

bool default_policy_is_demand(void) {
    nvl72block_options options;
    char text[512];
    nvl72block_options_read(NULL, NULL, NULL, &options, NULL);
    nvl72block_options_text(&options, text, sizeof(text));
    return strstr(text, "Nvl72Policy=demand") != NULL;
}
