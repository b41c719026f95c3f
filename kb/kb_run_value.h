#ifndef KB_KB_RUN_VALUE_H
#define KB_KB_RUN_VALUE_H
#include <math.h>
#include <stdint.h>
#include "kb/kb_sql.h"

/* The stored columns of one run on their way into or out of a run table: value[i] belongs to
 * a->column[i]. Derived columns are missing here. */
struct run_value {
	double number;	  /* NaN: missing, or a text column */
	const char *text; /* NULL: missing, or a numeric column */
};

/* From columns first, first + 1, ... of a statement that selects the stored columns in order. */
void run_values_from_row(const struct application *a, sqlite3_stmt *s, int first,
			 struct run_value *value);
/* Those columns as SQL: ", \"it_g\", \"jt_g\", ...", each after prefix ("" or "r."). */
void run_values_put_names(const struct application *a, const char *prefix, struct strbuf *sql);

/* 64-bit hashes of what a run says, independent of the order of columns and of ids, so that two
 * bases agree on them. Not made against malice: who relies on equality compares the values. */
uint64_t hash_text(const char *text);
/* The hash of a name, whatever its case. */
uint64_t hash_name(const char *name);
/* What a run says besides the columns of its application; machine is the hash of its name.
 * n_repeats: 1 for a raw run; repeat: 0 for none. */
uint64_t hash_run(uint64_t machine, const char *source, const char *status, double wall_s,
		  double n_repeats, double repeat);
/* One named value; a set of them is the sum. */
uint64_t hash_field(uint64_t name, const struct run_value *v);
uint64_t hash_number_field(uint64_t name, double number);

/* Of all that a row of a run table says: what is in its content hash, and line, computed, extra. It
 * is moved to another line without the rest of the row. */
uint64_t hash_row(uint64_t content, int64_t line, const char *computed, const char *extra);
uint64_t hash_row_move(uint64_t row_hash, int64_t from_line, int64_t to_line);

#endif
