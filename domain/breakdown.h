#ifndef DOMAIN_BREAKDOWN_H
#define DOMAIN_BREAKDOWN_H

/* Where a predicted time goes; the parts sum to the whole. [s] */
struct breakdown {
	double compute_s; /* arithmetic on the critical path, in the full pipeline */
	double comm_s;	  /* messages of the full pipeline */
	double fill_s;	  /* waiting for the pipeline to fill and drain, computation and messages */
	double sync_s;	  /* blocking sends, receives that wait, collective operations */
	double other_s;	  /* outside the sweeps: before and after the iterations, sources */
};

static inline double breakdown_total_s(const struct breakdown *b)
{
	return b->compute_s + b->comm_s + b->fill_s + b->sync_s + b->other_s;
}

#endif
