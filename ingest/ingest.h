#ifndef INGEST_INGEST_H
#define INGEST_INGEST_H
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "domain/application.h"
#include "domain/machine.h"
#include "ingest/formats/foreign_format.h"
#include "kb/kb.h"

/* Import of one table of runs into the knowledge base: one transaction, all or nothing. */

struct ingest_result;

struct ingest_options {
	const char *path;	  /* "-": stdin */
	const char *text;	  /* the table itself: path is then only its name, kept whole */
	const char *app;	  /* NULL: from the app column, or the base's only application */
	const char *machine;	  /* NULL: from the machine column */
	int source;		  /* enum run_source, -1: from the source column, else measured */
	const char *const *map;	  /* "COL=FIELD" each, NULL-terminated; may be NULL */
	const char *const *unit;  /* "COL=ms" each */
	const char *const *match; /* "COL=TEMPLATE" each (row_match.h): rows of another format */
	const char *format;	  /* of the file: "auto", "sacct", ...; NULL, "csv": CSV */
	const char *region;	  /* of a profile: the one that is the run; "*": all */
	const char *metric;	  /* of measurements: the one that is the time */
	const char *patterns;	  /* file of patterns, for logs */
	char decimal;		  /* '.' or ',', the other separates thousands; 0: as found */
	char delimiter;		  /* between columns; 0: as found */
	struct machine_node node; /* of machines that nothing is known of; 0: not told */
	const struct ad_hoc *ad_hoc; /* an application made from flags; NULL: a known one */
	bool dry_run;
	bool strict;		    /* one refused row refuses the file */
	bool keep_personal;	    /* store user, account, host, command-line columns */
	uint64_t max_bytes;	    /* of the file, and of what it unpacks to; 0: no limit */
	uint64_t foreign_max_bytes; /* of one in another format than CSV, held in memory; 0: so */
	const char *rejects;	    /* file for refused rows; NULL: none */
	const struct progress *progress;
	/* What is to be stored with it, all or nothing: called in the transaction of the import, at
	 * its end, and where the whole file was known (result->already_import), in one of its own.
	 * An error undoes the import. Not on a dry run. NULL: nothing. */
	enum err_code (*also)(struct kb *kb, const struct ingest_result *result, void *arg,
			      struct err *e);
	void *also_arg;
};

/* Refused rows by reason. */
struct ingest_reason {
	char *text;
	int64_t n;
	int64_t first_line;
};
struct ingest_result {
	struct kb_import import; /* n_taken, n_refused, n_known, n_flagged; id 0 on a dry run */
	int64_t n_rows;
	int64_t n_aggregates;
	int64_t already_import; /* the whole file was known: the id of that import; else 0 */
	struct ingest_reason *reason;
	size_t n_reason;
	char **new_machine; /* names created on the way */
	size_t n_new_machine;
	struct strbuf
		notes; /* one line each: units assumed, columns kept or dropped, derived ones */
};
/* Errors: PARSE (no such file; file, line, column, what would be right; no valid row at all; any
 * refused row under strict), NOTFOUND (no such application: says what to type), ARG (--map or
 * --unit that fits nothing, no machine, rejects over the input), IO, INTERRUPTED, KB, BUSY. On any
 * error the base is as it was; *out is then still filled in as far as known, for the summary
 * (refused rows by reason) and must be released either way. */
enum err_code ingest_file(struct kb *kb, const struct ingest_options *o, struct ingest_result *out,
			  struct err *e);
void ingest_result_release(struct ingest_result *r);

/* A ping-pong file: message_bytes, roundtrip_us (or _ns _ms _s), further columns ignored; but
 * where pair_nodes tells pairs of one node (1) from those of two (2), only the latter are taken, if
 * there are any. Or what osu_latency prints. p (may be NULL) is asked whether to go on. Errors:
 * those of the file, PARSE (it is no such table, or one of more bytes or round trips than any
 * measurement has), INTERRUPTED, NOMEM. */
enum err_code pingpong_read(const char *path, const struct progress *p, struct kb_pingpong *out,
			    char sha256[65], struct err *e);

#endif
