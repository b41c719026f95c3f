#ifndef CLI_ANSWER_TEXT_H
#define CLI_ANSWER_TEXT_H
#include <stdbool.h>
#include "api/json_text.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/application.h"

/* What the answers of `predict`, `recommend` and `explain` have in common, for people. Made from
 * the JSON of answer_json.h, never from anything else: what was answered once can be shown again.
 * Failed allocations stay in the strbuf. */
struct json_t;

void answer_put_duration(struct strbuf *s, double seconds);
/* "1 node", "2 nodes" */
void answer_put_count(struct strbuf *s, double n, const char *what);
/* "2 nodes, 2 procs, grid 1x2, mk 15, mmi 3" */
void answer_put_choice(struct strbuf *s, const struct application *a, const struct json_t *choice);
/* "48m 10s (90 %: 46m to 51m)" */
void answer_put_interval(struct strbuf *s, const struct json_t *choice, double confidence);
/* "0.97"; with more digits where two would say that a confidence is reached which is not */
void answer_put_probability(struct strbuf *s, double p, double confidence);
/* "support: inside (between runs seen)", a line */
void answer_put_support(struct strbuf *s, const struct json_t *choice);
/* Lines that say so if a choice takes more nodes, or cores, than the machine has. */
void answer_put_overuse(struct strbuf *s, const struct application *a, const struct json_t *choice,
			const struct json_t *setting, const struct json_t *evidence);
/* "mk 10, mmi 3" of an object's members */
void answer_put_members(struct strbuf *s, const struct json_t *object);
/* The lines about machine (simulated? a what if?), problem and workload. setting is that of
 * answer_setting_json(). */
void answer_put_setting(struct strbuf *s, const struct application *a, const struct json_t *setting,
			const struct json_t *evidence);
/* The line about the predictor; only the first sentence of its explanation where brief. */
void answer_put_model(struct strbuf *s, const struct json_t *evidence, bool brief);
/* A line if facts changed since mining. */
void answer_put_stale(struct strbuf *s, const struct json_t *evidence, bool color);

#endif
