#ifndef RECOMMEND_PREDICT_BATCH_H
#define RECOMMEND_PREDICT_BATCH_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "base/thread_pool.h"
#include "mining/predictor/predictor.h"
#include "recommend/space/config_space.h"
#include "recommend/space/recommend.h"

/* The times that were measured of exactly the problem and workload of a request, by configuration.
 */
struct measured_times {
	size_t n, n_columns;
	double *rows;	/* n * n_columns, by their values in column order */
	double *time_s; /* n: of the run of median time; the lower one of two */
	const struct application *app;
};

/* Looks them up in the index of stored runs, or among the request's runs. Without either there are
 * none. Errors: DAMAGED, NOMEM. */
enum err_code measured_times_find(const struct advice_request *q, struct measured_times *out,
				  struct err *e);
void measured_times_release(struct measured_times *m);

/* NaN: not measured. */
double measured_times_of(const struct measured_times *m, const double *row);

/* Configurations that may win something, gathered until there are enough of them to ask a predictor
 * side by side, by several threads. What it says does not depend on how many those are. */
enum { PREDICT_BATCH_MAX = 1024 };

struct predict_batch {
	size_t n;
	size_t room; /* of all, what is used: grows, as the first ones are only to find good winners
		      * against which others need not be asked about */
	size_t n_columns;
	double *rows;	       /* PREDICT_BATCH_MAX * n_columns */
	double *nodes, *procs; /* PREDICT_BATCH_MAX each, of the rows */
	struct prediction *at; /* PREDICT_BATCH_MAX, what was said of them */
	struct thread_pool *pool;
};

/* For rows of n_columns. Errors: NOMEM. */
enum err_code predict_batch_init(struct predict_batch *l, size_t n_columns, struct err *e);
void predict_batch_release(struct predict_batch *l);

const double *predict_batch_row(const struct predict_batch *l, size_t i);
/* Adds configurations of a group from the *next on, as many as there is room for. */
void predict_batch_add(struct predict_batch *l, const struct group *g, size_t *next);
/* Adds one, for which there must be room. */
void predict_batch_add_row(struct predict_batch *l, const double *row, double nodes, double procs);
bool predict_batch_is_full(const struct predict_batch *l);
/* Away with all; there is room for more of them from now on. */
void predict_batch_clear(struct predict_batch *l);

/* at[] = what `ask` says of each row (and of what it was), several threads at a time: a prediction
 * or a bound by the predictor in `context`. */
typedef void predict_batch_question(const void *context, const double *rows, size_t n,
				    struct prediction *out);
void predict_batch_ask(struct predict_batch *l, predict_batch_question *ask, const void *context);
/* Keeps those of which `keep` holds, in their order. */
void predict_batch_filter(struct predict_batch *l,
			  bool (*keep)(const void *arg, double nodes, const struct prediction *at),
			  const void *arg);

#endif
