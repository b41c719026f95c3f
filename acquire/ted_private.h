#ifndef ACQUIRE_TED_PRIVATE_H
#define ACQUIRE_TED_PRIVATE_H
#include "acquire/ted.h"
#include "models/memory_hierarchy.h"

/* Private to acquire/ted*.c: the methods. Each fills *out, but for cost_s. */
enum err_code ted_measure(const struct task_description *t, const double *asked,
			  const struct ted_options *o, struct ted_result *out, struct err *e);
enum err_code ted_simulate(const struct task_description *t, const double *asked,
			   const struct ted_options *o, struct ted_result *out, struct err *e);
enum err_code ted_trace(const struct task_description *t, const double *asked,
			const struct ted_options *o, struct ted_result *out, struct err *e);
enum err_code ted_database(const struct task_description *t, const double *asked,
			   struct ted_result *out, struct err *e);

/* A path of the description, from its folder. */
void ted_path(const struct task_description *t, const char *path, struct strbuf *out);

/* The program with its arguments for so many repeats, as words; NULL-terminated argv is made of
 * them by ted_words_argv(). */
struct ted_words {
	struct strbuf *word;
	size_t n;
};
enum err_code ted_words_add(struct ted_words *w, const char *text, struct err *e);
enum err_code ted_words_program(struct ted_words *w, const struct task_description *t,
				const double *asked, int64_t repeats, const struct ted_options *o,
				struct err *e);
/* One block of memory, for the caller to free(). NULL: out of memory. */
const char **ted_words_argv(const struct ted_words *w);
void ted_words_release(struct ted_words *w);

/* Median and spread of times[0..n-1], n >= 1; reorders them. */
void ted_summarise(double *times, size_t n, struct ted_result *out);
/* Wg and rates of counts that stand for so many cells times angles. */
void ted_take_counts(const struct memory_counts *counts, const struct task_description *t,
		     double cell_angles, struct ted_result *out);

#endif
