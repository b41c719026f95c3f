#include "tests/unit/mining/shared_qr.h"
#include "tests/support/failing_allocations.h"

#include "mining/training/batch_effect.h"

FREEABLE(config_table)

/* 24 configurations, each in every import: log time is that of the configuration, the import's
 * shift and noise of -s, 0 or +s, which over the configurations of an import adds up to nothing. */
struct plan {
	size_t n_imports, n_shared; /* the first so many configurations are in all imports */
	double shift[4];	    /* log time */
	double noise;
	bool backwards; /* imports have their numbers the other way round */
};

enum { N_CONFIGS = 24 };

static struct dataset *runs_of(const struct plan *p)
{
	struct dataset *d = dataset_new(app);

	for (size_t b = 0; b < p->n_imports; b++) {
		for (size_t i = 0; i < N_CONFIGS; i++) {
			struct qr c = {256 << i % 4, 100 * (1 + (int)i / 4 % 3), 8 << i / 12, 0, 4};
			const double noise = ((double)((i + b) % 3) - 1) * p->noise;

			if (b > 0 && i >= p->n_shared)
				break;
			qr_add(d, c, 10 * (double)(1 + i) * exp(p->shift[b] + noise));
			d->import_id[d->n - 1] = (int64_t)(p->backwards ? p->n_imports - b : b + 1);
		}
	}
	return d;
}

static struct batch_effect found(const struct plan *p)
{
	FREED(dataset) *d = runs_of(p);
	FREED(config_table) *t = NULL;
	struct batch_effect b;

	must(config_table_make(d, &t, &err));
	must(batch_effect_find(d, t, &b, &err));
	return b;
}

/* Of two imports d apart each is d / 2 from the mean, of which half the variance is seen (k = 2):
 * sd^2 = (d/2)^2 / (1/2) = d^2 / 2. */
TEST(two_imports_apart_have_a_standard_deviation)
{
	const struct plan p = {2, N_CONFIGS, {0, 0.4}, 0, false};
	const struct batch_effect b = found(&p);

	check_abs(b.sd, 0.4 / sqrt(2), 1e-6);
	check_abs(b.ratio, exp(0.4), 1e-6);
	assert_int_equal(b.n_configurations, N_CONFIGS);
}

/* Without noise a hundredth is told surely, but no system has changed. */
TEST(a_hundredth_is_no_change)
{
	const struct plan p = {2, N_CONFIGS, {0, 0.01}, 0, false};

	assert_true(found(&p).sd == 0);
}

/* Three at -0.3, 0 and 0.3: the sample variance, 0.09. With noise of +-0.01 in two of three runs,
 * whose differences from the mean over the imports have a variance of 2/3 * 1e-4, 24 configurations
 * take off less than 1e-5. */
TEST(the_noise_is_taken_off)
{
	const struct plan p = {3, N_CONFIGS, {-0.3, 0, 0.3}, 0.01, false};
	const struct batch_effect b = found(&p);

	check_abs(b.sd, 0.3, 1e-4);
	/* the one that differs most, against the other two: 0.3 - (-0.15) */
	check_abs(b.ratio, exp(0.45), 1e-3);
}

TEST(numbers_of_imports_do_not_matter)
{
	struct plan p = {3, N_CONFIGS, {-0.3, 0.1, 0.2}, 0.05, false};
	const struct batch_effect b = found(&p);
	struct batch_effect other;

	p.backwards = true;
	other = found(&p);
	assert_true(b.sd > 0.2);
	assert_memory_equal(&b, &other, sizeof b);
}

/* Of repeats in any order the median counts: 1.2 times what is theirs. */
TEST(an_import_speaks_by_its_medians)
{
	static const double of[2][3] = {{1.5, 1, 1.2}, {1.2, 1.7, 1.1}};
	FREED(dataset) *d = dataset_new(app);
	FREED(config_table) *t = NULL;
	struct batch_effect b;

	for (int import = 0; import < 2; import++) {
		for (int i = 0; i < 3 * N_CONFIGS; i++) {
			const int c = i / 3;
			const struct qr at = {256 << c % 4, 100 * (1 + c / 4 % 3), 8 << c / 12, 0,
					      4};

			qr_add(d, at, (1 + c) * of[import][(i + c) % 3] * exp(import ? 0.4 : 0));
			d->import_id[d->n - 1] = import + 1;
		}
	}
	must(config_table_make(d, &t, &err));
	must(batch_effect_find(d, t, &b, &err));
	check_abs(b.ratio, exp(0.4), 1e-6);
}

TEST(noise_alone_is_none)
{
	const struct plan p = {4, N_CONFIGS, {0, 0, 0, 0}, 0.1, false};
	RELEASED(strbuf) text = STRBUF_INIT;
	struct batch_effect b = found(&p);

	assert_true(b.sd == 0);
	batch_effect_explain(&b, &text);
	assert_int_equal(text.len, 0);
	b.sd = log(1.25);
	batch_effect_explain(&b, &text);
	assert_non_null(strstr(strbuf_text(&text), " differ by 25 % more from import to import "));
}

TEST(few_configurations_tell_nothing)
{
	struct plan p = {2, BATCH_LEAST - 1, {0, 1}, 0, false};

	assert_true(found(&p).sd == 0);
	p.n_shared = BATCH_LEAST;
	assert_true(found(&p).sd > 0.5);
}

TEST(one_import_has_no_others)
{
	const struct plan p = {1, N_CONFIGS, {0}, 0.1, false};

	assert_true(found(&p).sd == 0);
}

TEST(it_is_stored_and_loaded)
{
	const struct batch_effect b = {0.25, 1.4, 17}, none = {.ratio = 1};
	RELEASED(kb_fit) fit = {0};
	struct batch_effect back;

	must(batch_effect_store(&none, &fit, &err));
	assert_int_equal(fit.n_param, 0);
	batch_effect_load(&fit, &back);
	assert_true(back.sd == 0 && back.ratio == 1);
	must(batch_effect_store(&b, &fit, &err));
	batch_effect_load(&fit, &back);
	assert_true(back.sd == 0.25 && back.ratio == 1.4 && back.n_configurations == 17);
}

TEST(without_memory_there_is_an_error)
{
	const struct plan p = {2, N_CONFIGS, {0, 0.4}, 0, false};
	FREED(dataset) *d = runs_of(&p);
	FREED(config_table) *t = NULL;
	struct batch_effect b;

	must(config_table_make(d, &t, &err));
	failing_each_allocation (batch_effect_find(d, t, &b, &err), &err)
		;
	check_abs(b.sd, 0.4 / sqrt(2), 1e-6);
}

TEST_GROUP(qr_set_up, qr_tear_down)
