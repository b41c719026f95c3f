#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "acquire/result_reader.h"
#include "domain/campaign_space.h"

/* A plan of a campaign and, behind a zero byte, what one of its commands printed. What is accepted
 * means the same when it is read again; each configuration is complete, and a time above 0. */

static const char application_text[] =
	"application = { name = \"toy\"; title = \"a toy\";\n"
	" problem = ( { name = \"n\"; min = 1; }, { name = \"m\"; min = 1; } );\n"
	" resources = ( { name = \"nodes\"; min = 1; }, { name = \"px\"; min = 1; candidates = \"grid\"; },\n"
	"   { name = \"py\"; min = 1; candidates = \"grid\"; } );\n"
	" tunables = ( { name = \"b\"; type = \"real\"; }, { name = \"how\"; type = \"text\"; } );\n"
	" derived = ( { name = \"procs\"; expr = \"px * py\"; } );\n"
	" groups = ( { flag = \"grid\"; columns = [ \"px\", \"py\" ]; } );\n"
	" target = { name = \"t\"; unit = \"s\"; }; };\n";

enum { MOST_FACTORS = 64, MOST_COLUMNS = 16 };

static void check_result(const struct campaign_space *s, const double *row, const char *printed)
{
	struct run_result r = {0};
	struct err e = {0};
	enum err_code rc = result_read(s->plan, s->app, row, printed, &r, &e);

	fuzz_check_error(rc, &e);
	if (!rc && s->plan->result.kind != PLAN_WALL)
		fuzz_require(r.time_s > 0 && isfinite(r.time_s), NULL);
	run_result_release(&r);
}

/* The first level of each factor. */
static void check_first(const struct campaign_space *s, const char *printed)
{
	static const size_t level[MOST_FACTORS];
	double row[MOST_COLUMNS];
	struct word_list words = {0};
	struct strbuf why = STRBUF_INIT;
	struct err e = {0};

	fuzz_require(s->app->n_columns <= MOST_COLUMNS, NULL);
	if (s->axes.n > MOST_FACTORS)
		return;
	if (!campaign_space_row(s, level, row, &why)) {
		fuzz_require(why.len > 0, NULL);
	} else {
		for (size_t i = 0; i < s->app->n_columns; i++)
			fuzz_require(!isnan(row[i]), NULL);
		fuzz_check_error(campaign_space_check_command(s, row, &e), &e);
		e = (struct err){0};
		if (!campaign_space_command(s, row, 1, &words, &e))
			fuzz_require(words.n == s->plan->command.n, NULL);
		check_result(s, row, printed);
	}
	word_list_release(&words);
	strbuf_release(&why);
}

static void check(struct campaign_plan *p, const char *printed)
{
	struct campaign_plan *again = NULL;
	struct campaign_space s = {0};
	struct application *a = NULL;
	struct err e = {0};
	enum err_code rc;

	fuzz_require(!campaign_name_fault(p->name), NULL);
	fuzz_require(p->repeats >= 1 && p->n_factors > 0 && p->command.n > 0, NULL);
	fuzz_require(!campaign_plan_parse(p->text, "again", &again, &e), &e);
	fuzz_require(!strcmp(p->sha256, again->sha256), NULL);
	campaign_plan_free(again);
	fuzz_require(!application_parse(application_text, "toy", &a, &e), &e);
	rc = campaign_space_open(p, a, NULL, &s, &e);
	fuzz_check_error(rc, &e);
	if (!rc) {
		check_first(&s, printed);
		campaign_space_release(&s);
	}
	application_free(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct campaign_plan *p = NULL;
	struct err e = {0};
	char *text = fuzz_text(data, size);
	size_t n = strlen(text);
	enum err_code rc = campaign_plan_parse(text, "input.plan", &p, &e);

	fuzz_check_error(rc, &e);
	if (!rc)
		check(p, n < size ? text + n + 1 : "");
	campaign_plan_free(p);
	free(text);
	return 0;
}
