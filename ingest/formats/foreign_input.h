#ifndef INGEST_FORMATS_FOREIGN_INPUT_H
#define INGEST_FORMATS_FOREIGN_INPUT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"

/* A file of another program, line by line or whole. */
struct foreign_input;

/* Up to cap bytes of it; *n = 0 at the end. With cap 0 it only asks whether to go on. Errors: its
 * own; INTERRUPTED. */
typedef enum err_code (*foreign_read)(void *arg, void *buf, size_t cap, size_t *n, struct err *e);

enum { FOREIGN_LINE_MAX = 1 << 20 }; /* bytes of one line */

struct foreign_line {
	uint64_t number; /* 1-based, as an editor counts */
	const char
		*text; /* NUL-terminated, without LF or CR LF; NULL: the end. Good until the next */
	size_t len;
};

/* name (borrowed) is what messages begin with. max_bytes: what is read at most, as all of a table
 * is held in memory; 0: no limit. Errors: NOMEM. */
enum err_code foreign_input_new(const char *name, foreign_read read, void *arg, uint64_t max_bytes,
				struct foreign_input **out, struct err *e);
/* What the user says about files that hold more than wanted, or say less; all may be NULL. */
struct foreign_choice {
	const char *region;	   /* of a profile; "*": all, as rows */
	const char *metric;	   /* of a measurement */
	const char *patterns;	   /* text of the file of patterns, for logs */
	const char *patterns_name; /* what messages call it */
	const char *const *match;  /* "COLUMN=TEMPLATE" each, which rows have to look like */
};
void foreign_input_set_choice(struct foreign_input *in, const struct foreign_choice *choice);
/* Never NULL. */
const struct foreign_choice *foreign_input_choice(const struct foreign_input *in);
const char *foreign_input_name(const struct foreign_input *in);
/* A byte order mark is passed over. Errors: those of the read; PARSE (a NUL byte, a line longer
 * than FOREIGN_LINE_MAX, more than max_bytes), NOMEM. */
enum err_code foreign_input_line(struct foreign_input *in, struct foreign_line *out, struct err *e);
/* All of it, or all that no line took; NUL-terminated, good until the input is freed. Errors: as
 * foreign_input_line(), but lines may have any length. */
enum err_code foreign_input_text(struct foreign_input *in, const char **text, size_t *n,
				 struct err *e);
/* For work between reads that may be long: asks whether to go on. Errors: INTERRUPTED. */
enum err_code foreign_input_poll(const struct foreign_input *in, struct err *e);
/* "FILE:LINE: what is wrong". Returns PARSE. */
enum err_code foreign_input_fault(const struct foreign_input *in, uint64_t line, struct err *e,
				  const char *fmt, ...) __attribute__((format(printf, 4, 5)));
void foreign_input_free(struct foreign_input *in);

/* One of the words of a line, which blanks and tabs separate. */
struct blank_field {
	const char *at; /* len characters, no NUL behind */
	size_t len;
};

/* The first max words of text into out; returns how many there are in all. */
size_t blank_fields(const char *text, struct blank_field *out, size_t max);
/* The word as text, cut to size - 1 characters; returns buf. */
const char *blank_field_copy(const struct blank_field *f, char *buf, size_t size);
bool blank_field_is(const struct blank_field *f, const char *word);
/* A finite decimal number. *out is written only then. */
bool blank_field_number(const struct blank_field *f, double *out);

#endif
