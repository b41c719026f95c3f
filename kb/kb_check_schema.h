#ifndef KB_KB_CHECK_SCHEMA_H
#define KB_KB_CHECK_SCHEMA_H
#include "base/strbuf.h"
#include "kb/kb_sql.h"

/* Are the tables, views, indices and triggers of the file those that this program makes? */

/* A part of kb_check() and kb_merge(): what is missing, what is other than it should be, and, if
 * strangers_too, what is not ours, each a line of *report; *n_found counts them. *usable: all
 * tables are there, so that other checks can read them. */
enum err_code check_schema(struct kb *kb, bool strangers_too, struct strbuf *report, int *n_found,
			   bool *usable, struct err *e);

/* For kb_open(): a view where one of our tables should be answers what it likes, for as long as it
 * likes. Errors: KB (it is named). */
enum err_code schema_refuse_views_for_tables(struct kb *kb, struct err *e);

#endif
