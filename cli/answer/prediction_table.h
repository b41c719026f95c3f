#ifndef CLI_PREDICTION_TABLE_H
#define CLI_PREDICTION_TABLE_H
#include "cli/frame/output.h"
#include "api/predict_answer.h"

/* Predictions as a table: machine, the columns of the configuration, predicted_s, lo_s, hi_s,
 * support, error. NULL: out of memory. */
struct out_table *prediction_table_new(const struct application *a);
/* row NULL: it could not be read; f NULL: it could not be predicted, for that reason. */
void prediction_table_add(struct out_table *t, const struct application *a, const char *machine,
			  const double *row, const struct row_prediction *f, const char *error);

#endif
