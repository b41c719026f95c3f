#ifndef MINING_LEVEL_RANGES_H
#define MINING_LEVEL_RANGES_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "kb/kb.h"
#include "mining/training/config_table.h"

/* Sizes that a level of a text column was run with, where other levels were run with more: a
 * partition with short queues, a solver that somebody tried on small problems. Beyond them another
 * law may rule, however far the others went. Sizes are problem, workload and resources. Of a level
 * with a single size there is no range; what its exponents may be is in the deviation of the trend
 * (level_interactions.h).
 *
 * So it is with more processes and threads on a node than large problems had (more than there are
 * cores, a second socket), and with more of what some runs did without (GPUs): whatever was run
 * with more than some amount has a most of each size of the problem. Not where a structure tells
 * what they do.
 *
 * And two settings together (levels of text columns, values of numeric tunables) have a most of
 * each size of the problem: each may be well known by itself where the two were hardly tried. It
 * counts where chance would have put two runs or more beyond it, if the settings were independent
 * (Poisson: none of two is 1 in 7). So do two or three that never met, three where each two did and
 * what they do together is that (no interaction of three). Not where a structure tells what they
 * do. */
#define LEVEL_PACKING SIZE_MAX

struct level_ranges {
	size_t n;
	struct level_range {
		size_t n_of; /* 1; of settings together 2 or 3 */
		struct setting_value {
			size_t column; /* or LEVEL_PACKING */
			double code;   /* its level or value; of an amount: more than this */
		} of[3];
		size_t size;   /* a column; SIZE_MAX: of settings that never met */
		double lo, hi; /* > 0; lo 0: of an amount or settings; hi 0: they never met */
	} item[256];
};

/* Of t's configurations. Errors: NOMEM. */
enum err_code level_ranges_make(const struct config_table *t, struct level_ranges *out,
				struct err *e);
/* How far outside of them a row is, as the largest log2 distance; 0 inside. Missing values are
 * inside. */
double level_ranges_beyond(const struct level_ranges *m, const struct application *app,
			   const double *row);

/* " partition gpu was run with n from 100 to 400 only.": sentences; nothing where there are none.
 */
void level_ranges_explain(const struct level_ranges *m, const struct application *app,
			  struct strbuf *out);
/* "partition gpu was run with n from 100 to 400 only", of the one that the row lies farthest
 * beyond, with `before` in front; nothing where it is inside of all. */
void level_ranges_explain_row(const struct level_ranges *m, const struct application *app,
			      const double *row, const char *before, struct strbuf *out);
/* Numbers "level_range_...", and back; what names a level or column that is gone is left out.
 * Errors: NOMEM. */
enum err_code level_ranges_store(const struct level_ranges *m, const struct application *app,
				 struct kb_fit *fit, struct err *e);
void level_ranges_load(const struct kb_fit *fit, const struct application *app,
		       struct level_ranges *out);

#endif
