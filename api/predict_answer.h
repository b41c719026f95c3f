#ifndef API_PREDICT_ANSWER_H
#define API_PREDICT_ANSWER_H
#include <stdint.h>
#include "api/answer.h"
#include "api/fitted_machine.h"
#include "api/predict_row.h"
#include "api/session.h"
#include "base/err.h"

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
