#ifndef CLI_PREDICT_FILE_H
#define CLI_PREDICT_FILE_H
#include <stdbool.h>
#include "base/err.h"
#include "api/predict_answer.h"
#include "cli/frame/context.h"
#include "cli/frame/output.h"

/* Predictions as a table: machine, the columns of the configuration, predicted_s, lo_s, hi_s,
 * support, error. NULL: out of memory. */
struct out_table *prediction_table_new(const struct application *a);
/* row NULL: it could not be read; f NULL: it could not be predicted, for that reason. */
void prediction_table_add(struct out_table *t, const struct application *a, const char *machine,
			  const double *row, const struct row_prediction *f, const char *error);

/* `predict --from FILE`: every row of the file comes back in order. CSV streams in constant memory,
 * each row's text unchanged with predicted_s, lo_s, hi_s and support behind it; tables and JSON are
 * for files that fit. An invalid row has empty cells there, its reason goes to c->log, and in the
 * end the result is ERR_PARSE. only_total: what all of them cost together is printed in place of
 * them. */
enum err_code predict_file(struct context *c, const struct application *app, int64_t app_id,
			   const char *path, double confidence, bool only_total, struct err *e);

#endif
