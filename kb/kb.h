#ifndef KB_KB_H
#define KB_KB_H
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "domain/application.h"
#include "domain/dataset.h"
#include "domain/findings.h"
#include "domain/machine.h"
#include "domain/rule.h"

/* The knowledge base: one SQLite file. Facts (applications, machines, imports, runs, ping-pong),
 * knowledge (fits; rebuilt by `mine`) and judgement (exclusions, recommendations, settings) are
 * kept apart; docs/schema.md describes every table. Any number of struct kb may be open at once.
 *
 * Errors of all functions: KB (SQLite refused; the message names the statement), BUSY (another
 * process writes and did not finish in time), NOMEM, and those named. */
struct kb;

enum { KB_APPLICATION_ID = 0x4c4d4e53 }; /* "LMNS" */

enum kb_mode {
	KB_READ,   /* changes nothing; a file in a read-only directory works too */
	KB_WRITE,  /* exists; pending migrations are applied */
	KB_CREATE, /* made if missing, with its directories */
	KB_INSPECT /* KB_READ for kb_check(): also a base whose views somebody else changed */
};

struct kb_options {
	/* Called once when a writer has to wait for another, "process 12 (lemnos)" if it is known
	 * who that is; then waiting goes on up to max_wait_s, which is busy_timeout_ms (0: a
	 * default of 60 s). May be NULL. */
	void (*on_wait)(void *arg, const char *holder, int max_wait_s);
	void *arg;
	int busy_timeout_ms;
	bool safe_journal; /* treat the file as one on a network file system: no WAL */
	/* Asked now and then, by long statements and while waiting, whether to go on; may be NULL.
	 * When it says no they fail with ERR_INTERRUPTED. */
	const struct progress *progress;
};

/* Open path. o may be NULL. Errors: NOTFOUND (no such file; says how to make one), SCHEMA (newer
 * schema, or a foreign SQLite file, or no SQLite file at all; names both versions), IO. */
enum err_code kb_open(const char *path, enum kb_mode mode, const struct kb_options *o,
		      struct kb **out, struct err *e);
void kb_close(struct kb *kb);
int kb_schema_version(void);	     /* of this program */
const char *kb_sqlite_version(void); /* of the library that is used, "3.40.1" */
const char *kb_path(const struct kb *kb);
const char *kb_journal_mode(struct kb *kb); /* "wal", or "delete" on a network file system */

/* Write transactions (BEGIN IMMEDIATE). Single functions below make their own when none is open.
 * kb_rollback() never fails and is allowed when none is open. KB besides: the file was deleted,
 * renamed or replaced since it was opened; then nothing is stored. */
enum err_code kb_begin(struct kb *kb, struct err *e);
enum err_code kb_commit(struct kb *kb, struct err *e);
void kb_rollback(struct kb *kb);
/* One consistent read snapshot over several calls; a write transaction is one as well. */
enum err_code kb_begin_read(struct kb *kb, struct err *e);
void kb_end_read(struct kb *kb);

/* ---- applications and machines (kb_applications.c, kb_machines.c, kb_names.c) ---- */

/* Store or replace a definition; creates or extends the run table (columns are only ever added) and
 * the view over all runs. A change that would alter the meaning of a stored column (its type or
 * role) is ERR_ARG. *id may be NULL. */
enum err_code kb_put_application(struct kb *kb, const struct application *a, int64_t *id,
				 struct err *e);
enum err_code kb_put_machine(struct kb *kb, const struct machine *m, int64_t *id, struct err *e);

/* By name or alias; text columns come with the levels seen in the runs. Errors: NOTFOUND (lists
 * what there is). */
enum err_code kb_get_application(struct kb *kb, const char *name, struct application **out,
				 int64_t *id, struct err *e);
enum err_code kb_get_machine(struct kb *kb, const char *name, struct machine **out, int64_t *id,
			     struct err *e);
enum err_code kb_get_machine_by_id(struct kb *kb, int64_t id, struct machine **out, struct err *e);
/* Errors: ARG while runs refer to it. */
enum err_code kb_remove_application(struct kb *kb, const char *name, struct err *e);
enum err_code kb_remove_machine(struct kb *kb, const char *name, struct err *e);

struct kb_name {
	int64_t id;
	char *name;
	char *title;
	int64_t n_runs; /* of it, or of the pair asked for */
	bool is_default;
	bool simulated; /* machines */
};
struct kb_names {
	struct kb_name *item;
	size_t n;
};
/* All, sorted by name. kb_list_machines: runs of application app_id, or of all when app_id = 0. */
enum err_code kb_list_applications(struct kb *kb, struct kb_names *out, struct err *e);
enum err_code kb_list_machines(struct kb *kb, int64_t app_id, struct kb_names *out, struct err *e);
void kb_names_release(struct kb_names *names);

/* The base's defaults ("application", "machine"); value NULL removes; get gives NULL when unset
 * (caller frees). */
enum err_code kb_set_default(struct kb *kb, const char *what, const char *value, struct err *e);
enum err_code kb_get_default(struct kb *kb, const char *what, char **value, struct err *e);

/* ---- imports (kb_imports.c) ---- */

struct kb_import {
	int64_t id;
	char *file_name;
	char sha256[65];   /* of the uncompressed content as read */
	char *mapping;	   /* how columns were matched: canonical text, part of the identity */
	char *application; /* NULL for ping-pong files */
	char *machine;	   /* given by flag; NULL: a column of the file */
	char *imported_at; /* UTC, ISO 8601 */
	int64_t n_taken, n_refused, n_known;
	int64_t n_flagged;
	bool undone;
};
struct kb_imports {
	struct kb_import *item;
	size_t n;
};
enum err_code kb_list_imports(struct kb *kb, struct kb_imports *out, struct err *e);
void kb_imports_release(struct kb_imports *imports);
/* The id of an import with the same content, mapping, application and machine, not undone;
 * 0: none. */
enum err_code kb_find_import(struct kb *kb, const struct kb_import *like, int64_t *id,
			     struct err *e);
/* The latest other import of the same content for the application, whatever its mapping and
 * machine, not undone; 0: none. */
enum err_code kb_find_same_file(struct kb *kb, const struct kb_import *imp, int64_t *id,
				struct err *e);
/* "1, 4": the imports of runs of a that have no value of a column, but kept a cell of its name
 * beside them, as the definition did not have it then. Added to *out. Errors: NOMEM. */
enum err_code kb_imports_beside(struct kb *kb, const struct application *a, size_t column,
				struct strbuf *out, struct err *e);
/* Remove its runs; those that a later import brought too become that import's. The import's own row
 * stays, marked undone, and the same file may be imported again. *n_removed may be NULL. Errors:
 * NOTFOUND. */
enum err_code kb_undo_import(struct kb *kb, int64_t id, int64_t *n_removed, struct err *e);

/* ---- writing runs (kb_runs_write.c, kb_runs_pack.c, kb_runs_finish.c). Inside kb_begin() ..
 * kb_commit(). ---- */

/* [s] A time is at least the first, as no clock tells less, and below the second. */
#define KB_WALL_MIN_S 1e-9
#define KB_WALL_LIMIT_S 9e99

struct kb_run {
	const double *row; /* app->n_columns, NaN = NULL; derived columns are ignored */
	double wall_s;	   /* NaN: none (failed) */
	int64_t machine_id;
	enum run_source source;
	enum run_status status;
	uint32_t n_repeats;   /* > 1: an aggregate of so many */
	int64_t repeat;	      /* the file's repeat number, 0: none */
	int64_t line;	      /* line in the file */
	const char *computed; /* "procs,it_g": columns that were derived, not read; NULL: none */
	const char *flag;     /* why it is suspicious; NULL: it is not */
	const char *extra;    /* columns that were kept besides, as JSON; NULL */
};
struct kb_run_writer;

/* imp->id is set. */
enum err_code kb_run_writer_open(struct kb *kb, const struct application *a, int64_t app_id,
				 struct kb_import *imp, struct kb_run_writer **out, struct err *e);
/* Errors: ARG (a value or time that is not finite, not of its type, or <= 0; names file, line and
 * column). Errors of the base may come with a later run, or with kb_run_writer_finish(). */
enum err_code kb_run_writer_add(struct kb_run_writer *w, const struct kb_run *run, struct err *e);

/* Adding in steps, so that checking and storing can go on side by side: one thread packs batches,
 * in order, while the one that has the base stores them in that order. Only what is packed into one
 * batch and stored from another may overlap; kb_run_writer_meet() goes alone. */
struct kb_run_batch;
/* NULL: out of memory. */
struct kb_run_batch *kb_run_batch_new(const struct kb_run_writer *w);
void kb_run_batch_free(struct kb_run_batch *b);
bool kb_run_batch_is_full(const struct kb_run_batch *b);
/* Before the first run on a machine is packed. Errors: ARG (there is no such machine). */
enum err_code kb_run_writer_meet(struct kb_run_writer *w, int64_t machine_id, struct err *e);
/* b is not full. Errors: ARG as above, NOMEM; b then is as it was. */
enum err_code kb_run_writer_pack(struct kb_run_writer *w, const struct kb_run *run,
				 struct kb_run_batch *b, struct err *e);
/* b becomes empty. */
enum err_code kb_run_writer_store(struct kb_run_writer *w, struct kb_run_batch *b, struct err *e);

/* Drops rows that other imports already brought (same application, machine, source, columns, time
 * and repeat number; multiplicities respected), flags suspicious rows (time far below the others
 * of the same problem: see kb_run_groups.h), re-reads count and sum of the rows taken against what
 * was written, and fills in imp->n_taken, n_known and n_flagged. */
enum err_code kb_run_writer_finish(struct kb_run_writer *w, struct kb_import *imp,
				   const struct progress *p, struct err *e);
void kb_run_writer_free(struct kb_run_writer *w);

/* ---- reading runs (kb_runs_read.c) ---- */

struct kb_filter {
	int64_t machine_id; /* 0: any */
	bool excluded_too;  /* runs that somebody excluded */
	bool all_status;    /* failed ones too; default: ok and timeout */
	const char *where;  /* condition (domain/expr.h) over columns,
			     * wall_s, source, status, machine, import_id, run_id; NULL: all */
	int64_t limit;	    /* 0: all */
};
/* When runs were made: those of a machine whose files kept a date beside them, by run_id. Damaged
 * cells have none. Release with kb_run_dates_release(). Errors: NOMEM. */
struct kb_run_dates {
	size_t n, room;
	struct kb_run_date {
		int64_t run_id;
		double at_s; /* [s] since 1970 */
	} * item;
};
enum err_code kb_load_run_dates(struct kb *kb, const struct application *a, int64_t machine_id,
				struct kb_run_dates *out, struct err *e);
void kb_run_dates_release(struct kb_run_dates *d);
/* Of a run [s]; NaN: none is known. */
double kb_run_date_of(const struct kb_run_dates *d, int64_t run_id);
/* Is that how a column of dates is called? */
bool kb_is_date_name(const char *header);

/* What files said of runs beside the columns of the application: steps done, a residual, a flag.
 * Dates are read by kb_load_run_dates(). */
enum { KB_EXTRA_WORDS = 32 };
struct kb_extra_column {
	char *name;
	/* By run: NaN: no number; and 1 + the place of its word, 0: no word. Of more than
	 * KB_EXTRA_WORDS different words all have the place 0, and there is no text. */
	double *number;
	unsigned char *word;
	char *text[KB_EXTRA_WORDS]; /* ascending, by their bytes */
	size_t n_words;
	bool many_words;
};
struct kb_run_extras {
	size_t n_runs, n_columns;
	struct kb_extra_column *column; /* ascending by name */
};

/* Of the runs of a data set, in its order; so the order in which they came plays no part. runs: at
 * most KB_EXTRAS_RUNS, of one machine. Beyond KB_EXTRAS_CELLS the last columns are left out.
 * Damaged cells have none. Release with kb_run_extras_release(). Errors: NOMEM. */
enum { KB_EXTRAS_RUNS = 20000, KB_EXTRAS_CELLS = 1 << 22 };
enum err_code kb_load_run_extras(struct kb *kb, int64_t machine_id, const struct dataset *runs,
				 struct kb_run_extras *out, struct err *e);
void kb_run_extras_release(struct kb_run_extras *x);

/* Load runs in run_id order; text values that a's levels do not have yet are added to them. f may
 * be NULL. Errors: PARSE (the condition), INTERRUPTED. */
enum err_code kb_load_runs(struct kb *kb, const struct application *a, const struct kb_filter *f,
			   const struct progress *p, struct dataset **out, struct err *e);
/* Walk runs as text, for list and export: header names first (row 0), then one call per run, every
 * value as text, numbers so that they read back exactly (NULL: NULL). cb returns false to stop. */
enum err_code kb_walk_runs(struct kb *kb, const struct application *a, const struct kb_filter *f,
			   bool (*cb)(void *arg, size_t n_columns, const char *const *value),
			   void *arg, struct err *e);
enum err_code kb_count_runs(struct kb *kb, const struct application *a, const struct kb_filter *f,
			    int64_t *n, struct err *e);
/* Judgement: exclude or include again. Errors: NOTFOUND (a run id that does not exist). */
enum err_code kb_exclude_run(struct kb *kb, int64_t run_id, const char *who, const char *why,
			     struct err *e);
enum err_code kb_include_run(struct kb *kb, int64_t run_id, struct err *e);
struct kb_exclusion {
	char *who;	   /* NULL: it is not excluded */
	char *excluded_at; /* UTC, ISO 8601 */
	char *why;
};
enum err_code kb_get_exclusion(struct kb *kb, int64_t run_id, struct kb_exclusion *out,
			       struct err *e);
void kb_exclusion_release(struct kb_exclusion *x);

/* ---- ping-pong facts (kb_pingpong.c) ---- */

struct kb_pingpong {
	double *message_bytes;
	double *roundtrip_s;
	size_t n;
	bool inside_node; /* between processes of one node; false: of two, or nobody said */
};
/* struct kb_import.mapping: how facts about both are told apart. */
#define KB_PINGPONG_MAPPING "ping-pong"
#define KB_PINGPONG_INSIDE_MAPPING "ping-pong inside a node"
/* Imports are all or nothing and known by content, like runs. */
enum err_code kb_add_pingpong(struct kb *kb, int64_t machine_id, struct kb_import *imp,
			      const struct kb_pingpong *rows, struct err *e);
/* Those that count as the machine's: between nodes if there are any, else inside a node. */
enum err_code kb_load_pingpong(struct kb *kb, int64_t machine_id, struct kb_pingpong *out,
			       struct err *e);
void kb_pingpong_release(struct kb_pingpong *rows);

/* ---- knowledge (kb_knowledge.c, kb_message_cost.c, kb_snapshot.c): rebuilt by `mine` ---- */

/* The identity of the facts, judgements and given parameters that knowledge about
 * (application, machine) is made from: a hex hash over imports, exclusions and both definitions. */
enum err_code kb_snapshot(struct kb *kb, int64_t app_id, int64_t machine_id, char out[65],
			  struct err *e);

/* A named number of a fit. */
struct kb_param {
	char *name;
	double value;
	double std_error; /* NaN: none */
	char *unit;
	char *meaning;
};
struct kb_fit {
	int64_t app_id;
	int64_t machine_id;
	char *predictor; /* "wavefront", "log-linear", ... */
	char snapshot[65];
	char *explanation; /* one paragraph for people */
	int64_t n_runs;
	struct kb_param *param;
	size_t n_param;
	const struct kb_param **by_name; /* of a fit that was read: sorted; NULL: not known */
};
/* Replace the knowledge about (app, machine). An identical fit changes no byte of the file. */
enum err_code kb_put_fit(struct kb *kb, const struct kb_fit *fit, struct err *e);
/* Errors: NOTMINED. */
enum err_code kb_get_fit(struct kb *kb, int64_t app_id, int64_t machine_id, struct kb_fit *out,
			 struct err *e);
/* All fits, without their parameters. */
enum err_code kb_list_fits(struct kb *kb, struct kb_fit **out, size_t *n, struct err *e);
enum err_code kb_drop_fit(struct kb *kb, int64_t app_id, int64_t machine_id, struct err *e);
void kb_fit_release(struct kb_fit *fit);
enum err_code kb_fit_add(struct kb_fit *fit, const char *name, double value, double std_error,
			 const char *unit, const char *meaning, struct err *e);
/* NaN when there is no such parameter. */
double kb_fit_value(const struct kb_fit *fit, const char *name);
/* By a name that is put together, of at most 127 characters: NULL, or NaN, when there is none. */
const struct kb_param *kb_fit_find(const struct kb_fit *fit, const char *name_format, ...)
	__attribute__((format(printf, 2, 3)));
double kb_fit_number(const struct kb_fit *fit, const char *name_format, ...)
	__attribute__((format(printf, 2, 3)));

/* Message costs fitted from ping-pong, per machine. */
enum err_code kb_put_message_cost(struct kb *kb, int64_t machine_id,
				  const struct cost_segment *segment, size_t n, struct err *e);
enum err_code kb_get_message_cost(struct kb *kb, int64_t machine_id, struct cost_segment **segment,
				  size_t *n, struct err *e);

/* ---- rules and findings: knowledge (kb_rules.c) ---- */

/* What was mined from the runs of an application on one machine, or on all of them (machine_id 0),
 * as of a snapshot: that of kb_snapshot(), for all machines that of kb_snapshot_all(). */
struct kb_rules {
	struct rule_list rules; /* in the order they were put */
	struct findings findings;
	char snapshot[65];
	int64_t version; /* of the program that mined them, see MINE_RULES_VERSION */
};
/* Replace what is known. Identical content changes no byte of the file. */
enum err_code kb_put_rules(struct kb *kb, int64_t app_id, int64_t machine_id,
			   const struct kb_rules *in, struct err *e);
/* Errors: NOTMINED. */
enum err_code kb_get_rules(struct kb *kb, int64_t app_id, int64_t machine_id, struct kb_rules *out,
			   struct err *e);
enum err_code kb_drop_rules(struct kb *kb, int64_t app_id, int64_t machine_id, struct err *e);
void kb_rules_release(struct kb_rules *r);
/* The facts of an application on all machines together. */
enum err_code kb_snapshot_all(struct kb *kb, int64_t app_id, char out[65], struct err *e);

/* ---- judgement: decisions about rules (kb_decisions.c) ---- */

enum kb_decision_kind { DECISION_ACCEPT, DECISION_REFUSE, DECISION_NOTE, DECISION_UNDO };
const char *kb_decision_name(enum kb_decision_kind kind); /* "accept", ... */

/* Decisions are only ever added; an undo takes back the latest one about the same rule that is not
 * yet taken back. They are keyed on the rule's content, and stay when mining loses it. */
struct kb_decision {
	int64_t id;
	enum kb_decision_kind kind;
	char *application; /* name */
	char *rule_id;	   /* 12 hex digits */
	char *rule_text;   /* as it read when it was decided upon */
	char *rule_shape;  /* rule_put_shape() */
	char *why;	   /* "" if nobody said */
	char *who;
	char *decided_at; /* UTC, ISO 8601 */
	bool undone;
};
struct kb_decisions {
	struct kb_decision *item;
	size_t n;
};
/* d->id, decided_at and undone are set by this. Errors: NOTFOUND (undo: there is nothing to take
 * back). */
enum err_code kb_add_decision(struct kb *kb, const struct kb_decision *d, struct err *e);
/* All about rules of an application, oldest first. */
enum err_code kb_list_decisions(struct kb *kb, const char *application, struct kb_decisions *out,
				struct err *e);
void kb_decisions_release(struct kb_decisions *d);

/* What was decided about a rule: by its own id, or else by the latest decision that stands on a
 * rule of the same shape (look_again is set: it was refused, or accepted, in a slightly different
 * form). */
struct kb_judgement {
	enum kb_rule_state { RULE_STATE_NEW, RULE_STATE_ACCEPTED, RULE_STATE_REFUSED } state;
	const struct kb_decision *decision;   /* that made the state; NULL: new */
	const struct kb_decision *look_again; /* on another form of it; NULL: none */
};
void kb_judge_rule(const struct kb_decisions *d, const char *rule_id, const char *rule_shape,
		   struct kb_judgement *out);
/* "new", "accepted", "refused" */
const char *kb_rule_state_name(enum kb_rule_state state);

/* ---- judgement: recommendations given (kb_advice.c) ---- */

struct kb_advice {
	char *id;
	char *given_at; /* UTC, ISO 8601 */
	char *request;	/* JSON */
	char *answer;	/* JSON */
	char *snapshot;
	int64_t first_run_id; /* of the runs loaded after it; 0: not known, it comes from another
			       * base, or from before this was kept */
};
/* Same id again: the first stays. given_at NULL: now. */
enum err_code kb_put_advice(struct kb *kb, const struct kb_advice *a, struct err *e);
/* id or a unique prefix of 4 and more digits. Errors: NOTFOUND. */
enum err_code kb_get_advice(struct kb *kb, const char *id, struct kb_advice *out, struct err *e);
/* The one that was given last; a question that was asked again counts when it was asked first.
 * Errors: NOTFOUND (none was, or several in one second). */
enum err_code kb_get_latest_advice(struct kb *kb, struct kb_advice *out, struct err *e);
void kb_advice_release(struct kb_advice *a);

struct kb_advice_list {
	struct kb_advice *item;
	size_t n;
};
/* All, latest first. */
enum err_code kb_list_advice(struct kb *kb, struct kb_advice_list *out, struct err *e);
void kb_advice_list_release(struct kb_advice_list *l);
/* The id that the next run to be loaded gets; read it before the runs that an answer is made from.
 */
enum err_code kb_next_run_id(struct kb *kb, int64_t *out, struct err *e);

/* ---- what happened after a recommendation (kb_outcomes.c, kb_changes.c): derived, not stored ----
 */

/* Runs that tell whether it came true, in the order they were loaded. */
struct kb_outcome {
	int64_t run_id;
	int64_t import_id;
	double wall_s; /* [s]; of a timeout a lower bound */
	bool timed_out;
};
struct kb_outcomes {
	struct kb_outcome *item;
	size_t n;
};
/* The runs of a that say in every stored column what row[a->n_columns] says (NaN: anything), on
 * that machine, loaded after the advice was given: measured ones, and on a simulated machine
 * simulated ones. Failed and excluded runs tell nothing; neither does a file that had been imported
 * before, however it was read then. Nothing is linked for good: an import that is undone takes its
 * outcomes with it, and brings them back with its runs. */
enum err_code kb_find_outcomes(struct kb *kb, const struct application *a, int64_t machine_id,
			       const double *row, const struct kb_advice *advice,
			       struct kb_outcomes *out, struct err *e);
void kb_outcomes_release(struct kb_outcomes *o);

struct kb_changed_import {
	int64_t id;
	char *file_name;
	char *at;	/* UTC: when it was imported, or undone */
	int64_t n_runs; /* of the machines asked for; of a ping-pong file its rows */
	bool pingpong;
};
/* The changes of facts that are on record. */
struct kb_changes {
	struct kb_changed_import *came; /* imported since */
	size_t n_came;
	struct kb_changed_import *gone; /* imported before, undone since */
	size_t n_gone;
	int64_t n_excluded; /* runs excluded since, and still */
};
/* What became other since the advice was given, about runs of a on either machine (other_id 0:
 * there is no second one). */
enum err_code kb_changes_since(struct kb *kb, const struct application *a, int64_t machine_id,
			       int64_t other_id, const struct kb_advice *advice,
			       struct kb_changes *out, struct err *e);
void kb_changes_release(struct kb_changes *c);

/* ---- care of the file (kb_backup.c, kb_check.c, kb_merge.c) ---- */

/* Copy to a new file, never over an existing one, as one file that can be read anywhere (not in WAL
 * mode). Errors: ARG (it exists), IO, INTERRUPTED. */
enum err_code kb_backup(struct kb *kb, const char *to, struct err *e);
/* integrity_check, foreign_key_check, and what only we know (definitions parse, hashes agree,
 * counts of imports equal rows, runs are what was loaded, rules are what their ids say). Each
 * finding is one line in *report; *n_found counts them. */
enum err_code kb_check(struct kb *kb, struct strbuf *report, int *n_found, struct err *e);
/* Bring in everything another base holds and this one does not: applications, machines, imports
 * with their runs, exclusions, decisions about rules, advice, campaigns. Knowledge is not brought:
 * mine again. All or nothing. Same definitions under another text are ERR_ARG. */
struct kb_merge_result {
	int64_t n_imports, n_runs, n_known_imports, n_advice, n_decisions, n_campaigns;
};
enum err_code kb_merge(struct kb *kb, const char *from, const struct progress *p,
		       struct kb_merge_result *out, struct err *e);

#endif
