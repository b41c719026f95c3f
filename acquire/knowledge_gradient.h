#ifndef ACQUIRE_KNOWLEDGE_GRADIENT_H
#define ACQUIRE_KNOWLEDGE_GRADIENT_H
#include <stddef.h>

/* What one run is expected to lower the least of several means by, when its outcome, standard
 * normal in its own standard deviations, moves mean i by gain[i] times that: the knowledge
 * gradient, min mean - E min (mean + gain Z). Source: Frazier, Powell and Dayanik, "The
 * knowledge-gradient policy for correlated normal beliefs", INFORMS J. Computing 21(4), 2009,
 * algorithm 1 and eq. 14 (they have the largest, we the least). order[n] is scratch. 0 where no
 * outcome changes which is the least. */
double knowledge_gradient(const double *mean, const double *gain, size_t n, size_t *order);

#endif
