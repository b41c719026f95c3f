#ifndef DOMAIN_FINDINGS_H
#define DOMAIN_FINDINGS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What mining found out about the runs of an application on a machine besides rules: plain data
 * that mining/ makes, kb/ stores and cli/ prints. Texts are owned; NaN is "not known". Intervals
 * are 95 %, p values adjusted within their table (Benjamini-Hochberg) unless said otherwise. */

/* The runs as a whole. */
struct data_profile {
	int64_t n_runs;		  /* all, excluded ones left out */
	int64_t n_configurations; /* of the runs that count: status ok, not flagged */
	int64_t n_problems;
	int64_t n_cases; /* one problem on one number of processors */
	int64_t n_failed, n_timeout, n_flagged;
	int64_t n_aggregates;	/* rows that stand for several repeats */
	int64_t n_repeated;	/* configurations with two runs and more */
	double noise;		/* typical standard deviation of log time among repeats, robust */
	double noise_p90;	/* its 90th percentile over configurations */
	int64_t n_outliers;	/* repeats far above the others of their configuration */
	int64_t n_regimes;	/* stretches of time (run order) in which times differ; 1: steady */
	double regime_shift;	/* largest ratio between neighbouring ones; 1: steady */
	double design_coverage; /* combinations run over combinations of the values of problem,
				 * resources and tunables seen */
	char *remarks;		/* sentences, one a line; "" */
};

/* One column. */
struct column_profile {
	char *column;
	char *role;
	int64_t n, n_missing, n_levels;
	double min, q25, median, q75, max; /* NaN for text */
	char *levels;			   /* text: "DGZ 300, DZG 280, ..."; else "" */
	char *remark; /* "constant", "a copy of x", "moves with procs: ..."; "" */
};

/* How a column goes with time and with slow-down against the best known of the same case. */
struct column_effect {
	char *column;
	double time_rho, time_lo, time_hi, time_p; /* Spearman rank correlation with time */
	double slow_rho, slow_lo, slow_hi, slow_p; /* with slow-down, within cases; NaN: the column
						    * does not vary within them */
	double effect, effect_lo, effect_hi;	   /* slow-down of its worst level over its best */
	char *best, *worst;			   /* those levels or ranges: "mk 5..10" */
};

/* Two columns of which the effect of one on slow-down depends on the other. */
struct column_interaction {
	char *a, *b;
	double share; /* of the variance of log slow-down within cases, beyond both alone */
	double p;
	char *text; /* "best mk: 10 where procs <= 4, 1 where procs >= 64"; "" */
};

/* Attribute hypotheses (ADCL, docs/papers.md): sets of runs that differ in one attribute only
 * vote for its best value. */
struct hypothesis {
	char *attribute;
	char *value;		       /* that the votes favour */
	int64_t n_sets;		       /* sets that differ in this attribute only */
	int64_t n_agree;	       /* in which this value is the fastest */
	int64_t confidence;	       /* the counter: +1 agreeing, -1 disagreeing, from 0 */
	double gain, gain_lo, gain_hi; /* time of the other values over its, Hodges-Lehmann */
	double p;		       /* Wilcoxon signed rank */
};

/* A choice among those ranked together (Friedman rank sums over cases; PYTHIA-II). */
struct ranked_choice {
	char *choice; /* "mk=10,mmi=3" */
	double rank_sum;
	double mean_rank; /* 1: the fastest in every case */
	char *ties;	  /* letters: choices that share one are not told apart at level alpha */
};
struct ranking {
	int64_t n_cases;	      /* in which all of them were run */
	double chi2, p;		      /* Friedman, corrected for ties; p not adjusted */
	double alpha;		      /* of the multiple comparison */
	struct ranked_choice *choice; /* best first */
	size_t n_choices;
};

struct findings {
	struct data_profile profile;
	struct column_profile *column;
	size_t n_columns;
	struct column_effect *effect;
	size_t n_effects;
	struct column_interaction *interaction;
	size_t n_interactions;
	struct hypothesis *hypothesis;
	size_t n_hypotheses;
	struct ranking ranking; /* n_choices 0: nothing could be ranked */
};
void findings_release(struct findings *f);

#endif
