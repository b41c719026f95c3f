#ifndef CLI_PREDICT_LOT_H
#define CLI_PREDICT_LOT_H
#include "base/thread_pool.h"
#include "api/predict_answer.h"
#include "api/fitted_machine.h"

/* Some rows of a file on their way through `predict --from`: read one by one, predicted together as
 * the job of a crew, which needs nothing but memory, and then printed one by one. */

enum { PREDICTION_BATCH_ROWS = 256 };

/* Texts are places in the lot's, 0 being the empty one. */
struct lot_record {
	const struct fitted_machine *mined; /* NULL: there is none, and it cannot be predicted */
	uint64_t line;			    /* where it begins in the file */
	size_t raw;			    /* as it stands there */
	size_t machine;			    /* the name in its machine column */
	size_t cells;			    /* what comes behind it in a CSV; 0: nothing yet */
	bool is_known;			    /* the cells are, so that nothing is predicted */
	size_t why;			    /* it cannot be predicted; 0: it can */
	bool is_unread;			    /* the reader had that reason */
	struct row_prediction forecast;	    /* unless its cells were known */
};

struct prediction_batch {
	struct thread_pool_job job;
	const struct application *app;
	double confidence;
	char delimiter; /* of cells; 0: they are not made */
	size_t n;
	struct lot_record *record; /* PREDICTION_BATCH_ROWS */
	double *asked, *row; /* PREDICTION_BATCH_ROWS * n_columns: as read, and as completed */
	struct strbuf text;
	struct strbuf why; /* scratch */
};

/* app is borrowed. Errors: NOMEM. */
enum err_code prediction_batch_init(struct prediction_batch *l, const struct application *app,
				    double confidence, char delimiter, struct err *e);
void prediction_batch_release(struct prediction_batch *l);

/* Away with the rows. */
void prediction_batch_clear(struct prediction_batch *l);
/* One more of at most PREDICTION_BATCH_ROWS, to be predicted if the caller sets its machine, and
 * neither why nor is_known. */
struct lot_record *prediction_batch_add(struct prediction_batch *l, const char *raw,
					const double *row);
/* The place of a copy. */
size_t prediction_batch_keep(struct prediction_batch *l, const char *text);
/* NULL for place 0. */
const char *prediction_batch_text(const struct prediction_batch *l, size_t place);
const double *prediction_batch_asked(const struct prediction_batch *l, size_t i);
double *prediction_batch_row(const struct prediction_batch *l, size_t i);
bool prediction_batch_failed(const struct prediction_batch *l); /* out of memory */

#endif
