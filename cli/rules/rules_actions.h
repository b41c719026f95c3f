#ifndef CLI_RULES_ACTIONS_H
#define CLI_RULES_ACTIONS_H
#include <stdbool.h>
#include "api/rule_book.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "cli/frame/context.h"
#include "cli/frame/options.h"

/* What `lemnos rules` does: its actions; the command itself is cmd_rules.c. */

extern const struct option_spec opt_rules_format, opt_rules_limit, opt_rules_why, opt_yes;

enum err_code rules_list_run(struct context *c, struct err *e);
enum err_code rules_show_run(struct context *c, struct err *e);
enum err_code rules_export_run(struct context *c, struct err *e);
enum err_code rules_review_run(struct context *c, struct err *e);
enum err_code rules_accept_run(struct context *c, struct err *e);
enum err_code rules_refuse_run(struct context *c, struct err *e);
enum err_code rules_note_run(struct context *c, struct err *e);
enum err_code rules_undo_run(struct context *c, struct err *e);
enum err_code rules_profile_run(struct context *c, struct err *e);
enum err_code rules_effects_run(struct context *c, struct err *e);
enum err_code rules_hypotheses_run(struct context *c, struct err *e);
enum err_code rules_rankings_run(struct context *c, struct err *e);
enum err_code rules_scaling_run(struct context *c, struct err *e);

/* The formats of the command: --format reads them all, and each action takes some. */
enum rules_format { RULES_TABLE, RULES_JSON, RULES_CSV, RULES_TEXT, RULES_SQL };
/* For the actions that print tables: sets c->format. Errors: USAGE (text and sql are for export).
 */
enum err_code rules_table_format(struct context *c, struct err *e);

/* The rules of --app on --machine. Errors: those of rule_book_load(). */
enum err_code rule_book_open(struct context *c, struct rule_book *out, struct err *e);
/* "lemnos rules: ..." if the knowledge is stale. */
void rule_book_warn_stale(const struct context *c, const struct rule_book *b);

/* What --kind, --state and --column ask for. Errors: USAGE. */
enum err_code rule_filter_read(const struct context *c, const struct application *a,
			       struct rule_filter *out, struct err *e);
/* On c->log: why there is none, or that there are more. */
void rules_say_how_many(const struct context *c, const struct rule_book *b, size_t n);

#endif
