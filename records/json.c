/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json.h"

#include <inttypes.h>
#include <stdio.h>

static bool follows; /* another value, in the same brackets */

static void _begin(const char* key) {
    if (follows) putchar(',');
    follows = true;
    if (key) printf("\"%s\":", key);
}

/* How many bytes of UTF-8 begin at `text`, with their character; 0 for a byte that begins none. */
static int _decode(const unsigned char* text, uint32_t* code) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    int bytes = text[0] < 0x80             ? 1
                : (text[0] & 0xe0) == 0xc0 ? 2
                : (text[0] & 0xf0) == 0xe0 ? 3
                : (text[0] & 0xf8) == 0xf0 ? 4
                                           : 0;

    *code = bytes > 1 ? text[0] & (0xff >> (bytes + 1)) : text[0];
    for (int i = 1; i < bytes; i++) {
        if ((text[i] & 0xc0) != 0x80) return 0;
        *code = (*code << 6) | (text[i] & 0x3f);
    }
    if (*code < least[bytes] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000)) return 0;
    return bytes;
}

static void _write_character(uint32_t code) {
    if (code == '"' || code == '\\')
        printf("\\%c", (char)code);
    else if (code >= 0x20 && code < 0x7f)
        putchar((int)code);
    else if (code < 0x10000)
        printf("\\u%04" PRIx32, code);
    else
        printf("\\u%04" PRIx32 "\\u%04" PRIx32, 0xd800 + ((code - 0x10000) >> 10),
               0xdc00 + (code & 0x3ff));
}

static void _write_text(const char* text) {
    const unsigned char* at = (const unsigned char*)text;
    uint32_t code;
    int bytes;

    putchar('"');
    for (; *at; at += bytes ? bytes : 1) {
        bytes = _decode(at, &code);
        if (bytes)
            _write_character(code);
        else
            printf("\\\\x%02x", *at); /* as the command shows bytes that are not UTF-8 */
    }
    putchar('"');
}

extern void json_open(const char* key, char bracket) {
    _begin(key);
    if (!key) putchar('\n'); /* a record on each line */
    putchar(bracket);
    follows = false;
}

extern void json_close(char bracket) {
    putchar(bracket);
    follows = true;
}

extern void json_text(const char* key, const char* text) {
    if (!text || !*text) return;
    _begin(key);
    _write_text(text);
}

extern void json_count(const char* key, uint64_t number) {
    if (!number) return;
    _begin(key);
    printf("%" PRIu64, number);
}

extern void json_integer(const char* key, int64_t number) {
    _begin(key);
    printf("%" PRId64, number);
}

extern void json_flag(const char* key, bool flag) {
    if (!flag) return;
    _begin(key);
    fputs("true", stdout);
}

extern bool json_end(void) {
    putchar('\n');
    return fflush(stdout) == 0 && !ferror(stdout);
}
