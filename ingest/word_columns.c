#include "ingest/word_columns.h"

#include <stdint.h>
#include <stdlib.h>

#include "ingest/cell_clock.h"
#include "ingest/cell_number.h"

bool word_is_word(const char *text)
{
	double number;

	return !cell_is_missing(text) && cell_number(text, &number) == NUMBER_NOT_A_NUMBER &&
	       cell_number_evidence(text, false) == EVIDENCE_NONE &&
	       cell_clock(text, CLOCK_HMS, '.', &number) == CLOCK_NONE;
}

struct word_count {
	size_t i_table; /* SIZE_MAX: no such column */
	uint64_t n_words;
	uint64_t n_others;
};

static void count(struct word_count *c, size_t n, const struct table_record *rec)
{
	for (size_t i = 0; i < n; i++) {
		const char *text = c[i].i_table == SIZE_MAX ? "" : rec->field[c[i].i_table];

		if (word_is_word(text))
			c[i].n_words++;
		else if (!cell_is_missing(text))
			c[i].n_others++;
	}
}

enum err_code word_columns_find(struct text_table *t, const char *const *list, bool *words,
				struct err *e)
{
	struct word_count *c;
	struct table_record rec;
	enum err_code rc;
	size_t n = 0;

	while (list && list[n])
		n++;
	c = calloc(n + 1, sizeof *c);
	if (!c)
		return err_set(e, ERR_NOMEM, "%s: %zu columns", text_table_name(t), n);
	for (size_t i = 0; i < n; i++)
		c[i].i_table = text_table_find(t, list[i]);
	rc = text_table_rewind(t, e);
	while (!rc && !(rc = text_table_next(t, &rec, e)) && rec.raw) {
		if (!rec.bad)
			count(c, n, &rec);
	}
	if (!rc)
		rc = text_table_rewind(t, e);
	for (size_t i = 0; i < n; i++)
		words[i] = c[i].n_words > c[i].n_others;
	free(c);
	return rc;
}
