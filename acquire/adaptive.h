#ifndef ACQUIRE_ADAPTIVE_H
#define ACQUIRE_ADAPTIVE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "domain/objective.h"
#include "mining/training/fit_input.h"

/* The next runs of a campaign: those from which the recommendation gains most.
 *
 * Known of a configuration is the log of its time, as a predictor fitted to the runs so far has it
 * (mean and standard deviation), correlated with others as correlated_beliefs.h says. A run is
 *worth what the mean cost of the recommendations is expected to fall by: its knowledge gradient
 *(Frazier, Powell and Dayanik, "The knowledge-gradient policy for correlated normal beliefs",
 *INFORMS J. Computing 21(4), 2009), the mean over questions of
 *
 *	KG(x) = min_i m_i - E min_i (m_i + g_i(x) Z),  g_i(x) = cov(i, x) / sqrt(var(x) + noise^2),
 *
 * m_i what answer i costs (the log of time, node-hours or nodes, as the objective is; where there
 *is a deadline, plus ln 2 times the chance of missing it, integrated over Z), Z standard normal. Of
 *the run's own question it is at least the expected improvement on what recommend would answer now
 *(Jones, Schonlau and Welch, "Efficient global optimization of expensive black-box functions", J.
 *Global Optim. 13, 1998), with the predictor's held-out residuals instead of the normal
 *distribution: their tails are heavy, and what recommend answers is not always the least mean, as
 *it prefers what runs support.
 *
 * Runs of a batch are chosen one after another, each as if those before had the outcome that is
 * expected (kriging believer: Ginsbourger, Le Riche and Carraro, "Kriging is well-suited to
 * parallelize optimization", 2010), and each leaves its own question to the others' correlations.
 *One in five is for exploration, whatever is expected to be gained (adaptive.c). */

/* What is asked of the knowledge: which of these configurations to submit? */
struct adaptive_question {
	const size_t *point; /* n, indices into the points */
	size_t n;	     /* >= 1 */
	double deadline_s;   /* INFINITY: none */
	/* What is kept low, of what meets the deadline; nodes: only with one. */
	enum objective objective;
	double weight; /* > 0; 1 unless some matter more */
};

struct adaptive_request {
	const struct fit_input
		*in; /* of the application on the machine so far; runs may be empty */
	/* Configurations: complete rows with derived columns, row[n_points * n_columns]. */
	const double *row;
	size_t n_points;
	/* n_points: may it be run now? 0: it may not (illegal, too dear, or under way). NULL: all
	 * may. Points that were run are known by in->runs and are not named again. */
	const unsigned char *runnable;
	/* n_points: is it under way, its outcome not known yet? It counts as if learnt. NULL: none
	 * is. */
	const unsigned char *pending;
	const struct adaptive_question *question;
	size_t n_questions; /* >= 1 */
	size_t n_batch;	    /* runs to name; 0: only the loss is wanted */
	size_t n_start; /* before so many configurations were run: a Latin hypercube; 0: the default
			 */
	bool per_node_hour; /* gain per node-hour instead of per run */
	uint64_t seed;
};

enum adaptive_reason {
	ADAPTIVE_START,	  /* of the Latin hypercube to begin with */
	ADAPTIVE_GAIN,	  /* its outcome is expected to reduce the loss most */
	ADAPTIVE_EXPLORE, /* an answer that was never tried, or far from all runs */
};

struct adaptive_run {
	size_t point;
	enum adaptive_reason reason;
	double gain; /* what the loss is expected to fall by, given those before; NaN: not known */
};

struct adaptive_choice {
	size_t n; /* n_batch, or fewer if no more may be run */
	struct adaptive_run *run;
	/* Expected loss of the recommendation, the weighted mean over questions of
	 * ln(its time / the best's), or node-hours or nodes, as the objective is: as far as is
	 * known now. 0.02: 2 % are lost. NaN: too few runs to predict. */
	double loss;
	/* recommended[n_questions]: what would be answered now, an index into the points;
	 * SIZE_MAX: nothing can be predicted, or nothing meets the deadline. */
	size_t *recommended;
};

/* Errors: ARG, INTERRUPTED, NUMERIC, NOMEM. Too few runs for a fit are no error: the start goes
 * on. */
enum err_code adaptive_choose(const struct adaptive_request *q, struct adaptive_choice *out,
			      struct err *e);
void adaptive_choice_release(struct adaptive_choice *c);

/* The whole space as questions: for each problem (and workload) of the points, which of its
 * configurations is fastest. Those with less than two configurations ask nothing. *question in one
 * block with its indices: free() it. Errors: ARG (no problem has two), NOMEM. */
enum err_code adaptive_questions_of_space(const struct application *app, const double *row,
					  size_t n_points, struct adaptive_question **question,
					  size_t *n_questions, struct err *e);

/* The size of a start where none is given: one run more than columns vary, at least 8. Where that
 * is too few to fit a predictor, the start goes on until it is enough. */
size_t adaptive_default_start(const struct application *app, const double *row, size_t n_points);

#endif
