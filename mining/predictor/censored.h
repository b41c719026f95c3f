#ifndef MINING_CENSORED_H
#define MINING_CENSORED_H
#include <stdbool.h>
#include <stddef.h>

/* A number of which only a lower bound may be known: a run that was cut at its time limit. */
struct at_least {
	double value;
	bool is_bound; /* the number is at least that */
};

/* out[0..n-1], ascending: a sample like the Kaplan-Meier estimate of the distribution that x[n] is
 * from, n >= 1. A bound is worth as much as any number, and what it is worth goes in equal parts to
 * all larger ones (Efron, "The two sample problem with censored data", 1967: redistribution to the
 * right). The largest of all stays where it is even if it is a bound: of what lies beyond nothing
 * is known. Without bounds out is x, sorted. Reorders x. */
void censored_sample(struct at_least *x, size_t n, double *out);

/* E[Y | Y > limit] of a normal Y: what stands for a run that was cut in a fit to means (Schmee and
 * Hahn, "A simple method for regression analysis with censored data", Technometrics 1979, eq. 2.3).
 * sd > 0; at least limit. */
double censored_normal_mean(double mean, double sd, double limit);

#endif
