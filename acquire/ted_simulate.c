#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "acquire/launch.h"
#include "acquire/ted_run.h"

enum { EVENTS = 9 };
/* In the order of struct memory_counts. */
static const char *const event[EVENTS] = {"Ir",	  "I1mr", "ILmr", "Dr",	 "D1mr",
					  "DLmr", "Dw",	  "D1mw", "DLmw"};

/* The numbers after "summary:" in the order that "events:" gives. */
static enum err_code read_counts(const char *text, uint64_t count[EVENTS], struct err *e)
{
	const char *names = strstr(text, "events: "), *values = strstr(text, "\nsummary: ");

	if (!names || !values)
		return err_set(e, ERR_PARSE, "cachegrind's output has no events or no summary");
	names += strlen("events: ");
	values += strlen("\nsummary: ");
	for (int i = 0; i < EVENTS; i++) {
		size_t length = strcspn(names, " \n");
		char *end;

		if (length != strlen(event[i]) || strncmp(names, event[i], length) != 0)
			return err_set(e, ERR_PARSE, "cachegrind counts '%.*s', not '%s'",
				       (int)length, names, event[i]);
		names += length + strspn(names + length, " ");
		count[i] = strtoull(values, &end, 10);
		if (end == values)
			return err_set(e, ERR_PARSE, "cachegrind's summary has no %s", event[i]);
		values = end;
	}
	return ERR_OK;
}

static void put_cache(struct strbuf *out, const char *name, const struct cache_shape *s)
{
	strbuf_clear(out);
	strbuf_printf(out, "--%s=%" PRIu64 ",%" PRIu64 ",%" PRIu64, name, s->size_bytes,
		      s->associativity, s->line_bytes);
}

static enum err_code add_cachegrind(struct ted_words *w, const struct memory_shape *m,
				    struct err *e)
{
	static const char *const fixed[] = {"valgrind", "--tool=cachegrind",
					    "--command-line-only=yes", "--cache-sim=yes",
					    "--cachegrind-out-file=counts"};
	const struct cache_shape *shape[] = {&m->I1, &m->D1, &m->shared[0]};
	static const char *const name[] = {"I1", "D1", "LL"};
	struct strbuf option = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < sizeof fixed / sizeof fixed[0] && !rc; i++)
		rc = ted_words_add(w, fixed[i], e);
	for (size_t i = 0; i < 3 && !rc; i++) {
		put_cache(&option, name[i], shape[i]);
		rc = ted_words_add(w, strbuf_text(&option), e);
	}
	strbuf_release(&option);
	return rc;
}

static enum err_code simulate(const struct task_description *t, const double *asked,
			      int64_t repeats, const struct ted_options *o, uint64_t count[EVENTS],
			      struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	struct work_folder folder = {0};
	struct ted_words w = {0};
	enum err_code rc;

	if ((rc = add_cachegrind(&w, &t->memory, e)) ||
	    (rc = ted_words_program(&w, t, asked, repeats, o, e)) ||
	    (rc = work_folder_open(NULL, &folder, e)) || (rc = ted_run(&w, &folder, o, e)) ||
	    (rc = work_folder_read(&folder, "counts", SIZE_MAX, &text, e)))
		goto done;
	rc = read_counts(strbuf_text(&text), count, e);
done:
	work_folder_close(&folder);
	ted_words_release(&w);
	strbuf_release(&text);
	return rc;
}

/* Start-up is the same to a few instructions, of which a rare event may have more. */
static uint64_t rise(const uint64_t *once, const uint64_t *twice, int i)
{
	return twice[i] > once[i] ? twice[i] - once[i] : 0;
}

enum err_code ted_simulate(const struct task_description *t, const double *asked,
			   const struct ted_options *o, struct ted_result *out, struct err *e)
{
	uint64_t once[EVENTS], twice[EVENTS];
	struct memory_counts counts = {0};
	double row[TASK_VARIABLES], cell_angles;
	enum err_code rc;

	memcpy(row, asked, sizeof row);
	row[TASK_REPEATS] = 1;
	cell_angles = expr_eval(t->run.cell_angles, row);
	if (!(cell_angles > 0 && isfinite(cell_angles)))
		return err_set(e, ERR_ARG,
			       "%s: 'cell_angles' is %g for this configuration; it "
			       "must be known and > 0",
			       t->name, cell_angles);
	if (!launch_can_find("valgrind"))
		return err_set(e, ERR_NOTFOUND,
			       "%s: the method 'simulate' needs valgrind, which is not in PATH; a "
			       "recorded trace (method 'trace') does without",
			       t->name);
	if ((rc = simulate(t, asked, 1, o, once, e)) || (rc = simulate(t, asked, 2, o, twice, e)))
		return rc;
	for (int kind = 0; kind < ACCESS_KINDS; kind++) {
		counts.access[kind] = rise(once, twice, 3 * kind);
		counts.l1_miss[kind] = rise(once, twice, 3 * kind + 1);
		counts.shared_miss[0][kind] = rise(once, twice, 3 * kind + 2);
	}
	if (counts.access[ACCESS_INSTRUCTION] == 0)
		return err_set(e, ERR_PARSE,
			       "%s: doing the task twice takes no more instructions than once; "
			       "do the arguments use {repeats}?",
			       t->name);
	ted_take_counts(&counts, t, cell_angles, out);
	strbuf_printf(&out->evidence, "cachegrind's counts of %s on the processor described",
		      t->run.program);
	return ERR_OK;
}
