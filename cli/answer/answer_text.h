#ifndef CLI_ANSWER_TEXT_H
#define CLI_ANSWER_TEXT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/application.h"
#include "domain/breakdown.h"
#include "api/answer.h"
#include "api/answer_json.h"
#include "cli/frame/output.h"

/* Configurations as cells of a table: every column of the application that is not derived, by its
 * name.
 */

/* column[a->n_columns]; how many they are. */
size_t config_cells_columns(const struct application *a, struct out_column *column);
/* row NULL: empty cells. */
void config_cells_put(struct out_table *t, const struct application *a, const double *row);

/* What the answers of `predict`, `recommend` and `explain` have in common, for people. Made from
 * struct answer, never from anything else: what was answered once can be shown again. Failed
 * allocations stay in the strbuf. */

void answer_put_duration(struct strbuf *s, double seconds);
/* At most so much: two digits, never "1.1e+02", and no less than 0.1 %, as no machine repeats
 * itself so well. */
void answer_put_percent(struct strbuf *s, double share);
/* "1 node", "2 nodes" */
void answer_put_count(struct strbuf *s, double n, const char *what);
/* "2 nodes, 2 procs, grid 1x2, mk 15, mmi 3" */
void answer_put_choice(struct strbuf *s, const struct application *a,
		       const struct answer_choice *choice);
/* Of a choice what is other than in `than`: "mk 15"; "the same" where nothing is. */
void answer_put_difference(struct strbuf *s, const struct application *a,
			   const struct answer_choice *choice, const struct answer_choice *than);
/* "48m 10s (90 %: 46m to 51m)" */
void answer_put_interval(struct strbuf *s, const struct answer_choice *choice, double confidence);
/* "0.97"; with more digits where two would say that a confidence is reached which is not; "above
 * 0.99" and "below 0.01", for what is not quite certain does not become so by rounding. */
void answer_put_probability(struct strbuf *s, double p, double confidence);
/* "support: inside (between runs seen)", a line */
void answer_put_support(struct strbuf *s, const struct answer_choice *choice);
/* Lines that say so if the choice takes more nodes, or cores, than the machine has. */
void answer_put_overuse(struct strbuf *s, const struct answer *answer);
/* "mk 10, mmi 3" */
void answer_put_members(struct strbuf *s, const struct answer_members *members);
/* The lines about machine (simulated? a what if?), problem and workload. */
void answer_put_setting(struct strbuf *s, const struct answer *answer);
/* "sweep3d: it_g 50; angles 6 (assumed)" */
void answer_put_problem(struct strbuf *s, const struct answer *answer);
/* A line about what the runs cannot tell, as columns never varied or never alone, or about runs
 * that were not taken at their word; of the explanation of a predictor, nothing if it does not say
 * so. */
enum answer_remark {
	REMARK_UNKNOWN,
	REMARK_SCALES,
	REMARK_SHIFTS,
	REMARK_DID_LESS,
	REMARK_LEFT_OUT,
	REMARK_CUT,
	REMARK_NO_TIME,
	REMARK_SLOW,
	REMARK_FAILED,
	REMARK_REPEATS,
	REMARK_RERUNS,
	REMARK_CIRCUMSTANCE,
	REMARK_COUNT
};
void answer_put_remark(struct strbuf *s, const char *explanation, enum answer_remark remark);
/* The line about the predictor; only the first sentence of its explanation where brief. */
void answer_put_model(struct strbuf *s, const struct answer_evidence *evidence, bool brief);
/* A line if facts changed since mining. */
void answer_put_stale(struct strbuf *s, const struct answer_evidence *evidence, bool color);

/* What rules had to do with an answer, for people. */

/* The lines about rules of an answer's evidence, at most max of them and one that says how many
 * more there are and where (`elsewhere`); nothing if no rule has a say. */
void answer_put_rules(struct strbuf *s, const struct application *a,
		      const struct answer_evidence *evidence, size_t max, const char *elsewhere);

/* Where a predicted time goes, for people. */

/* A small table: part, time, share of the whole. */
enum err_code breakdown_print(const struct breakdown *b, FILE *f, struct err *e);

/* What failed runs say against configurations, for people, from an answer. */

/* A line about a choice of an answer (that its runs failed, that they were all cut), and one about
 * what was left out; nothing where nothing is. */
void failure_put_warning(struct strbuf *s, const struct answer_choice *choice);
void failure_put_outlasted(struct strbuf *s, const struct answer_choice *choice);
void failure_put_left_out(struct strbuf *s, const struct answer_search *search);

#endif
