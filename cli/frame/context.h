#ifndef CLI_CONTEXT_H
#define CLI_CONTEXT_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "api/session.h"
#include "base/err.h"
#include "base/progress.h"
#include "cli/frame/cmd.h"
#include "cli/frame/options.h"
#include "cli/frame/output.h"
#include "cli/frame/progress_bar.h"
#include "domain/application.h"
#include "domain/configuration_axes.h"
#include "domain/machine.h"

/* What a command works with. main fills it in; commands read it. */
struct context {
	const struct cmd *cmd;
	const struct action *action;
	struct options opt;
	const char *const *operand; /* after the action's name */
	size_t n_operands;

	char *kb_path; /* what session.kb_path points to */
	/* The base, open as action->needs says (NEEDS_NOTHING: not at all), with progress, warnings
	 * and notes on their way to the user. What commands ask of api/ they ask with this. */
	struct session session;

	FILE *out;		/* the answer; main checks that it could be written */
	FILE *log;		/* what is said about it: stderr */
	enum out_format format; /* --format; table by default */
	bool quiet;
	bool color;		 /* out may be coloured */
	double max_memory_bytes; /* that is kept; 0: no limit is */
	struct progress_bar bar;
};

/* Read --format, --quiet and --color, and find the name of the knowledge base. Errors: USAGE. */
enum err_code context_init(struct context *c, struct err *e);
void context_release(struct context *c);

/* Open the base; a second writer that has to wait says so once. NEEDS_NOTHING does nothing. */
enum err_code context_open_kb(struct context *c, enum cmd_needs needs, struct err *e);

/* --format, or dflt when it was not given: export is CSV unless asked otherwise. */
enum out_format context_format_or(const struct context *c, enum out_format dflt);

/* "lemnos CMD: text" on c->log, in one line. A note is dropped under --quiet; a warning is not.
 * Control characters in the text are shown escaped, newlines too. */
void context_note(const struct context *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void context_warn(const struct context *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* An error that does not end the command, with its lines of advice. */
void context_report(const struct context *c, const struct err *why);

/* A text as an answer, to c->out. */
void context_print(const struct context *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The application and the machine that are meant: the flag, else the base's default, else the only
 * one that has runs, else the only one there is; otherwise ERR_USAGE with the candidates. id may be
 * NULL. */
enum err_code context_application(struct context *c, struct application **out, int64_t *id,
				  struct err *e);
enum err_code context_machine(struct context *c, int64_t app_id, struct machine **out, int64_t *id,
			      struct err *e);

/* row[a->n_columns] from --problem, --set and the application's flags (--mk 10, --grid 8x16). What
 * nobody gave stays NaN, workload too, so that answers can say what they assumed; derived columns
 * are not computed. Every problem column must be given when whole. Errors: USAGE (an unknown flag:
 * names the nearest; a column given twice with different values), ARG (a bad value). */
enum err_code context_configuration(struct context *c, const struct application *a, bool whole,
				    double *row, struct err *e);

/* Do these options list several values: --nodes 1,2,4..64? */
bool context_has_lists(const struct context *c);
/* These options as lists, one axis each; a whole problem is among them. Errors: USAGE, ARG,
 * those of kb, NOMEM. */
enum err_code context_axes(struct context *c, const struct application *a,
			   struct configuration_axes *out, struct err *e);
/* Beside --from, whose rows say all, a flag of the configuration would be silently without effect.
 * Errors: USAGE (there is one). */
enum err_code context_refuse_configuration(const struct context *c, struct err *e);

/* The person who decides (exclusions, reviews): $LEMNOS_USER, else $USER, else "unknown". */
const char *context_user(void);

#endif
