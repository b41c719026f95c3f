#ifndef KB_KB_CHECK_H
#define KB_KB_CHECK_H
#include "base/strbuf.h"
#include "kb/kb_sql.h"

/* What of kb_check() concerns that which a merge takes over, facts and judgement: a line of *report
 * for each finding, *n_found counts them. */
enum err_code check_before_merge(struct kb *kb, struct strbuf *report, int *n_found, struct err *e);

/* Are the tables, views, indices and triggers of the file those that this program makes? */

/* A part of kb_check() and kb_merge(): what is missing, what is other than it should be, and, if
 * strangers_too, what is not ours, each a line of *report; *n_found counts them. *usable: all
 * tables are there and no view is another's, so that other checks can read them. */
enum err_code check_schema(struct kb *kb, bool strangers_too, struct strbuf *report, int *n_found,
			   bool *usable, struct err *e);

/* For kb_open(): a view where one of our tables should be answers what it likes, for as long as it
 * likes, and so does one of ours that is not as we make it (old: this is not known, as the schema
 * is of an earlier version). Errors: KB (it is named). */
enum err_code schema_refuse_views(struct kb *kb, bool old, struct err *e);

#endif
