#ifndef API_FIT_DESCRIPTION_H
#define API_FIT_DESCRIPTION_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "domain/application.h"
#include "kb/kb.h"
#include "mining/predictor/predictor.h"
#include "mining/training/batch_effect.h"

/* A mined predictor in words: how far off it was on runs held out, and what it is made of. */

enum fit_fact_kind { FIT_NUMBER, FIT_SECONDS, FIT_SHARE };
struct fit_fact {
	const char *meaning; /* in words */
	enum fit_fact_kind kind;
	double value;
	double lo, hi; /* middle 90 % of what the runs leave open; NaN: not known */
};

struct fit_description {
	struct predictor_error error[3]; /* by enum support */
	struct fit_fact *fact; /* what has a meaning for people; the rest are tables of numbers */
	size_t n_facts;
	size_t n_others;
	struct batch_effect batches;
};

/* fit: with its parameters. Errors: NOMEM, NOTMINED (of another program). */
enum err_code fit_description_make(const struct kb_fit *fit, const struct application *app,
				   struct fit_description *out, struct err *e);
/* That of the base for an application on a machine. snapshot: only if it was made from these facts;
 * NULL: any. Errors: NOTFOUND, NOTMINED. */
enum err_code fit_description_find(struct kb *kb, const char *app, const char *machine,
				   const char *snapshot, struct fit_description *out,
				   struct err *e);
void fit_description_release(struct fit_description *d);

#endif
