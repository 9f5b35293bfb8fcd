/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Writes one JSON document to standard output, in ASCII. A member whose value is none (no text, 0,
 * false) is left out; for a number that may be 0 there is json_integer().
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* `key` is NULL in a list and for the document; `bracket` is '{' or '['. */
extern void json_open(const char* key, char bracket);
extern void json_close(char bracket);

extern void json_text(const char* key, const char* text);
extern void json_count(const char* key, uint64_t number);
extern void json_integer(const char* key, int64_t number);
extern void json_flag(const char* key, bool flag);

/* Ends the document. False if it could not be written. */
extern bool json_end(void);
