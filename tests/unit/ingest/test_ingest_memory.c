#include "tests/support/failing_allocations.h"
#include "tests/unit/ingest/ingest_fixture.h"
#include "ingest/config_reader.h"

CLOSABLE(config_reader)

/* An import without memory: all of the file or nothing of it, and nothing is left behind. */

static enum err_code import_again(struct scratch *s, const struct ingest_options *o, struct err *e)
{
	ingest_result_release(&s->result);
	return ingest_file(s->kb, o, &s->result, e);
}

/* What a failed import tells is for the summary; it took nothing. One that succeeds may have lost a
 * note, which main() sees to (strbuf_any_failed()); it took everything. */
static void check_nothing_taken(struct scratch *s)
{
	assert_int_equal(s->result.import.id, 0);
	assert_int_equal(s->result.import.n_taken, 0);
	assert_int_equal(s->result.n_new_machine, 0);
}

static void check_import(struct scratch *s, const struct ingest_options *o, int64_t n_taken)
{
	failing_each_place_tolerated (import_again(s, o, &err), &err) {
		if (err.code == ERR_OK) {
			struct err why = {0};
			int64_t n;

			assert_int_equal(s->result.import.n_taken, n_taken);
			check_ok(kb_undo_import(s->kb, s->result.import.id, &n, &why), &why);
			assert_int_equal(n, n_taken);
		} else {
			check_nothing_taken(s);
		}
		assert_int_equal(n_runs(s), 0);
	}
	assert_int_equal(s->result.import.n_taken, n_taken);
	assert_int_equal(n_runs(s), n_taken);
}

static void check_dry_run(struct scratch *s, const struct ingest_options *o, int64_t n_refused)
{
	failing_each_place_tolerated (import_again(s, o, &err), &err) {
		if (err.code == ERR_OK)
			assert_int_equal(s->result.import.n_refused, n_refused);
		else
			check_nothing_taken(s);
	}
	assert_true(s->result.n_rows > 0);
	assert_int_equal(s->result.import.n_refused, n_refused);
	assert_int_equal(n_runs(s), 0);
}

#define IN_SCRATCH(f) TEST_WITH(f, scratch_set_up, scratch_tear_down)

IN_SCRATCH(a_table_is_taken_whole_or_not_at_all)
{
	/* Machines are made on the way; a unit, a refused row, an extra column, a known repeat. */
	const struct ingest_options o = {
		.path = "in memory",
		.text = "it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_ms,machine,user,colour\n"
			"50,50,50,2,2,4,10,3,1500,blue,me,red\n"
			"50,50,50,2,2,4,10,3,nonsense,blue,me,red\n"
			"50,50,50,2,4,4,10,3,900,green,me,\n",
		.app = "sweep3d",
		.source = -1,
		.map = (const char *const[]){"runtime_ms=runtime_s", NULL},
		.unit = (const char *const[]){"runtime_ms=ms", NULL},
		.keep_personal = true,
	};

	check_import(*state, &o, 2);
}

IN_SCRATCH(failures_without_a_mark_are_taken_whole_or_not_at_all)
{
	/* Rows of statistics, too: both make that all rows are read ahead. */
	const struct ingest_options o = {
		.path = "in memory",
		.text = ",it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s,machine\n"
			"0,50,50,50,2,2,4,10,3,NA,blue\n"
			"1,50,50,500,2,2,4,10,3,0,blue\n"
			"2,50,50,50,2,2,4,10,3,1.5,blue\n"
			"mean,50,50,50,2,2,4,10,3,1.5,blue\n"
			"3,50,50,60,2,4,4,10,3,0.9,green\n",
		.app = "sweep3d",
		.source = -1,
	};

	check_import(*state, &o, 2);
}

IN_SCRATCH(columns_of_sizes_are_taken_whole_or_not_at_all)
{
	const struct ad_hoc flow = {
		.name = "flow",
		.target = "runtime_s",
		.target_unit_s = 1,
		.problem = (const char *const[]){"size", NULL},
		.tunable = (const char *const[]){"mk", "mmi", NULL},
		.grid = (const char *const[]){"grid", NULL},
	};
	struct ingest_options o = {
		.path = "in memory",
		.text = "size,grid,nodes,mk,mmi,runtime_s,machine\n"
			"50x50x50,2x2,4,10,3,1500,blue\n"
			"50^3,2x4,4,10,3,900,blue\n",
		.app = "flow",
		.source = -1,
		.ad_hoc = &flow,
		.dry_run = true,
	};

	check_dry_run(*state, &o, 0);
	o.dry_run = false;
	o.app = "sweep3d";
	o.ad_hoc = NULL;
	o.map = (const char *const[]){"size=it_g:jt_g:kt", NULL};
	check_import(*state, &o, 2);
}

IN_SCRATCH(what_another_program_wrote_is_taken_whole_or_not_at_all)
{
	const struct ingest_options o = {
		.path = "in memory",
		.text = " SWEEP3D - Method 5 - Pipelined\n"
			" S6P1   -  6 angles/octant,  4 moments\n"
			" global grid:  50x 50x 50\n"
			"   6 domains   -  2 x 3 decomposition\n"
			"  10 domain pipelined blocks -  10 k-planes by 3 angles each\n"
			" Elapsed time was: 32.76\n"
			" Wall grind time: 0.455\n"
			" SWEEP3D - Method 5 - Pipelined\n"
			" global grid: ***x***x***\n",
		.format = "auto",
		.machine = "blue",
		.node = {.cores = 4},
		.source = -1,
	};

	check_import(*state, &o, 1);
}

IN_SCRATCH(refused_rows_are_written_or_the_import_fails)
{
	struct scratch *s = *state;
	char rejects[128];
	const struct ingest_options o = {.path = CSV "refused_row_on_new_machine.csv",
					 .app = "sweep3d",
					 .source = -1,
					 .rejects = rejects,
					 .dry_run = true};

	snprintf(rejects, sizeof rejects, "%s/rejects.csv", s->folder);
	check_dry_run(s, &o, 1);
}

IN_SCRATCH(a_file_of_any_kind_is_read_or_there_is_an_error)
{
	static const struct {
		const char *path;
		int64_t n_refused; /* as test_ingest_file.c has it */
	} file[] = {{CSV "crlf_bom_quotes.csv", 0},
		    {CSV "tabs_and_comments.tsv", 0},
		    {CSV "per_processor_sizes.csv", 0},
		    {CSV "procs_given.csv", 1},
		    {CSV "sources.csv", 2}};

	for (size_t i = 0; i < sizeof file / sizeof file[0]; i++) {
		const struct ingest_options o = {.path = file[i].path,
						 .app = "sweep3d",
						 .machine = "m",
						 .source = -1,
						 .dry_run = true};

		check_dry_run(*state, &o, file[i].n_refused);
	}
}

IN_SCRATCH(an_application_made_from_flags_fits_its_runs_or_there_is_an_error)
{
	const struct ad_hoc spec = {
		.name = "qr",
		.target = "time_s",
		.target_unit_s = 1,
		.problem = (const char *const[]){"m", "n", NULL},
		.tunable = (const char *const[]){"nb", "lay", NULL},
		.categorical = (const char *const[]){"lay", NULL},
		.resource_column = (const char *const[]){"procs", NULL},
		.resource_field = (const char *const[]){"procs", NULL},
	};
	const struct ingest_options o = {
		.path = "in memory",
		.text = "m,n,nb,lay,procs,time_s\n100,50,8,a,4,1.5\n100,50,16,b,4,2.5\n",
		.machine = "blue",
		.source = -1,
		.ad_hoc = &spec,
		.dry_run = true,
	};
	struct scratch *s = *state;

	failing_each_place_tolerated (import_again(s, &o, &err), &err) {
		if (err.code == ERR_OK)
			assert_int_equal(s->result.n_rows, 2);
		else
			check_nothing_taken(s);
	}
	assert_int_equal(s->result.n_rows, 2);
}

IN_SCRATCH(a_row_of_a_file_of_configurations_is_read_or_there_is_an_error)
{
	struct scratch *s = *state;
	CLOSED(config_reader) *r = NULL;
	const char *raw, *machine, *bad;
	double row[32];

	failing_each_allocation (config_reader_open(CSV "configurations.csv", s->sweep3d, &r, &err),
				 &err)
		assert_null(r);
	failing_allocation_start(1000);
	assert_int_equal(config_reader_next(r, &raw, row, &machine, &bad, &err), ERR_OK);
	assert_false(failing_allocation_stop());
	assert_non_null(raw);
}

IN_SCRATCH(pingpong_is_read_whole_or_not_at_all)
{
	struct kb_pingpong p = {0};
	char sha256[65];

	failing_each_allocation (
		pingpong_read("data/runs/pingpong_local.csv", NULL, &p, sha256, &err), &err)
		assert_true(p.message_bytes == NULL && p.n == 0);
	assert_true(p.n > 10 && p.roundtrip_s[0] > 0);
	kb_pingpong_release(&p);
	p = (struct kb_pingpong){0};
	failing_each_allocation (
		pingpong_read("tests/fixtures/formats/osu/osu_latency.txt", NULL, &p, sha256, &err),
		&err)
		assert_true(p.message_bytes == NULL && p.n == 0);
	assert_int_equal(p.n, 19);
	check_rel(p.roundtrip_s[0], 3e-6, 1e-12); /* 1.50 us each way */
	kb_pingpong_release(&p);
}
