#ifndef CLI_RULE_OPTIONS_H
#define CLI_RULE_OPTIONS_H
#include "api/rule_book.h"
#include "cli/frame/context.h"

/* What the commands about rules have in common. */

/* The rules of --app on --machine. Errors: those of rule_book_load(). */
enum err_code rule_book_open(struct context *c, struct rule_book *out, struct err *e);
/* "lemnos rules: ..." if the knowledge is stale. */
void rule_book_warn_stale(const struct context *c, const struct rule_book *b);

/* What --kind, --state and --column ask for. Errors: USAGE. */
extern const struct option_spec opt_kind, opt_state, opt_column;
enum err_code rule_filter_read(const struct context *c, const struct application *a,
			       struct rule_filter *out, struct err *e);

#endif
