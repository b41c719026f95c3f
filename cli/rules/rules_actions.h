#ifndef CLI_RULES_ACTIONS_H
#define CLI_RULES_ACTIONS_H
#include <stdbool.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "cli/frame/context.h"
#include "cli/frame/options.h"
#include "cli/rules/rule_options.h"

/* What `lemnos rules` does, one file an action or a few; the command itself is cmd_rules.c. */

extern const struct option_spec opt_rules_format, opt_rules_limit, opt_rules_why, opt_yes;

enum err_code rules_list_run(struct context *c, struct err *e);
enum err_code rules_show_run(struct context *c, struct err *e);
enum err_code rules_export_run(struct context *c, struct err *e);
enum err_code rules_review_run(struct context *c, struct err *e);
/* cmd_rules_decide.c */
enum err_code rules_accept_run(struct context *c, struct err *e);
enum err_code rules_refuse_run(struct context *c, struct err *e);
enum err_code rules_note_run(struct context *c, struct err *e);
enum err_code rules_undo_run(struct context *c, struct err *e);
/* cmd_rules_findings.c */
enum err_code rules_profile_run(struct context *c, struct err *e);
enum err_code rules_effects_run(struct context *c, struct err *e);
enum err_code rules_hypotheses_run(struct context *c, struct err *e);
enum err_code rules_rankings_run(struct context *c, struct err *e);
/* cmd_rules_scaling.c */
enum err_code rules_scaling_run(struct context *c, struct err *e);

/* The formats of the command: --format reads them all, and each action takes some. */
enum rules_format { RULES_TABLE, RULES_JSON, RULES_CSV, RULES_TEXT, RULES_SQL };
/* For the actions that print tables: sets c->format. Errors: USAGE (text and sql are for export).
 */
enum err_code rules_table_format(struct context *c, struct err *e);

/* What list and export share: the book with what the filters leave of it; *n of them are to be
 * shown. all: those that stand aside (struct rule_view), too. */
enum err_code rules_select(struct context *c, struct rule_book *b, bool all, size_t *n,
			   struct err *e);
enum err_code rules_print_json(struct context *c, const struct rule_book *b, size_t n,
			       struct err *e);
enum err_code rules_print_csv(struct context *c, const struct rule_book *b, size_t n,
			      struct err *e);
/* On c->log: why there is none, or that there are more. */
void rules_say_how_many(const struct context *c, const struct rule_book *b, size_t n);

/* Put one decision on record (why may be NULL); the verdicts of the book follow. */
enum err_code rules_decide(struct context *c, struct rule_book *b, const struct rule_view *v,
			   enum kb_decision_kind kind, const char *why, struct err *e);
/* Is the rule accepted, or refused, by its own decision already? */
bool rules_is_decided(const struct rule_view *v, enum kb_decision_kind kind);
/* "refused: predictions and advice no longer follow it" */
const char *rules_decision_means(enum kb_decision_kind kind);

#endif
