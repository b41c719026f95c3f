#ifndef CLI_ADVICE_CHANGES_H
#define CLI_ADVICE_CHANGES_H
#include <stdbool.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "cli/mined_machine.h"
#include "cli/stored_advice.h"

/* What changed between a recommendation and today. */

/* m: what the same question is answered from today. *out, the members that people are told:
 * {"imports": [{"import_id", "file", "at", "runs", "pingpong"}], "undone": [likewise],
 *  "excluded": runs, "definitions": ["application", "machine"],
 *  "rules": [{"rule_id", "kind", "by", "at", "why"}], "other_rules": bool,
 *  "predictor": {"then", "now"} or null, "mined": bool, "stale": bool, "unrecorded": bool}
 * and, where several machines were asked, "other_machines": bool, which advice_today.c sets. mined:
 * the knowledge was made anew; stale: today's is older than the facts; unrecorded: the facts are
 * others and none of these says why. *current: none of it applies. Errors: NOMEM, those of kb.
 */
enum err_code advice_changes_json(struct context *c, const struct stored_advice *s,
				  const struct mined_machine *m, bool *current, struct json_t **out,
				  struct err *e);
/* The same for people, a line each. */
void advice_changes_put(struct strbuf *out, const struct stored_advice *s,
			const struct json_t *since);

#endif
