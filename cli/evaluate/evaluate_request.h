#ifndef CLI_EVALUATE_REQUEST_H
#define CLI_EVALUATE_REQUEST_H
#include <stddef.h>
#include "api/back_test.h"
#include "base/err.h"
#include "cli/frame/context.h"
#include "base/strbuf.h"
#include "domain/expr.h"

/* What `lemnos evaluate` was asked to hold out, and to fit. */
extern const struct option_spec opt_protocols, opt_predictors, opt_train, opt_test, opt_disturb;

struct evaluate_question {
	const struct cv_protocol *protocol[PROTOCOL_COUNT + 1];
	size_t n_protocols;
	const char *predictor[FORECASTER_KINDS];
	size_t n_predictors;
	unsigned seed;
	double disturb;
	/* behind the protocol that --train makes, and the names that were typed */
	struct cv_protocol cut;
	struct expr *train, *test;
	struct strbuf cut_name;
	char **typed;
};

/* Errors: USAGE (an option makes no sense, an unknown name: lists those that there are), PARSE (a
 * condition). *out must be released in any case. */
enum err_code evaluate_question_read(const struct context *c, const struct application *app,
				     struct evaluate_question *out, struct err *e);
void evaluate_question_release(struct evaluate_question *q);

#endif
