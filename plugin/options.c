/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * TopologyParam= words of our own, "Nvl72Policy=compact". Slurm's topology/block ignores them.
 */
#include <stddef.h>
#include <string.h>

#include "plugin.h"
#include "src/common/log.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

#define NVL72_PREFIX "Nvl72"
#define NVL72_CLIQUE_PREFIX NVL72_PREFIX "CliquePrefix"

typedef struct {
    const char* word;
    int value;
} nvl72_choice_t;

typedef struct {
    const char* key;
    size_t offset;                 /* of an int-sized enumeration in nvl72_options_t */
    const nvl72_choice_t* choices; /* the first is the default */
} nvl72_option_t;

static const nvl72_choice_t policies[] = {
    {"pack", NVL72BLOCK_POLICY_PACK},
    {"compact", NVL72BLOCK_POLICY_COMPACT},
    {NULL},
};

static const nvl72_choice_t fragmentations[] = {
    {"stock", NVL72BLOCK_FRAGMENTATION_STOCK},
    {"usable", NVL72BLOCK_FRAGMENTATION_USABLE},
    {NULL},
};

static const nvl72_choice_t cliques[] = {
    {"verify", NVL72_CLIQUE_VERIFY},
    {"enforce", NVL72_CLIQUE_ENFORCE},
    {"derive", NVL72_CLIQUE_DERIVE},
    {"off", NVL72_CLIQUE_OFF},
    {NULL},
};

static const nvl72_choice_t aggregates[] = {
    {"position", NVL72_AGGREGATE_POSITION},
    {"name", NVL72_AGGREGATE_NAME},
    {NULL},
};

static const nvl72_choice_t new_blocks[] = {
    {"off", NVL72_NEW_BLOCKS_OFF},
    {"on", NVL72_NEW_BLOCKS_ON},
    {NULL},
};

static const nvl72_option_t options_table[] = {
    {NVL72_PREFIX "Policy", offsetof(nvl72_options_t, policy), policies},
    {NVL72_PREFIX "Fragmentation", offsetof(nvl72_options_t, fragmentation), fragmentations},
    {NVL72_PREFIX "Clique", offsetof(nvl72_options_t, clique), cliques},
    {NVL72_PREFIX "Aggregate", offsetof(nvl72_options_t, aggregate), aggregates},
    {NVL72_PREFIX "NewBlocks", offsetof(nvl72_options_t, new_blocks), new_blocks},
    {NULL},
};

static void _set(nvl72_options_t* options, const nvl72_option_t* option, int value) {
    memcpy((char*)options + option->offset, &value, sizeof(value));
}

static void _complain_value(const nvl72_option_t* option, const char* value) {
    char* allowed = NULL;

    for (const nvl72_choice_t* choice = option->choices; choice->word; choice++)
        xstrfmtcat(allowed, "%s%s", allowed ? " or " : "", choice->word);
    error("TopologyParam: %s=%s is unknown, %s is used; write %s=%s", option->key, value,
          option->choices[0].word, option->key, allowed);
    xfree(allowed);
}

/* The one option that is a text. */
static void _read_clique_prefix(nvl72_options_t* options, const char* value, bool quiet) {
    if (value && value[0] && (strlen(value) < sizeof(options->clique_prefix))) {
        strcpy(options->clique_prefix, value);
        return;
    }
    if (quiet) return;
    error("TopologyParam: " NVL72_CLIQUE_PREFIX
          "=%s is %s, no prefix is used; write a text of 1 to %zu letters",
          value ? value : "", (value && value[0]) ? "too long" : "empty",
          sizeof(options->clique_prefix) - 1);
}

static void _complain_key(const char* word) {
    char* known = NULL;

    for (const nvl72_option_t* option = options_table; option->key; option++)
        xstrfmtcat(known, "%s, ", option->key);
    xstrcat(known, NVL72_CLIQUE_PREFIX);
    error("TopologyParam: %s is unknown and ignored; the options are %s", word, known);
    xfree(known);
}

/* One word, "key" or "key=value"; value is "" when absent. */
static void _read_word(nvl72_options_t* options, char* word, bool quiet) {
    char* value = strchr(word, '=');

    if (value) *value++ = '\0';
    if (!xstrcasecmp(NVL72_CLIQUE_PREFIX, word)) {
        _read_clique_prefix(options, value, quiet);
        return;
    }
    for (const nvl72_option_t* option = options_table; option->key; option++) {
        if (xstrcasecmp(option->key, word)) continue;
        for (const nvl72_choice_t* choice = option->choices; choice->word; choice++) {
            if (!xstrcasecmp(choice->word, value)) {
                _set(options, option, choice->value);
                return;
            }
        }
        if (!quiet) _complain_value(option, value ? value : "");
        return;
    }
    if (!quiet) _complain_key(word);
}

extern nvl72_options_t nvl72_read_options(const char* topology_param, bool quiet) {
    nvl72_options_t options = {0};
    char *copy = xstrdup(topology_param), *rest = NULL;

    for (const nvl72_option_t* option = options_table; option->key; option++)
        _set(&options, option, option->choices[0].value);
    for (char* word = copy ? strtok_r(copy, ", ", &rest) : NULL; word;
         word = strtok_r(NULL, ", ", &rest)) {
        if (!xstrncasecmp(word, NVL72_PREFIX, strlen(NVL72_PREFIX)))
            _read_word(&options, word, quiet);
    }
    xfree(copy);
    return options;
}

static const char* _word(const nvl72_options_t* options, const nvl72_option_t* option) {
    int value;

    memcpy(&value, (const char*)options + option->offset, sizeof(value));
    for (const nvl72_choice_t* choice = option->choices; choice->word; choice++) {
        if (choice->value == value) return choice->word;
    }
    return "?";
}

extern char* nvl72_options_text(const nvl72_options_t* options) {
    char* text = NULL;

    for (const nvl72_option_t* option = options_table; option->key; option++)
        xstrfmtcat(text, "%s%s=%s", text ? " " : "", option->key, _word(options, option));
    if (options->clique_prefix[0])
        xstrfmtcat(text, " " NVL72_CLIQUE_PREFIX "=%s", options->clique_prefix);
    return text;
}
