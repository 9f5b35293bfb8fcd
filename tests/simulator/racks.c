/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "simulator.h"

#include "src/common/xstring.h"

int rack_of(int node) {
    unsigned rack, number;
    if (sscanf(node_record_table_ptr[node]->name, "r%un%u", &rack, &number) != 2) return NO_RACK;
    return (int)rack - 1;
}

int rack_count(void) {
    int most = NO_RACK;
    for (int node = 0; node < node_record_count; node++) most = MAX(most, rack_of(node));
    return most + 1;
}

unsigned clique_of(int node) {
    const char* found = xstrstr(node_record_table_ptr[node]->features_act, CLIQUE_UUID ".");
    return found ? strtoul(found + sizeof(CLIQUE_UUID), NULL, 10) : 0;
}

const unsigned* block_sizes(void) {
    static unsigned sizes[MOST_SIZES + 1];
    if (!sizes[0]) {
        char* rest = getenv("NVL72_SIMULATE_SIZES");
        for (int i = 0; rest && *rest && i < MOST_SIZES; i++) {
            sizes[i] = strtoul(rest, &rest, 10);
            rest += *rest == ',';
        }
    }
    return sizes;
}
