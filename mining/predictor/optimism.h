#ifndef MINING_OPTIMISM_H
#define MINING_OPTIMISM_H
#include <stddef.h>
#include "base/err.h"
#include "domain/application.h"
#include "mining/training/config_table.h"

/* The optimism of a choice, or winner's curse. What is predicted to be the fastest of many is
 * partly so because its prediction errs towards fast: the best of predictions that are right on
 * average is too good (Capen, Clapp, Campbell, J. Petroleum Technology 23(6), 1971; Smith, Winkler,
 * Management Science 52(3), 2006). How much depends on how many there are, how alike they are and
 * how wrong the predictions, so it is measured: a configuration that was held out is compared with
 * what its fold predicts for other tunables on the same problem and resources. How far it stands
 * behind the best of them, in units of the spread, is its gap; where the gap is 0 it would have
 * been chosen. The line
 *
 *	residual / spread = a + b exp(-gap)
 *
 * through all of them, or through an even sample of many (least squares), says what is expected of
 * a chosen one more than of all. */

enum { TUNABLE_SETTINGS = 16 };
/* Up to TUNABLE_SETTINGS settings of the tunables, as rows of t. */
struct tunable_settings {
	const struct config_table *t;
	size_t n;
	size_t config[TUNABLE_SETTINGS];
};

/* Settings that differ from each other, in the order of t. None where the class has no tunables. */
void tunable_settings_find(const struct config_table *t, struct tunable_settings *out);
/* Row k of them at the problem and resources of `row`: out[n_columns], derived. false: that is not
 * legal there. */
bool tunable_settings_row(const struct tunable_settings *a, size_t k, const double *row,
			  double *out);

/* Where one configuration stood, and how far off it was, in units of the spread. */
struct optimism_point {
	double gap; /* >= 0 */
	double off; /* of its runs, the mean */
};
/* In units of the spread, 0 or more: the line's value at gap 0 less the mean over all, shrunk by
 * how well it is known (positive-part James-Stein: 1 - (se / value)^2). 0 where there are fewer
 * than OPTIMISM_LEAST points. */
enum { OPTIMISM_LEAST = 8 };
double optimism_of(const struct optimism_point *x, size_t n);

#endif
