#ifndef DOMAIN_TEMPLATE_H
#define DOMAIN_TEMPLATE_H
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/expr.h"

/* A text with places to fill in: "{it_g} {jt_g} {ceildiv(kt, mk)}". What stands between braces is
 * an expression over the columns of a row (expr.h), or the name of a text column; {{ and }} are
 * braces themselves. */
struct template;

/* Errors: PARSE (a brace without its partner; what an expression is refused for, an unknown column
 * with the names there are). The scope's levels must outlive the template, see expr_parse(). */
enum err_code template_parse(const char *text, const struct expr_scope *scope,
			     struct template **out, struct err *e);
void template_free(struct template *t);

/* Where the text goes decides which values a text column may have: they come from people's files.
 */
enum template_use {
	TEMPLATE_FILE,	 /* anything on one line */
	TEMPLATE_COMMAND /* what a shell takes as it stands: letters, digits and _ . , : + = / @ % -
			  */
};

/* Append the text for row[scope->n] to out. Numbers read back exactly, whole ones have no point.
 * Errors: ARG (a place has no value; a text that cannot stand there), NOMEM. */
enum err_code template_fill(const struct template *t, const double *row, enum template_use use,
			    struct strbuf *out, struct err *e);

#endif
