#ifndef API_ADVICE_RECORD_H
#define API_ADVICE_RECORD_H
#include <stdbool.h>
#include <stdint.h>
#include "api/answer.h"
#include "api/session.h"
#include "base/err.h"
#include "mining/evaluate/scoring_rules.h"

/* A recommendation as it was remembered, with what the base still knows of what it is about. */
struct json_t;

struct advice_record {
	struct kb_advice kept;
	struct json_t *answer;
	struct answer told;	      /* the same as data */
	const struct json_t *request; /* of the answer */
	const struct json_t *choice;  /* the recommendation, else the best effort; NULL: neither */
	const char *app_name, *machine_name;
	/* The application of the base; when that is gone, one made from the answer, good enough to
	 * show it, and app_id is 0. */
	struct application *app;
	int64_t app_id;
	int64_t machine_id; /* 0: gone */
	const char *like;   /* what if: the other machine; NULL: none */
	int64_t like_id;    /* 0: none, or gone */
};

/* Takes over *kept (whose texts must then not be released), also when it fails. Errors: KB (no
 * answer of ours). */
enum err_code advice_record_read(struct session *session, struct kb_advice *kept,
				 struct advice_record *out, struct err *e);
void advice_record_release(struct advice_record *s);

/* row[app->n_columns] of problem, workload and, where with_choice, what was recommended; else what
 * the asker had fixed. False: a column or a level that it names is not known (any more). */
bool advice_record_row(const struct advice_record *s, bool with_choice, double *row);

/* The promise of a remembered recommendation and what happened. */
struct outcome_record {
	struct reliability forecast; /* all NaN where nothing was recommended */
	struct kb_outcomes runs;
	struct reliability_outcome outcome;
};

/* Of what was recommended: all NaN where nothing was. */
struct reliability advice_record_forecast(const struct advice_record *s);
/* Errors: NOMEM, those of kb. */
enum err_code outcome_record_find(struct session *session, const struct advice_record *s,
				  struct outcome_record *out, struct err *e);
void outcome_record_release(struct outcome_record *r);

/* Were promises kept as often as they said? */
struct advice_calibration {
	struct calibration_line {
		const char *what;
		struct reliability_summary kept; /* n > 0 */
	} line[6];				 /* [n]: of what was put to the test */
	size_t n;
	double ratio; /* median time of the next run over the predicted one, of n_ratio */
	size_t n_ratio;
};
/* in_time[n], inside[n], ratio[n_ratio] of all recommendations; their order changes. Errors: NOMEM.
 */
enum err_code advice_calibration_make(struct judged_forecast *in_time,
				      struct judged_forecast *inside, size_t n, double *ratio,
				      size_t n_ratio, struct advice_calibration *out,
				      struct err *e);
/* {"format_version", "calibration": [...], "time_over_predicted", "time_over_predicted_runs"};
 * NULL: out of memory. */
struct json_t *advice_calibration_json(const struct advice_calibration *k);

#endif
