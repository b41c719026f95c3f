#ifndef INGEST_FORMATS_FOREIGN_JSON_H
#define INGEST_FORMATS_FOREIGN_JSON_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "ingest/formats/foreign_input.h"
#include "ingest/formats/foreign_table.h"

struct json_t;
struct json_error_t;

/* JSON read whole or not at all. Where jansson (2.14) cannot grow the buffer of the string or
 * number that it is in, it goes on without a character: another number, and where it is the closing
 * quote, it runs beyond the buffer. */
/* text[0..n-1] as json_loadb() reads it; `goes_on`, unless it is NULL, is asked now and then.
 * Errors: PARSE (*why says where; no message), NOMEM and INTERRUPTED (it said no; neither has a
 * message). */
enum err_code json_load(const char *text, size_t n, size_t flags, bool (*goes_on)(void *arg),
			void *arg, struct json_t **out, struct json_error_t *why);

/* JSON of other programs as a tree that knows in which line of the file each object stands. */
struct foreign_json;

enum { FOREIGN_JSON_DEPTH_MAX = 64 }; /* objects and arrays within each other */

/* All of the input is one value. NaN, Infinity and -Infinity, which are no JSON but which Python
 * writes, are "", a gap. Errors: those of foreign_input_text(); PARSE (file, line, column: no JSON,
 * a member twice, deeper than FOREIGN_JSON_DEPTH_MAX, numbers too large), NOMEM. */
enum err_code foreign_json_read(struct foreign_input *in, struct foreign_json **out, struct err *e);
/* text[0..n-1], which begins in that line, is one value. */
enum err_code foreign_json_parse(const struct foreign_input *in, const char *text, size_t n,
				 uint64_t line, struct foreign_json **out, struct err *e);
/* Borrowed from the tree, like all of its members. */
const struct json_t *foreign_json_root(const struct foreign_json *j);
/* The line in which the object begins; 1 where it is none of the tree. */
uint64_t foreign_json_line(const struct foreign_json *j, const struct json_t *object);
void foreign_json_free(struct foreign_json *j);

/* A member that must be there, of this type (json_type of jansson). Errors: PARSE (file, line; what
 * is wanted), and NULL then. */
const struct json_t *foreign_json_member(const struct foreign_input *in,
					 const struct foreign_json *j, const struct json_t *object,
					 const char *key, int type, struct err *e);
/* A string, number or truth value, or null as "", as a cell of the row under way. False: an array
 * or object, which is no cell; a column without a name. */
bool foreign_json_put(struct foreign_table *t, const char *column, const struct json_t *value);
/* All members that are cells. */
void foreign_json_put_members(struct foreign_table *t, const struct json_t *object);
/* All members that are numbers or single words of up to 64 bytes: of a list of all that is known of
 * a run, what may tell runs apart; paths, command lines and scripts are passed over. */
void foreign_json_put_words(struct foreign_table *t, const struct json_t *object);
/* The text of a member that is a string; NULL: none. */
const char *foreign_json_string(const struct json_t *object, const char *key);

/* For recognition, from the first bytes of a file: does it begin with this bracket, and is there a
 * member of this name (at any depth)? */
bool foreign_json_begins(const char *head, char bracket);
bool foreign_json_has_key(const char *head, const char *key);

#endif
