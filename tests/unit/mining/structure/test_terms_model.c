#include "tests/support/made_runs.h"
#include "tests/support/failing_allocations.h"
#include "tests/unit/mining/terms_application.h"

#include "mining/structure/terms_model.h"
#include "tests/support/mining_set_up.h"

FREEABLE(config_table)
FREEABLE(terms_model)

/* Costs that are known, and what a fit makes of runs that have them. */

static struct terms_model *fit(const struct application *a, double most_nodes,
			       double (*time_s)(struct terms_run r), double noise)
{
	FREED(dataset) *d = terms_runs(a, most_nodes, time_s, noise);
	FREED(config_table) *t = NULL;
	struct terms_model *m = NULL;

	must(config_table_make(d, &t, &err));
	must(terms_model_fit(t, &m, &err));
	return m;
}

static double log_at(const struct terms_model *m, struct terms_run r)
{
	double row[16];

	terms_row(m->app, r, row);
	return terms_model_log(m, row);
}

static double sd_at(const struct terms_model *m, struct terms_run r)
{
	double row[16];

	terms_row(m->app, r, row);
	return terms_model_sd(m, row);
}

TEST(planted_costs_come_back)
{
	FREED(application) *a = terms_application_true();
	FREED(terms_model) *m = fit(a, 8, terms_time, 0);

	/* priors pull, by what 144 runs leave them: less than 3 % */
	check_rel(m->theta[0] / m->unit[0], TERMS_CUBE, 0.03);
	check_rel(m->theta[1] / m->unit[1], TERMS_PRODUCT, 0.03);
	check_rel(m->theta[2] / m->unit[2], TERMS_LEVEL, 0.03);
}

/* Of the fourth term time would be 1e-3 of the run where it is largest if its cost were 1e-9. */
TEST(a_term_without_a_cost_gets_next_to_none_and_never_less_than_0)
{
	FREED(application) *a = terms_application_true();
	FREED(terms_model) *m = fit(a, 8, terms_time, 0.02);

	assert_true(m->theta[3] >= 0);
	assert_true(m->theta[3] < 1e-2); /* of 1, which is all of the typical run */
}

TEST(what_was_planted_is_predicted_at_eight_times_the_nodes)
{
	static const struct terms_run beyond = {800, 1000, 64, 16};
	FREED(application) *a = terms_application_true();
	FREED(terms_model) *m = fit(a, 8, terms_time, 0.02);

	check_abs(log_at(m, beyond), log(terms_time(beyond)), 0.05);
}

/* 16 processes on a node are a quarter slower than their sum of terms. */
static double shared_node(struct terms_run r)
{
	return terms_time(r) * (r.ppn > 4 ? 1.25 : 1);
}

TEST(a_kind_of_node_use_is_a_factor)
{
	FREED(application) *a = terms_application_true();
	FREED(terms_model) *m = fit(a, 8, shared_node, 0);

	assert_int_equal(m->n_uses, 3);
	check_rel(m->use[2].ppn, 16.0, 0.0);
	check_abs(m->use[2].shift - m->use[0].shift, log(1.25), 0.03);
	check_abs(m->use[1].shift - m->use[0].shift, 0, 0.03);
	/* costs and factors together */
	check_abs(log_at(m, (struct terms_run){400, 1000, 32, 16}),
		  log(shared_node((struct terms_run){400, 1000, 32, 16})), 0.05);
}

/* An application with a text, whose n_layouts levels are a factor of 1, 2 and 0.5; the n_same of
 * the second text are none. */
static struct terms_model *fit_levels(int n_same, int n_layouts, struct application **app)
{
	static const char *const level[] = {"row", "column", "tiled"};
	static const double factor[] = {1, 2, 0.5};
	struct application *a = NULL;
	struct dataset *d;
	struct config_table *t = NULL;
	struct terms_model *m = NULL;

	must(application_parse(
		"application = { name = \"t\"; problem = ( { name = \"n\"; min = 1; } );"
		" tunables = ( { name = \"same\"; type = \"text\"; candidates = \"seen\"; },"
		"  { name = \"layout\"; type = \"text\"; candidates = \"seen\"; } );"
		" resources = ( { name = \"procs\"; min = 1; } );"
		" target = { name = \"time\"; unit = \"s\"; };"
		" compute = [ \"n / procs\" ]; };",
		"t.conf", &a, &err));
	for (size_t k = 0; k < 3; k++)
		assert_int_equal(
			levels_add(&a->column[application_column(a, "layout")].levels, level[k]),
			k);
	levels_add(&a->column[application_column(a, "same")].levels, "always");
	levels_add(&a->column[application_column(a, "same")].levels, "ever");
	d = dataset_new(a);
	assert_non_null(d);
	for (int i = 0; i < 16 * n_layouts; i++) {
		const int layout = i / 16;
		double row[16];

		configuration_clear(a, row);
		row[application_column(a, "n")] = 100 << i % 4;
		row[application_column(a, "procs")] = 1 << i / 4 % 4;
		row[application_column(a, "same")] = (i + layout) % n_same;
		row[application_column(a, "layout")] = layout;
		runs_add(d, row,
			 1e-3 * factor[layout] * row[application_column(a, "n")] /
				 row[application_column(a, "procs")]);
	}
	must(config_table_make(d, &t, &err));
	must(terms_model_fit(t, &m, &err));
	config_table_free(t);
	dataset_free(d);
	*app = a;
	return m;
}

TEST(a_level_of_a_text_is_a_factor)
{
	FREED(application) *a;
	FREED(terms_model) *m = fit_levels(1, 3, &a), *loaded = NULL;
	RELEASED(kb_fit) stored = {0};
	double row[16], log_s[4], sd[4];

	assert_int_equal(m->n_levels, 3); /* one level alone is no factor */
	for (size_t k = 0; k < 3; k++) {
		assert_int_equal(m->level[k].column, application_column(a, "layout"));
		check_abs(m->level[k].code, (double)k, 0);
	}
	check_abs(m->level[1].effect - m->level[0].effect, log(2), 0.01);
	check_abs(m->level[2].effect - m->level[0].effect, -log(2), 0.01);
	configuration_clear(a, row);
	row[application_column(a, "n")] = 400;
	row[application_column(a, "procs")] = 4;
	row[application_column(a, "same")] = 0;
	for (int k = 0; k < 4; k++) { /* the last was never seen */
		row[application_column(a, "layout")] = k;
		log_s[k] = terms_model_log(m, row);
		sd[k] = terms_model_sd(m, row);
	}
	check_abs(log_s[0], log(0.1), 0.01);
	check_abs(log_s[1], log(0.2), 0.01);
	check_abs(log_s[2], log(0.05), 0.01);
	check_abs(log_s[3], log_s[0] - m->level[0].effect, 1e-12);
	assert_true(sd[0] < 0.05 && sd[1] < 0.05 && sd[2] < 0.05);
	assert_true(sd[3] >= TERMS_LEVEL_SD && sd[3] < 1.5 * TERMS_LEVEL_SD);
	must(terms_model_store(m, &stored, &err));
	must(terms_model_load(&stored, a, &loaded, &err));
	for (int k = 0; k < 4; k++) {
		row[application_column(a, "layout")] = k;
		check_abs(terms_model_log(loaded, row), log_s[k], 0);
		check_abs(terms_model_sd(loaded, row), sd[k], 1e-15);
	}
}

TEST(texts_of_two_levels_each_are_factors_both)
{
	FREED(application) *a;
	FREED(terms_model) *m = fit_levels(2, 2, &a);

	assert_int_equal(m->n_levels, 4);
	for (size_t k = 0; k < 4; k++)
		assert_int_equal(m->level[k].column,
				 application_column(a, k < 2 ? "same" : "layout"));
	check_abs(m->level[1].effect - m->level[0].effect, 0, 0.01);
	check_abs(m->level[3].effect - m->level[2].effect, log(2), 0.01);
}

TEST(doubt_grows_where_terms_were_not_told_and_for_uses_never_seen)
{
	FREED(application) *a = terms_application_true();
	FREED(terms_model) *m = fit(a, 2, terms_time, 0.02);
	const double among = sd_at(m, (struct terms_run){400, 1000, 2, 4});

	assert_true(among > 0 && among < 0.1);
	/* there the fourth term, whose cost is open, would be all */
	assert_true(sd_at(m, (struct terms_run){400, 1000, 4096, 4}) > 4 * among);
	/* 0.3 is the prior's deviation of a use */
	check_abs(sd_at(m, (struct terms_run){400, 1000, 2, 7}), 0.3, 0.05);
}

TEST(a_row_that_is_not_complete_is_not_told)
{
	FREED(application) *a = terms_application_true();
	FREED(terms_model) *m = fit(a, 2, terms_time, 0.02);
	double row[16];

	terms_row(a, (struct terms_run){400, 1000, 2, 4}, row);
	row[application_column(a, "m")] = (double)NAN;
	assert_true(isnan(terms_model_log(m, row)));
	assert_true(isnan(terms_model_sd(m, row)));
}

TEST(too_few_runs_for_the_terms_are_refused)
{
	FREED(application) *a = terms_application_true();
	FREED(dataset) *d = dataset_new(a);
	FREED(config_table) *t = NULL;
	struct terms_model *m = NULL;

	for (double n = 1; n < 8; n++) { /* seven for four terms */
		double row[16];

		terms_row(a, (struct terms_run){100 * n, 10, 1, 1}, row);
		must(dataset_add(d, row, n, 1, 1, SOURCE_MEASURED, RUN_OK, 1, &err));
	}
	must(config_table_make(d, &t, &err));
	must_fail(terms_model_fit(t, &m, &err), ERR_NODATA,
		  "7 configurations are too few for 4 terms");
	assert_null(m);
}

TEST(what_is_stored_and_loaded_says_the_same)
{
	static const struct terms_run asked[] = {
		{100, 10, 1, 1}, {800, 5000, 64, 16}, {300, 70, 3, 7}};
	FREED(application) *a = terms_application_true();
	FREED(terms_model) *was = fit(a, 8, shared_node, 0.02), *is = NULL;
	RELEASED(kb_fit) stored = {0};

	must(terms_model_store(was, &stored, &err));
	must(terms_model_load(&stored, a, &is, &err));
	for (size_t i = 0; i < 3; i++) {
		assert_true(log_at(is, asked[i]) == log_at(was, asked[i]));
		assert_true(sd_at(is, asked[i]) == sd_at(was, asked[i]));
	}
}

TEST(a_fit_of_other_terms_is_refused)
{
	static const char *const other[] = {
		"compute = [ \"n * n / procs\", \"m * n\" ]; communication = [ " TERMS_APPLICATION_COMMUNICATION
		" ];",
		"compute = [ " TERMS_APPLICATION_COMPUTE " ];",
		"compute = [ " TERMS_APPLICATION_COMPUTE
		", \"1\" ]; communication = [ " TERMS_APPLICATION_COMMUNICATION " ];"};
	FREED(application) *a = terms_application_true();
	FREED(terms_model) *was = fit(a, 8, terms_time, 0.02);
	RELEASED(kb_fit) stored = {0};

	must(terms_model_store(was, &stored, &err));
	for (size_t i = 0; i < 3; i++) {
		FREED(application) *b = terms_application(other[i]);
		struct terms_model *is = NULL;
		struct err why = {0};

		check_error(terms_model_load(&stored, b, &is, &why), &why, ERR_NOTMINED,
			    "run `lemnos mine`");
		assert_null(is);
	}
}

/* The definition with one text in place of another that it has once. */
static struct application *changed(const struct application *a, const char *from, const char *to)
{
	const char *at = strstr(a->definition, from);
	RELEASED(strbuf) text = STRBUF_INIT;
	struct application *b = NULL;

	assert_non_null(at);
	strbuf_printf(&text, "%.*s%s%s", (int)(at - a->definition), a->definition, to,
		      at + strlen(from));
	must(application_parse(strbuf_text(&text), "t.conf", &b, &err));
	return b;
}

/* The terms read as before, but what they name is something else. */
TEST(a_fit_of_other_names_is_refused)
{
	struct application *a =
		terms_application("let = ( { name = \"own\"; expr = \"n / procs\"; } );"
				  "compute = [ \"own * n * n\", \"m * n\" ];"
				  "communication = [ \"log2(procs)\" ];");
	struct application *other[] = {changed(a, "n / procs", "n / ppn"),
				       changed(a, "nodes * ppn", "2 * nodes * ppn"), a};
	FREED(terms_model) *was = fit(a, 8, terms_time, 0.02);
	RELEASED(kb_fit) stored = {0};

	must(terms_model_store(was, &stored, &err));
	for (size_t i = 0; i < 3; i++) {
		struct terms_model *is = NULL;
		struct err why = {0};

		assert_int_equal(terms_model_load(&stored, other[i], &is, &why),
				 i < 2 ? ERR_NOTMINED : ERR_OK);
		terms_model_free(is);
		application_free(other[i]);
	}
}

TEST(no_number_of_a_fit_may_be_missing_or_spoilt)
{
	static const char *const name[] = {"terms_cost_0",	"terms_unit_3",
					   "terms_use_shift_1", "terms_smooth_linear_0",
					   "terms_scale",	"terms_factor_0"};
	FREED(application) *a = terms_application_true();
	FREED(terms_model) *was = fit(a, 8, terms_time, 0.02);

	for (size_t k = 0; k < sizeof name / sizeof name[0]; k++) {
		struct kb_fit stored = {0};
		struct terms_model *is = NULL;
		bool found = false;

		must(terms_model_store(was, &stored, &err));
		for (size_t i = 0; i < stored.n_param; i++) {
			if (strcmp(stored.param[i].name, name[k]) != 0)
				continue;
			stored.param[i].value = (double)NAN;
			found = true;
		}
		assert_true(found);
		assert_int_equal(terms_model_load(&stored, a, &is, NULL), ERR_NOTMINED);
		kb_fit_release(&stored);
	}
}

static enum err_code through_the_base(const struct config_table *t, struct err *e)
{
	FREED(terms_model) *fitted = NULL, *loaded = NULL;
	RELEASED(kb_fit) stored = {0};
	enum err_code rc;

	if (!(rc = terms_model_fit(t, &fitted, e)) && !(rc = terms_model_store(fitted, &stored, e)))
		rc = terms_model_load(&stored, t->app, &loaded, e);
	assert_true(rc || loaded);
	return rc;
}

TEST(terms_are_fitted_stored_and_loaded_or_there_is_no_memory)
{
	FREED(application) *a = terms_application_true();
	FREED(dataset) *d = terms_runs(a, 1, terms_time, 0.03);
	FREED(config_table) *t = NULL;

	must(config_table_make(d, &t, &err));
	failing_each_place (through_the_base(t, &err), &err)
		;
}

TEST_GROUP(mining_set_up, NULL)
