#ifndef API_SCALING_ANSWER_H
#define API_SCALING_ANSWER_H
#include <stdint.h>
#include "base/err.h"
#include "domain/configuration_axes.h"
#include "mining/findings/doubling_effects.h"
#include "api/failure_warnings.h"
#include "api/fitted_machine.h"
#include "api/predict_answer.h"

/* How a code scales: the product of lists of values, each configuration predicted and compared with
 * that of its series on the fewest resources. */

struct scaling_question {
	const struct application *app;
	int64_t app_id;
	struct machine_request machine;
	const struct configuration_axes *axes; /* what is on none is open, and completed */
	double confidence;		       /* of the intervals */
	bool with_runs;			       /* the runs beside each series are asked for */
};

struct scaling_point {
	size_t series;
	const char *why; /* it cannot be predicted; NULL: it can, and what follows is told */
	struct row_prediction forecast;
	double resource; /* of scaling_answer.i_resource */
	/* Times of the baseline over that of this point, and that over the ratio of resources; NaN
	 * where the question has no list of resources. */
	double speedup, efficiency;
	double node_hours, core_hours; /* of the predicted time; NaN: not known */
	struct warning warning;	       /* what failed runs say */
};

/* Points that differ in resources alone. */
struct scaling_series {
	size_t first, n;   /* of the points */
	size_t baseline;   /* the point on the fewest resources; SIZE_MAX: none can be predicted */
	bool is_not_least; /* a point on fewer was asked for, and cannot be predicted */
};

/* A run that ended, which differs from the points of a series in resources alone. */
struct scaling_run {
	size_t series;
	double resource, wall_s;
};

struct scaling_answer {
	struct fitted_machine mined;
	double *row; /* row[n * n_columns], complete where why is NULL */
	struct scaling_point *point;
	size_t n, n_bad;
	struct scaling_series *series;
	size_t n_series;
	size_t i_resource;   /* nodes, procs or another column that has a list; SIZE_MAX: none */
	bool cores_of_nodes; /* core-hours are those of whole nodes, else of the processes */
	struct scaling_run *run;
	size_t n_runs;
	struct strbuf whys; /* of the points */
};

/* Node-hours and core-hours of a run of time_s [s] with the resources of a row. Cores are those of
 * all its nodes where the machine says how many a node has, else one for each thread of each
 * process. NaN: not known. */
double node_hours_of(const struct application *app, const double *row, double time_s);
double core_hours_of(const struct application *app, const struct machine *machine,
		     const double *row, double time_s);

/* Errors: those of fitted_machine_load(); ARG (too many combinations, or none can be predicted: why
 * the first one cannot), INTERRUPTED, those of kb, NOMEM. */
enum err_code scaling_answer_find(struct session *session, const struct scaling_question *q,
				  struct scaling_answer *out, struct err *e);
void scaling_answer_release(struct scaling_answer *a);
/* "nodes", "procs": the resource that times are compared over; "": none has a list. */
const char *scaling_resource_name(const struct scaling_question *q, const struct scaling_answer *a);
/* Processes that follow from a grid are told like those that are given. */
bool scaling_tells_procs(const struct application *a);
/* {"format_version", "app", "machine", "confidence", "resource", "cores_of_nodes", "stale",
 * "predictions": [...]}; NULL: out of memory. */
struct json_t;
struct json_t *scaling_answer_json(const struct scaling_question *q,
				   const struct scaling_answer *a);

/* What predicted time does with each parameter, machine by machine: see doubling_effects.h. */

struct scaling_rules_of {
	char *machine;
	bool stale;
	size_t n_runs;	  /* that ended */
	char *unanswered; /* why nothing is known of the machine; NULL: it is */
	struct doubling_effects effects;
};

struct scaling_rules {
	struct scaling_rules_of *item;
	size_t n;
};

/* Of one machine, or (NULL) all that have runs of the application; those that were not mined say
 * why. Errors: NOTFOUND; NOTMINED (none is known); INTERRUPTED, those of kb, NOMEM. */
enum err_code scaling_rules_find(struct session *session, const struct application *app,
				 int64_t app_id, const char *machine, double confidence,
				 struct scaling_rules *out, struct err *e);
void scaling_rules_release(struct scaling_rules *s);

#endif
