#ifndef INGEST_FORMATS_FOREIGN_FORMAT_H
#define INGEST_FORMATS_FOREIGN_FORMAT_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "ingest/formats/foreign_input.h"
#include "ingest/formats/foreign_table.h"

/* What other programs write, turned into a table of text: a header of column names that import
 * knows (or that the user's flags name), and a row for each run with the line it stands in.
 * Mapping, units, checks, refused rows and the transaction are those of CSV.
 *
 * A format is one file, format_NAME.c, and one word here. */
#define FOREIGN_FORMAT_MAP(X) \
	X(sacct)              \
	X(swf)                \
	X(sweep3d)            \
	X(hpl)                \
	X(osu)                \
	X(extrap)             \
	X(extrap_jsonl)       \
	X(caliper)            \
	X(thicket)            \
	X(reframe)            \
	X(reframe_perflog)    \
	X(hyperfine)          \
	X(google_benchmark)   \
	X(t4)                 \
	X(gptune)             \
	X(ramble)             \
	X(log)

/* "sacct swf": as a list of values has them. */
#define FOREIGN_FORMAT_WORD_(name) " " #name
#define FOREIGN_FORMAT_WORDS FOREIGN_FORMAT_MAP(FOREIGN_FORMAT_WORD_)

struct foreign_format {
	const char *name;  /* "sacct" */
	const char *title; /* "accounting of Slurm (sacct --parsable2)" */
	/* Is it that, from the first n bytes (head[n] is NUL; all there is if whole)? Sure of it:
	 * what is not recognised is read as CSV, and no CSV table may be taken for something else.
	 */
	bool (*recognise)(const char *head, size_t n, bool whole);
	/* Everything into the table. Errors: PARSE (file, line, what would be right), and those of
	 * foreign_input_line(), foreign_input_text() and foreign_table_end_row(). */
	enum err_code (*read)(struct foreign_input *in, struct foreign_table *out, struct err *e);
	/* Rows are message sizes and round-trip times, for `calibrate`: no runs. */
	bool is_pingpong;
	/* What of struct foreign_choice it asks for. */
	bool takes_region, takes_metric, takes_patterns;
};

#define FOREIGN_FORMAT_DECLARE_(name) extern const struct foreign_format format_##name;
FOREIGN_FORMAT_MAP(FOREIGN_FORMAT_DECLARE_)

/* A job that people or the scheduler ended, whatever it was doing, would have taken longer than it
 * ran: it counts as cut there, as one that met its limit does. Left out, only the short ones of
 * long jobs would remain. In less than this [s] most of them have done nothing yet, and they are
 * passed over. */
#define FOREIGN_LEAST_CUT_S 60
/* "60 s", for messages. */
#define FOREIGN_DIGITS_(n) #n
#define FOREIGN_DIGITS(n) FOREIGN_DIGITS_(n)
#define FOREIGN_LEAST_CUT_TEXT FOREIGN_DIGITS(FOREIGN_LEAST_CUT_S) " s"

enum { FOREIGN_HEAD_MAX = 64 * 1024 }; /* bytes that recognise() is shown at most */

/* The format that recognises the first n bytes; NULL: none. */
const struct foreign_format *foreign_format_recognise(const char *head, size_t n, bool whole);
/* NULL: no such name. */
const struct foreign_format *foreign_format_find(const char *name);
/* The i-th of all; NULL behind the last. */
const struct foreign_format *foreign_format_at(size_t i);

#endif
