#ifndef MODELS_APPLICATION_LEVEL_H
#define MODELS_APPLICATION_LEVEL_H
#include "base/err.h"

/* Run time and speed-up from what a programmer can count: messages, bytes, nodes.
 *
 * Source: Liu, Qiao and Liu, "The Hierarchical Analysis and Performance Evaluating for Parallel
 * Application", Computer Science 27(5), 2000 (in Chinese): equations 1, 2, 2' and 3; the message
 * cost is Hockney's. */

/* t(m) = t0 + m / r_inf */
struct hockney {
	double t0_s;
	double s_per_byte; /* 1 / r_inf */
};

/* A message of m bytes, and a broadcast of it to n nodes: t(m) log2 n (1). */
double hockney_message_s(const struct hockney *h, double bytes);
double hockney_broadcast_s(const struct hockney *h, double bytes, double nodes);

/* What the node that communicates most does in the whole run. */
struct interaction {
	double messages, bytes;		    /* point to point: c_p, M_p */
	double group_messages, group_bytes; /* collective: c_b, M_b */
};

/* (2): what two nodes exchange, the one with the other: their messages, and the collective
 * operations among n nodes that both take part in. nodes >= 1. Errors: ARG (names the value). */
struct interaction_time {
	double startup_s;  /* (c_p + c_b log2 n) t0 */
	double transfer_s; /* (M_p + M_b log2 n) / r_inf */
	double time_s;	   /* their sum */
};
enum err_code interaction_time(const struct hockney *h, const struct interaction *x, double nodes,
			       struct interaction_time *out, struct err *e);

struct application_level {
	double compute_s;  /* t1 / n: the work is even, starting processes costs nothing */
	double startup_s;  /* (c_p + c_b log2 n) t0, of (2') */
	double transfer_s; /* (M_p + M_b log2 n) / r_inf, of (2') */
	double time_s;	   /* their sum */
	double speedup;	   /* t1 / time */
	double bound_s;	   /* (3): t1/n + (1 + log2 n)(c t0 + M / r_inf), c and M of both kinds */
	double bound_speedup; /* (3), at least this */
};

/* nodes >= 1. Errors: ARG (names the value). */
enum err_code application_level(const struct hockney *h, const struct interaction *x, double nodes,
				double t1_s, struct application_level *out, struct err *e);

#endif
