#ifndef API_ADVICE_DIFF_H
#define API_ADVICE_DIFF_H
#include <stdbool.h>
#include <stdint.h>
#include "api/advice_record.h"
#include "api/fitted_machine.h"
#include "base/err.h"
#include "kb/kb.h"
#include "mining/predictor/predictor.h"

/* Changes between a recommendation and today. */
struct json_t;

struct advice_diff {
	struct kb_changes facts;	    /* none where the facts are those of then */
	struct kb_decisions decisions;	    /* about all rules of the application */
	const struct kb_decision **decided; /* those of them that came since and matter */
	size_t n_decided;
	bool other_rules;	   /* the rules in use are others, and no decision made them so */
	bool application, machine; /* their definition is another */
	bool predictor;		   /* the program's, then of this version, is another */
	int64_t predictor_then;
	bool mined;			       /* the knowledge was made anew */
	bool stale;			       /* today's knowledge is older than the facts */
	bool unrecorded;		       /* the facts are others and none of these says why */
	bool several_machines, other_machines; /* were asked; would be answered otherwise */
};

/* m: what the same question is answered from today. *current: nothing has changed that the answer
 * rests on. several_machines and other_machines stay false: advice_explanation.c sets them. Errors:
 * NOMEM, those of kb. */
enum err_code advice_diff_find(struct session *session, const struct advice_record *s,
			       const struct fitted_machine *m, bool *current,
			       struct advice_diff *out, struct err *e);
void advice_diff_release(struct advice_diff *d);

/* {"imports": [{"import_id", "file", "at", "runs", "pingpong"}], "undone": [likewise],
 *  "excluded": runs, "definitions": ["application", "machine"],
 *  "rules": [{"rule_id", "kind", "by", "at", "why"}], "other_rules": bool,
 *  "predictor": {"then", "now"} or null, "mined": bool, "stale": bool, "unrecorded": bool}
 * and, where several machines were asked, "other_machines": bool. NULL: out of memory. */
struct json_t *advice_diff_json(const struct advice_diff *d);

#endif
