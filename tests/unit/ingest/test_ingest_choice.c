#include "tests/support/failing_allocations.h"
#include "tests/unit/ingest/ingest_fixture.h"

/* What the user says of a foreign file, a region, a metric, patterns, units, is part of what an
 * import is. */

#define LOG "tests/fixtures/formats/log/training.log"
#define PATTERNS "tests/fixtures/formats/log/training.patterns"
#define EXTRAP "tests/fixtures/formats/extrap/sweep.txt"
#define T4 "tests/fixtures/formats/t4/convolution.json"

static const char *const batch[] = {"batch", NULL};
static const struct ad_hoc train = {
	.name = "train", .target = "run_time_s", .target_unit_s = 1, .problem = batch};
static const char *const n_and_p[] = {"n", "p", NULL};
static const struct ad_hoc sweep = {
	.name = "sweep", .target = "time", .target_unit_s = 1, .problem = n_and_p};
static const char *const time_in_s[] = {"time=s", NULL};

static struct ingest_options log_options(const char *patterns)
{
	return (struct ingest_options){.path = LOG,
				       .app = "train",
				       .machine = "box",
				       .source = -1,
				       .format = "auto",
				       .patterns = patterns,
				       .ad_hoc = &train};
}

static struct ingest_options sweep_options(const char *region, const char *metric)
{
	return (struct ingest_options){.path = EXTRAP,
				       .app = "sweep",
				       .machine = "box",
				       .source = -1,
				       .format = "auto",
				       .region = region,
				       .metric = metric,
				       .unit = time_in_s,
				       .ad_hoc = &sweep};
}

#define IN_SCRATCH(test) TEST_WITH(test, scratch_set_up, scratch_tear_down)

IN_SCRATCH(other_patterns_make_another_import)
{
	struct scratch *s = *state;
	int64_t first;
	HEAP char *text = read_text(PATTERNS);
	char *path = scratch_file(s, "other.patterns");

	check_ok(import(s, log_options(PATTERNS)), &s->e);
	assert_int_equal(s->result.import.n_taken, 2);
	first = s->result.import.id;
	/* the content counts, not the name */
	write_file(path, text);
	check_ok(import(s, log_options(path)), &s->e);
	assert_int_equal(s->result.already_import, first);
	/* two rows less: the log is one run of its first batch */
	write_file(path, "batch = ^global_batch_size: (512)\nrun_time_s = ^run_time: (93.5)\n");
	check_ok(import(s, log_options(path)), &s->e);
	assert_int_equal(s->result.already_import, 0);
	assert_int_equal(s->result.n_rows, 1);
}

IN_SCRATCH(patterns_that_cannot_be_read)
{
	struct scratch *s = *state;
	char *large = zeroed(1, (1 << 20) + 2);
	char *path = scratch_file(s, "large.patterns");

	assert_int_equal(import(s, log_options("no/such/file")), ERR_PARSE);
	check_contains(s->e.msg, "no/such/file");
	memset(large, '\n', (1 << 20) + 1);
	write_file(path, large);
	assert_int_equal(import(s, log_options(path)), ERR_PARSE);
	check_contains(s->e.msg, "1 MiB or more");
	free(large);
	assert_int_equal(n_runs(s), 0);
}

IN_SCRATCH(another_region_is_another_import)
{
	struct scratch *s = *state;

	check_ok(import(s, sweep_options("main", "time")), &s->e);
	assert_int_equal(s->result.import.n_taken, 6);
	check_ok(import(s, sweep_options("main", "time")), &s->e);
	assert_true(s->result.already_import > 0);
	check_ok(import(s, sweep_options("main->exchange", "time")), &s->e);
	assert_int_equal(s->result.already_import, 0);
	assert_int_equal(s->result.n_rows, 6);
}

/* The header time has no unit, and neither has the format. */
IN_SCRATCH(a_time_without_a_unit_is_not_taken)
{
	struct scratch *s = *state;
	struct ingest_options o = sweep_options("main", "time");

	o.unit = NULL;
	assert_int_equal(import(s, o), ERR_PARSE);
	check_contains(s->e.msg,
		       "does not say in which unit 'time' is: say it with --unit 'time=s'");
	/* Of an application that is there, the definition says the unit of its target. */
	check_ok(import(s, sweep_options("main", "time")), &s->e);
	o.ad_hoc = NULL;
	o.region = "main->exchange";
	check_ok(import(s, o), &s->e);
	assert_int_equal(s->result.import.n_taken, 6);
}

/* The generic word for a time is not enough, either; --map to wall_s says seconds. */
IN_SCRATCH(a_known_application_wants_the_unit_of_another_header)
{
	static const char text[] = "PARAMETER n p\nPOINTS (100 4)\nMETRIC elapsed\nDATA 8.25\n";
	static const char *const map[] = {"elapsed=wall_s", NULL};
	struct scratch *s = *state;
	struct ingest_options o = {.path = "f",
				   .text = text,
				   .app = "sweep",
				   .machine = "box",
				   .source = -1,
				   .format = "auto"};

	check_ok(import(s, sweep_options("main", "time")), &s->e);
	assert_int_equal(import(s, o), ERR_PARSE);
	check_contains(s->e.msg, "in which unit 'elapsed' is");
	o.map = map;
	check_ok(import(s, o), &s->e);
	assert_int_equal(s->result.n_rows, 1);
}

IN_SCRATCH(a_unit_in_the_file_is_enough)
{
	static const char *const tile[] = {"tile", "block_size_x", NULL};
	const struct ad_hoc convolution = {.name = "convolution",
					   .target = "runtime_ms",
					   .target_unit_s = 1e-3,
					   .tunable = tile};
	struct scratch *s = *state;

	check_ok(import(s, (struct ingest_options){.path = T4,
						   .app = "convolution",
						   .machine = "gpu",
						   .source = -1,
						   .format = "t4",
						   .ad_hoc = &convolution}),
		 &s->e);
	assert_int_equal(s->result.import.n_taken, 3);
}

static enum err_code import_again(struct scratch *s, const struct ingest_options *o, struct err *e)
{
	ingest_result_release(&s->result);
	return ingest_file(s->kb, o, &s->result, e);
}

IN_SCRATCH(without_memory_nothing_is_taken_of_a_log)
{
	struct scratch *s = *state;
	struct ingest_options o = log_options(PATTERNS);

	o.dry_run = true;
	failing_each_place_tolerated (import_again(s, &o, &err), &err) {
		if (err.code == ERR_OK)
			assert_int_equal(s->result.n_rows, 2);
	}
	assert_int_equal(s->result.n_rows, 2);
}
