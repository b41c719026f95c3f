#ifndef DOMAIN_APPLICATION_H
#define DOMAIN_APPLICATION_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/expr.h"
#include "domain/template.h"

/* An application as data: its columns, what is legal, how candidates are enumerated, which
 * structural model fits it. Read from a libconfig text (data/classes/NAME.conf), made from
 * flags at import (application_ad_hoc), and stored as that text in the knowledge base. */

enum column_role {
	COL_PROBLEM,  /* what is to be solved: it_g, jt_g, kt */
	COL_WORKLOAD, /* how much of it: iterations, angles, groups, time steps; has a default */
	COL_TUNABLE,  /* free to choose, changes time not the answer: mk, mmi, npe_i, npe_j */
	COL_RESOURCE, /* what is paid for: nodes, ppn, procs, threads */
	COL_DERIVED,  /* an expression over the others; never stored, always computed */
	COL_ROLE_COUNT
};
const char *column_role_name(enum column_role role);

enum column_type { COL_INT, COL_REAL, COL_TEXT };

/* A search lists the candidates of a column, and the legal combinations of all tunables, in memory:
 * so many of each at most. */
enum {
	MAX_COLUMN_CANDIDATES = 1 << 20,
	MAX_TUNINGS_LISTED = 1 << 22,
	MAX_TUNINGS_JUDGED = 1 << 28 /* by the rules of legality */
};

/* Where the candidate values of a tunable come from when nobody fixed it. */
enum candidates {
	CAND_SEEN,     /* the values that occur in the runs (ad-hoc applications) */
	CAND_DIVISORS, /* the divisors of column `of` */
	CAND_RANGE,    /* every integer from min to max (or to column `of`) */
	CAND_LIST,     /* list[0..n_list-1] */
	CAND_GRID      /* member of the processor grid: the product of all such columns is procs */
};

struct column {
	char *name;
	enum column_role role;
	enum column_type type;
	char *unit; /* "cells", "s", ...; "" = a count */
	char *doc;  /* one line for people */
	double min; /* inclusive; -INFINITY, INFINITY: none */
	double max;
	double dflt;  /* workload default; NaN: none, the value is required */
	char **alias; /* further headers it goes by in files; matched like names */
	size_t n_alias;
	char *flag; /* "mk" for --mk; NULL: only --set NAME=VALUE */
	enum candidates candidates;
	size_t of; /* column index for CAND_DIVISORS, CAND_RANGE; SIZE_MAX: none */
	double *list;
	size_t n_list;
	struct expr *derived; /* COL_DERIVED only */
	struct levels levels; /* COL_TEXT only; grown by whoever loads rows */
};

/* A per-processor size that files may give instead of the global one: global = local * by. */
struct local_size {
	char *name;    /* "it" */
	size_t global; /* column index of it_g */
	size_t by;     /* column index of npe_i */
};

struct legality {
	struct expr *condition; /* must hold */
	char *text;		/* the condition as written */
	char *why;		/* the sentence people get when it does not */
};

/* How a run is started, for job scripts: the group `job` of the definition. It says nothing about
 * what runs mean. */
struct input_file {
	char *name; /* in the directory that the program runs in */
	struct template *text;
};
struct job_template {
	struct template *command; /* the program and its arguments; NULL: not known */
	struct input_file *input;
	size_t n_input;
	struct legality *required; /* what command and input files can express */
	size_t n_required;
};

/* The terms of time, for the predictor: time is a sum of these terms, each times a cost >= 0
 * that is fitted to the runs (mining/structure/terms_model.h). A term is an expression with math
 * (expr.h) over the columns and the names of `let`, each of which may use those above it. */
enum { APPLICATION_MAX_TERMS = 32, APPLICATION_MAX_TERM_VALUES = 192 };
struct term_name {
	char *name;
	char *text;
	struct expr *value;
};
struct term {
	char *text;
	struct expr *value;
	bool communication; /* else computation */
};
struct application_terms {
	struct term_name *let;
	size_t n_let; /* columns and names together: at most APPLICATION_MAX_TERM_VALUES */
	struct term *term;
	size_t n; /* 0: the definition has none; at most APPLICATION_MAX_TERMS, computation first */
	bool *used; /* of columns and names: does a term depend on it? NULL: there are no terms */
};

/* --grid 8x16 sets several columns at once. */
struct group_flag {
	char *flag;	/* "grid" */
	size_t *column; /* npe_i, npe_j */
	size_t n;
};

struct application {
	char *name;
	char *title;
	char **alias; /* other values of an `app` column that belong to this application */
	size_t n_alias;

	struct column *column; /* the columns of a row, in this order everywhere */
	size_t n_columns;
	/* Well-known columns; SIZE_MAX where the application has none. */
	size_t i_nodes, i_ppn, i_procs, i_threads;

	struct local_size *local;
	size_t n_local;
	struct legality *legality;
	size_t n_legality;
	struct group_flag *group; /* [0] with candidates = GRID is the processor grid */
	size_t n_group;

	char *target; /* header of the run time, e.g. "runtime_s" */
	char **target_alias;
	size_t n_target_alias;
	double target_unit_s; /* seconds per unit of the target column when the header names none */

	struct expr *memory_bytes_per_proc; /* NULL: not known */
	struct job_template job;
	struct application_terms terms;
	char *model; /* structural model: "wavefront", or NULL */
	bool ad_hoc; /* made from flags, no definition file */

	char *definition; /* the libconfig text all this came from */
	char sha256[65];  /* of definition */

	struct expr_scope scope; /* over column[] */
	const char **scope_name;
	const struct levels **scope_levels;
	bool *scope_integer;
};

/* Parse a definition; origin names it in messages ("FILE:line: ..."). Every inconsistency is an
 * error with file, line and what would be right: unknown keys, columns used but not declared,
 * cycles among derived columns (a derived column may use only columns above it), a column that is
 * an SQL keyword of the run table (run_id, wall_s, ...), a grid without procs. Errors: PARSE. */
enum err_code application_parse(const char *text, const char *origin, struct application **out,
				struct err *e);
enum err_code application_read(const char *path, struct application **out, struct err *e);
void application_free(struct application *a);
/* Can a search list the candidates? A new definition whose ranges, or whose combinations of
 * tunables without a rule of legality, are too many is refused; one that is stored stays readable.
 * Errors: PARSE (names the columns). */
enum err_code application_check_candidates(const struct application *a, struct err *e);
/* Are there more combinations of tunables than a search judges by the rules of legality, so that it
 * wants some of them given? *out: "a (1000), b (1000) have 1000000 combinations, and ...". */
bool application_has_too_many_tunings(const struct application *a, struct strbuf *out);

/* phi[terms.n] at a complete row, derived columns computed. false: a term is negative or no finite
 * number there, or all are 0, or the application has none. */
bool application_terms_at(const struct application *a, const double *row, double *phi);
/* Does a term depend on column i, be it by way of names and derived columns? */
bool application_terms_use(const struct application *a, size_t i_column);
/* Answers that once and for all, for whoever makes terms: terms.used has room for all columns and
 * names, and is all false. */
void application_mark_terms(struct application *a);
/* What the terms hold, not the terms themselves. */
void application_free_terms(struct application_terms *terms);
/* All that its value follows from: "own * own; procs = npe_i * npe_j; own = n / procs". */
void application_put_term(const struct application *a, size_t k, struct strbuf *out);

/* The application's definition with `keys` (let, compute, communication; complete lines) in place
 * of the terms that it has, at the end of the group `application`. Comments that begin with "#:"
 * are taken out as well: those of an earlier proposal. All else stays as it is, byte for byte.
 * Errors: PARSE (there is no such group), NOMEM. */
enum err_code application_replace_terms(const struct application *a, const char *keys,
					struct strbuf *out, struct err *e);

/* A column of sizes (280x280x255) of the file, and the columns that its numbers became: its group.
 */
enum { AD_HOC_SIZES_MAX = 4 };
struct ad_hoc_sizes {
	char *header;
	char *part[AD_HOC_SIZES_MAX + 1]; /* NULL-terminated */
};
/* The flag of the group: the header in small letters, what flags cannot have as low lines. */
enum { AD_HOC_FLAG_SIZE = 64 };
void ad_hoc_sizes_flag(const char *header, char flag[AD_HOC_FLAG_SIZE]);

/* An application without a definition file. Each list is column names, NULL-terminated (may be
 * NULL); resource fields are named nodes, ppn, procs, threads. Gives the definition text; parse it
 * to get the application. Integer or real is not known from flags: `real` columns are REAL, text
 * ones (categorical) TEXT. */
struct ad_hoc {
	const char *name;
	const char *target;
	double target_unit_s;
	const char *const *problem;
	const char *const *tunable;
	const char *const *categorical;	    /* subset of problem and tunable: text */
	const char *const *bytes;	    /* another: sizes with their unit, stored in bytes */
	const char *const *resource_column; /* header, resource_field[i] = field it fills */
	const char *const *resource_field;
	const char *const *constraint; /* conditions that every run meets, over column names */
	const char *const *grid;       /* columns whose product is procs; tunable if not named */
	const char *const *candidates; /* "tile=8..256*2", "n=1..9", "k=10..50+10": also unseen */
	const struct ad_hoc_sizes *sizes; /* whose parts are among the columns; header NULL ends */
};
enum err_code application_ad_hoc_text(const struct ad_hoc *spec, struct strbuf *out, struct err *e);

/* A column of a file that no application may claim: import reads it itself (app, machine, source,
 * ...).
 */
bool application_reserves_header(const char *header);

/* Index of a column by name or alias, case-insensitive; SIZE_MAX: none. */
size_t application_column(const struct application *a, const char *name);
/* Is `name` this application (its name or an alias)? */
bool application_is(const struct application *a, const char *name);
/* "--mk" -> column; "--grid" -> group. A resource goes by its name where the definition brings no
 * flag of it: "--nodes". SIZE_MAX / NULL: none. */
size_t application_flag_column(const struct application *a, const char *flag);
const struct group_flag *application_flag_group(const struct application *a, const char *flag);
/* Does the application have a processor grid (columns with CAND_GRID)? */
const struct group_flag *application_grid(const struct application *a);

/* The SQL name of its run table: "run_" + name with other characters made '_'. */
void application_table(const struct application *a, char *buf, size_t size);

#endif
