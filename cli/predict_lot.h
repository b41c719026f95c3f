#ifndef CLI_PREDICT_LOT_H
#define CLI_PREDICT_LOT_H
#include "base/crew.h"
#include "cli/predict_row.h"

/* Some rows of a file on their way through `predict --from`: read one by one, predicted together as
 * the job of a crew, which needs nothing but memory, and then printed one by one. */

enum { PREDICT_LOT_ROWS = 256 };

/* Texts are places in the lot's, 0 being the empty one. */
struct lot_record {
	const struct mined_machine *mined; /* NULL: there is none, and it cannot be predicted */
	uint64_t line;			   /* where it begins in the file */
	size_t raw;			   /* as it stands there */
	size_t machine;			   /* the name in its machine column */
	size_t cells;			   /* what comes behind it in a CSV; 0: nothing yet */
	bool is_known;			   /* the cells are, so that nothing is predicted */
	size_t why;			   /* it cannot be predicted; 0: it can */
	bool is_unread;			   /* the reader had that reason */
	struct forecast forecast;	   /* unless its cells were known */
};

struct predict_lot {
	struct crew_job job;
	const struct application *app;
	double confidence;
	char delimiter; /* of cells; 0: they are not made */
	size_t n;
	struct lot_record *record; /* PREDICT_LOT_ROWS */
	double *asked, *row;	   /* PREDICT_LOT_ROWS * n_columns: as read, and as completed */
	struct strbuf text;
	struct strbuf why; /* scratch */
};

/* app is borrowed. Errors: NOMEM. */
enum err_code predict_lot_init(struct predict_lot *l, const struct application *app,
			       double confidence, char delimiter, struct err *e);
void predict_lot_release(struct predict_lot *l);

/* Away with the rows. */
void predict_lot_clear(struct predict_lot *l);
/* One more of at most PREDICT_LOT_ROWS, to be predicted if the caller sets its machine, and
 * neither why nor is_known. */
struct lot_record *predict_lot_add(struct predict_lot *l, const char *raw, const double *row);
/* The place of a copy. */
size_t predict_lot_keep(struct predict_lot *l, const char *text);
/* NULL for place 0. */
const char *predict_lot_text(const struct predict_lot *l, size_t place);
const double *predict_lot_asked(const struct predict_lot *l, size_t i);
double *predict_lot_row(const struct predict_lot *l, size_t i);
bool predict_lot_failed(const struct predict_lot *l); /* out of memory */

#endif
