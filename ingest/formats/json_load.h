#ifndef INGEST_FORMATS_JSON_LOAD_H
#define INGEST_FORMATS_JSON_LOAD_H
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* JSON read whole or not at all. Where jansson (2.14) cannot grow the buffer of the string or
 * number that it is in, it goes on without a character: another number, and where it is the closing
 * quote, it runs beyond the buffer. */
struct json_t;
struct json_error_t;

/* text[0..n-1] as json_loadb() reads it; `goes_on`, unless it is NULL, is asked now and then.
 * Errors: PARSE (*why says where; no message), NOMEM and INTERRUPTED (it said no; neither has a
 * message). */
enum err_code json_load(const char *text, size_t n, size_t flags, bool (*goes_on)(void *arg),
			void *arg, struct json_t **out, struct json_error_t *why);

#endif
