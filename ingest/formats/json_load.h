#ifndef INGEST_FORMATS_JSON_LOAD_H
#define INGEST_FORMATS_JSON_LOAD_H
#include <stdbool.h>
#include <stddef.h>

/* JSON read whole or not at all. jansson passes over some of its allocations that fail: a text is
 * then called invalid, or a character of a long string or number is left out without a word. Here
 * such a text is NULL, and *no_memory is set. */
struct json_t;
struct json_error_t;

/* As json_load_callback(): feed(buf, cap, arg) puts up to cap bytes there and returns how many, 0
 * at the end, (size_t)-1 where it failed. */
struct json_t *json_load_feed(size_t (*feed)(void *buf, size_t cap, void *arg), void *arg,
			      size_t flags, struct json_error_t *why, bool *no_memory);
/* As json_loads() without flags. */
struct json_t *json_load_text(const char *text, struct json_error_t *why, bool *no_memory);

#endif
