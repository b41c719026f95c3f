#ifndef ACQUIRE_ADAPTIVE_STATE_H
#define ACQUIRE_ADAPTIVE_STATE_H
#include "acquire/adaptive.h"
#include "acquire/correlated_beliefs.h"
#include "mining/predictor/predictor.h"
#include "mining/training/config_table.h"

/* The inside of adaptive.h: what is known of the points, what would be answered, and what runs
 * would tell. */
struct adaptive_state {
	const struct adaptive_request *request;
	const struct application *app;
	size_t n_known;		     /* points that were run or are under way */
	size_t n_left;		     /* that may be named */
	unsigned char *taken;	     /* n_points: run, under way or named */
	unsigned char *barred;	     /* may not be named, but was not run */
	unsigned char *failed;	     /* ran, and never to its end */
	double *time_s;		     /* its typical time; NaN: no run of it was finished */
	struct config_table *runs;   /* NULL: none was finished */
	struct predictor *predictor; /* NULL: too few runs */
	struct prediction *at;	     /* n_points */
	double *mean, *sd;	     /* n_points, of log time: beliefs */
	double *noise;		     /* n_points: of one more run, log time */
	/* Beliefs are about places: configurations that were run, alternatives and candidates.
	 * place[i] of point i; SIZE_MAX: it is none. */
	struct correlated_beliefs beliefs;
	size_t *place;
	/* Alternatives of question k: alternative[first[k] .. first[k + 1] - 1], points; what is
	 * answered now, recommended[k], is one of them. */
	size_t *first, *alternative, *recommended;
	double *own_gain; /* by alternative: of a run of it for its question, by itself */
	/* Runs that are looked at, points. */
	size_t n_candidates, *candidate;
	/* n_candidates * first[n_questions]: of a candidate with an alternative, log time. */
	double *covariance;
};

/* Fits the predictor. Errors: INTERRUPTED, NOMEM. */
enum err_code adaptive_state_init(struct adaptive_state *s, const struct adaptive_request *q,
				  struct err *e);
void adaptive_state_release(struct adaptive_state *s);

/* What would be answered now and what that is expected to lose, as in struct adaptive_choice.
 * Without a predictor: nothing. Errors: NOMEM. */
enum err_code adaptive_state_answer(struct adaptive_state *s, size_t *recommended, double *loss,
				    struct err *e);
/* The candidate of the largest gain, or gain per node-hour; *point = SIZE_MAX: none has any. After
 * adaptive_state_answer(), with a predictor. Errors: NOMEM. */
enum err_code adaptive_state_best(struct adaptive_state *s, size_t *point, double *gain,
				  struct err *e);
/* Of the answers that no run has tried the one that is known least; SIZE_MAX: all are tried. */
size_t adaptive_state_untried(const struct adaptive_state *s);
/* The point is named: its outcome counts as known. Errors: NOMEM. */
enum err_code adaptive_state_take(struct adaptive_state *s, size_t point, struct err *e);

#endif
