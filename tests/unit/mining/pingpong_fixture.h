#ifndef MINING_PINGPONG_FIXTURE_H
#define MINING_PINGPONG_FIXTURE_H
#include "tests/support/sp2.h"

#include "mining/messages/message_fit.h"

/* Ping-pongs for tests. */

/* The sizes of the shipped ping-pongs: two to an octave where protocols change. */
static const double sizes[] = {8,      16,     32,     64,     128,    256,    512,
			       1024,   1536,   2048,   3072,   4096,   6144,   8192,
			       12288,  16384,  24576,  32768,  49152,  65536,  98304,
			       131072, 196608, 262144, 393216, 524288, 786432, 1048576};
enum { N_SIZES = sizeof sizes / sizeof *sizes, MAX_ROWS = 1000 };

/* A ping-pong as it is fitted. */
struct rows {
	size_t n;
	double bytes[MAX_ROWS], roundtrip_s[MAX_ROWS];
};

static inline void add_row(struct rows *r, double bytes, double roundtrip_s)
{
	assert_true(r->n < MAX_ROWS);
	r->bytes[r->n] = bytes;
	r->roundtrip_s[r->n++] = roundtrip_s;
}

static inline struct message_fit fit_rows(const struct rows *r)
{
	struct message_fit fit;

	must(message_fit(r->bytes, r->roundtrip_s, r->n, NULL, &fit, &err));
	return fit;
}

static inline void check_overheads_unknown(const struct message_fit *fit, const char *why)
{
	assert_false(fit->loggp.has_overheads);
	assert_non_null(strstr(fit->loggp.why_not, why));
	check_abs(fit->loggp.value.L_s, 0, 0);
	assert_int_equal(fit->loggp.n_identifiable, 2);
	assert_string_equal(fit->loggp.identifiable[0], "G_small");
	assert_string_equal(fit->loggp.identifiable[1], "G_large");
}

#endif
