#ifndef KB_KB_FINDINGS_H
#define KB_KB_FINDINGS_H
#include "kb/kb_content.h"

/* The findings of a rule set, which has none yet when they are put. */
enum err_code findings_put(struct kb *kb, int64_t rule_set_id, const struct findings *f,
			   struct err *e);
/* The caller's, to be given to findings_release(). */
enum err_code findings_get(struct kb *kb, int64_t rule_set_id, struct findings *out, struct err *e);
/* *same becomes false unless exactly these are stored. */
enum err_code findings_compare(struct kb *kb, int64_t rule_set_id, const struct findings *f,
			       bool *same, struct err *e);
void findings_digest(const struct findings *f, struct digest *d);

#endif
