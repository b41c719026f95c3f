#ifndef API_PREDICT_ANSWER_H
#define API_PREDICT_ANSWER_H
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/application.h"
#include "domain/machine.h"
#include "ingest/config_reader.h" /* tables of configurations are asked about row by row */
#include "mining/predictor/predictor.h"
#include "api/answer.h"
#include "api/fitted_machine.h"
#include "api/session.h"

/* The time of one configuration. */
struct row_prediction {
	struct prediction prediction;
	double lo_s, hi_s; /* the central interval at a confidence */
};

/* Make a row of problem, resources and tunables whole: workload defaults, derived columns, and
 * nodes and processes from each other. Nodes that nobody gave are as many as the processes fill
 * (one process each with cores_per_node 0: not known). False: *why says which column is
 * missing, or which rule of legality is broken. */
bool predict_row_complete(const struct application *a, double cores_per_node, double *row,
			  struct strbuf *why);

/* row is complete. */
struct row_prediction predict_row(const struct predictor *p, const double *row, double confidence);

/* The time of one configuration, with what it rests on. */
struct json_t;

struct predict_question {
	const struct application *app;
	int64_t app_id;
	struct machine_request machine;
	const double *given; /* [n_columns] as asked; NaN: left open */
	double confidence;   /* of the interval */
};

struct predict_answer {
	struct fitted_machine mined;
	double *row; /* [n_columns], complete */
	struct row_prediction forecast;
	/* {"request": that of answer_setting_json() and "confidence", "prediction": the
	 * configuration, "predicted_s", "lo_s", "hi_s", "support", where a run like it failed
	 * "warning", "evidence": that of answer_evidence_json()} */
	struct json_t *json;
	struct answer told; /* the same as data; borrows the question's application */
};

/* Errors: those of fitted_machine_load(), ARG (what is not given, or not legal), INTERRUPTED, those
 * of kb, NOMEM. */
enum err_code predict_answer_find(struct session *session, const struct predict_question *q,
				  struct predict_answer *out, struct err *e);
void predict_answer_release(struct predict_answer *a);

#endif
