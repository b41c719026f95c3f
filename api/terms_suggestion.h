#ifndef API_TERMS_SUGGESTION_H
#define API_TERMS_SUGGESTION_H
#include <stdbool.h>
#include <stddef.h>
#include "api/session.h"
#include "base/strbuf.h"

/* Terms for the definition of an application, proposed from its runs on one machine, and the
 * definition with them: a text that somebody edits and adds. Changes nothing in the base. */
struct suggested_term {
	char *text;
	bool communication;
	double share;	     /* of the time, mean over the runs' configurations */
	const char *meaning; /* what it stands for, for people */
};

/* Predictions without terms; by terms that were found anew in what was not held out; by those
 * suggested, which were found in all runs. */
enum { SUGGESTION_NONE, SUGGESTION_ANEW, SUGGESTION_ITSELF, SUGGESTION_CONTESTANTS };
struct suggestion_evidence {
	const char *held_out, *title;
	size_t n; /* configurations that were held out and predicted */
	/* of |predicted / measured - 1|, the median and the 90th percentile; NaN: too few */
	double median[SUGGESTION_CONTESTANTS], p90[SUGGESTION_CONTESTANTS];
};

enum { SUGGESTION_WAYS = 3 };
struct terms_suggestion {
	char *app, *machine;
	size_t n_configs, n_searched; /* configurations of the runs; that terms were sought in */
	struct suggested_term *term;  /* computation first */
	size_t n_terms;
	struct suggestion_evidence evidence[SUGGESTION_WAYS];
	bool better; /* than none, by what was held out */
	struct strbuf definition;
};

/* Of the application and machine that session_application() and session_machine() choose; names may
 * be NULL. *out must be released in any case. Errors: NODATA (too few runs, or nothing to make
 * terms of), ARG (the application has a structural model), USAGE, NOTFOUND, INTERRUPTED, those of
 * kb. */
enum err_code terms_suggest(struct session *session, const char *app, const char *machine,
			    struct terms_suggestion *out, struct err *e);
void terms_suggestion_release(struct terms_suggestion *s);

/* {"app", "machine", "better", "terms": [...], "evidence": [...], "definition", ...}; NULL: out of
 * memory. */
struct json_t;
struct json_t *terms_suggestion_json(const struct terms_suggestion *s);

#endif
