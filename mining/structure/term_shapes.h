#ifndef MINING_TERM_SHAPES_H
#define MINING_TERM_SHAPES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/application.h"
#include "mining/training/config_table.h"

/* What a term of a definition may look like, by the roles of the columns: a product with one factor
 * (a shape) for each column that varied in the runs. A problem column counts as itself, squared,
 * cubed, as a surface, or as blocks of it, ceil(a / b), for what it may be divided by; processes
 * divide work, are sent to, are passed one after the other (the fill of a pipeline on a grid of
 * processes) or are a tree's leaves. */

enum { TERM_SLOTS = 24, TERM_SHAPES = 40, TERM_LETS = 3 };

/* What the processes do in a term, for people and for which part of time it is of. */
enum term_way {
	WAY_NONE,      /* nothing: as on one process */
	WAY_DIVIDED,   /* work that they share */
	WAY_SURFACE,   /* of a process's part */
	WAY_MESSAGES,  /* what exists from two processes on */
	WAY_TREE,      /* log2 */
	WAY_FILL,      /* of a pipeline */
	WAY_FILL_WORK, /* the same times a process's work */
	WAY_ALL_TO_ALL /* grows with their number */
};

struct term_shape {
	char *over, *under; /* factor and divisor, as text; NULL: none */
	enum term_way way;
	double price;	 /* how far it is from what most codes do */
	bool two_thirds; /* the power of a surface: of a problem column only where the processes
			    have it too */
	/* The slot that must be empty beside it, as it is in here: threads of ceil(n / threads);
	 * SIZE_MAX: none. */
	size_t takes;
	double *value; /* [n_rows], >= 0 */
};

struct term_slot {
	size_t n;
	struct term_shape shape[TERM_SHAPES]; /* [0]: the term does not depend on the column */
};

struct term_shapes {
	const struct application *app; /* borrowed */
	size_t n_rows;
	size_t n_slots, slot_procs; /* slot_procs SIZE_MAX: no processes */
	struct term_slot slot[TERM_SLOTS];
	/* Names that shapes may use (the application's own names of columns come first in the
	 * scope). */
	size_t n_let;
	struct term_name let[TERM_LETS];
	const char *name[APPLICATION_MAX_TERM_VALUES];
	const struct levels *levels[APPLICATION_MAX_TERM_VALUES];
	struct expr_scope scope;
};

/* One term: the shape of each slot. */
struct term_form {
	unsigned char shape[TERM_SLOTS];
};

/* Of the configurations of t. A column that is missing in one of them has no shapes. Errors: NODATA
 * (no column that a term could be made of varied, or too many columns), NOMEM. */
enum err_code term_shapes_make(const struct config_table *t, struct term_shapes **out,
			       struct err *e);
void term_shapes_free(struct term_shapes *s);

/* Is it a term: no slot is taken twice, and something is in it? */
bool term_form_fits(const struct term_shapes *s, const struct term_form *f);
/* The sum of its prices. */
double term_form_price(const struct term_shapes *s, const struct term_form *f);
void term_form_values(const struct term_shapes *s, const struct term_form *f, double *value);
/* "ng * nang / (procs * threads)"; "1" of the empty one. */
void term_form_text(const struct term_shapes *s, const struct term_form *f, struct strbuf *out);
enum term_way term_form_way(const struct term_shapes *s, const struct term_form *f);

#endif
