#ifndef TUNE_TIMING_H
#define TUNE_TIMING_H
#include "tune/tune_objects.h"

/* Times: the clock of a request, and what messages between neighbours take. */

double tune_now(const struct ltune_options *options);
/* A time that can be compared, whatever the clock says. */
double tune_elapsed(double begin_s, double end_s);

/* Messages that are timed: without data, nearly; and a face of the vector, within limits. */
enum { TUNE_SMALL_BYTES = 8 };

struct tune_probe {
	char *buffer; /* what is sent, and room for what comes */
	int bytes;    /* of the large message */
};

/* 0: out of memory. */
int tune_probe_init(struct tune_probe *p, const struct ltune_vector *v);
void tune_probe_release(struct tune_probe *p);
/* Collective among neighbours, in pairs along the dimension with the most processes. took_s: of the
 * small message what posting it takes and half of a round trip, and so of the large one; 0 of a
 * process that only answers or is alone. Returns MPI's code. */
int tune_probe_neighbours(const struct tune_probe *p, const struct ltune_context *c,
			  const struct ltune_options *options, double took_s[4]);

#endif
