#ifndef MINING_NUMBER_KINDS_H
#define MINING_NUMBER_KINDS_H
#include <stddef.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "kb/kb.h"
#include "mining/training/config_table.h"

/* Columns of which numbers of one kind only were run. Another number is not only another value but
 * of another kind there, and no held-out run can tell, as all of them are of that kind:
 *
 *   powers of two (three at least): transforms, trees of messages, alignment and ways to divide a
 *   grid may suit these only. Where a question has another value, ln time is taken to be off by
 *   NUMBER_KIND_SD more: some codes take 1.5 to 3 times as long there, most no longer;
 *
 *   multiples of 64 (three at least): a size that is no multiple of 16 may fit no cache line and no
 *   vector, by NUMBER_KIND_SD likewise. Sizes of the problem and tunables, up to 2^16: larger
 *   numbers count what no line of an array is as long as;
 *
 *   products of small primes: fast Fourier transforms of a size with a large prime factor take
 *   several times as long, and so may a grid that is not divided into equal blocks. Factors up to
 *   13 are small (those that FFTW suits: its manual, 4.3.1), from 52 on (two doublings) large. How
 *   far beyond the small ones, or the largest that was run, a large one lies is told in doublings;
 *   where a large one was run, held-out runs tell. Whole numbers up to 2^16, sizes of the problem.
 */
#define NUMBER_KIND_SD 0.2

enum number_kind_name { NUMBER_POWER = 1, NUMBER_ALIGNED, NUMBER_FACTORS };

struct number_kind {
	size_t column; /* of the application */
	enum number_kind_name name;
	double largest_factor; /* that is seen; of NUMBER_FACTORS */
};

enum { NUMBER_KINDS = 32 };
struct number_kinds {
	size_t n;
	struct number_kind item[NUMBER_KINDS]; /* by column, then name */
};

/* Numeric columns of the problem, resources and tunables. */
void number_kinds_find(const struct config_table *t, struct number_kinds *out);
/* Standard deviation of ln time, since the row has numbers that are no powers of two or multiples
 * of 16; 0: it has none. What is missing is of any kind. */
double number_kinds_sd(const struct number_kinds *m, const double *row);
/* The most of all columns, log2; 0: the row has no larger prime factors than the runs. */
double number_kinds_factor_doublings(const struct number_kinds *m, const double *row);
/* Sentences with a blank before each; nothing where there are no such columns. */
void number_kinds_explain(const struct number_kinds *m, const struct application *app,
			  struct strbuf *out);
/* "no n with a prime factor above 13 was run", of what the row has larger ones of, with `before` in
 * front; nothing where it has none. */
void number_kinds_explain_row(const struct number_kinds *m, const struct application *app,
			      const double *row, const char *before, struct strbuf *out);

/* Errors: NOMEM. */
enum err_code number_kinds_store(const struct number_kinds *m, const struct application *app,
				 struct kb_fit *fit, struct err *e);
void number_kinds_load(const struct kb_fit *fit, const struct application *app,
		       struct number_kinds *out);

#endif
