#ifndef MINING_SHORT_SETS_H
#define MINING_SHORT_SETS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "domain/dataset.h"
#include "kb/kb.h"

/* Sets of runs of which a column beside them says that they did less than was asked, whatever time
 * they took (short_runs.h). */
enum { SHORT_MIN_RUNS = 8, SHORT_MAX_SETS = 128 };

enum set_kind { SET_LESS, SET_HUGE, SET_WORD };

/* The runs of which a column says that they did less. */
struct short_set {
	enum set_kind kind;
	size_t column;	       /* of the extras */
	size_t n;	       /* members */
	bool says_no;	       /* by itself, or by the name of its column */
	unsigned char *member; /* by place in run[] */
	double median;	       /* ln of the share of the expected time that they take */
	bool fires;
	size_t example; /* place of the run that is the shortest for what was to be expected */
	double off;	/* of it */
	double *usual;	/* by place: the number that was to be expected; of SET_LESS */
};

struct short_sets {
	struct dataset *runs;
	const struct kb_run_extras *extras;
	uint32_t *run; /* those that ended */
	size_t n;
	struct short_set set[SHORT_MAX_SETS];
	size_t n_sets;
	bool others; /* words that do not say no are looked at, and nothing else */
	bool full;
	uint32_t *group;
	double *value, *work;
	uint32_t *ref; /* places in run[] of those that a law is made of */
	size_t n_ref;
	double *off; /* by place: ln of time over what the law says; of ref held out */
	double sd;   /* of off of ref */
};

static inline double short_set_number(const struct short_sets *l, size_t column, size_t i)
{
	return l->extras->column[column].number[l->run[i]];
}

/* NULL: none */
static inline const char *short_set_word(const struct short_sets *l, size_t column, size_t i)
{
	const struct kb_extra_column *c = &l->extras->column[column];
	const size_t k = c->word[l->run[i]];

	return k > 0 ? c->text[k - 1] : NULL;
}

/* Was a smaller number asked for? One and the same of several configurations, or of several runs
 * half of which were done in full as well. */
bool short_set_was_chosen(const struct short_sets *l, const struct short_set *s);
/* All that columns say. Errors: NOMEM. */
enum err_code short_sets_find(struct short_sets *l, struct err *e);
/* Those from `from` on. */
void short_sets_drop(struct short_sets *l, size_t from);

#endif
