#include "tests/support/check.h"

#include "domain/configuration.h"
#include "domain/job_script.h"

FREEABLE(machine)

/* The reference run sweep3d_50 of the distribution: 2x3 processors, mk 10, mmi 3, 12 iterations. */
struct setting {
	struct application *app;
	struct machine *machine;
	double *row;
	struct job job;
};

static void set(struct setting *s, const char *column, double value)
{
	s->row[application_column(s->app, column)] = value;
}

/* The application is handed over. */
static void open_setting(struct setting *s, struct application *app, const char *machine_text)
{
	s->app = app;
	must(machine_parse(machine_text, "m.conf", &s->machine, &err));
	s->row = calloc(s->app->n_columns, sizeof *s->row);
	assert_non_null(s->row);
	for (size_t i = 0; i < s->app->n_columns; i++)
		s->row[i] = (double)NAN;
	s->job = (struct job){s->app, s->machine, s->row, 75, "a remark\n", NULL};
}

static struct application *read_application(const char *path)
{
	struct application *a = NULL;

	must(application_read(path, &a, &err));
	return a;
}

static void setting_release(struct setting *s)
{
	application_free(s->app);
	machine_free(s->machine);
	free(s->row);
}

static void set_reference_run(struct setting *s)
{
	static const struct {
		const char *column;
		double value;
	} given[] = {{"it_g", 50}, {"jt_g", 50}, {"kt", 50}, {"npe_i", 2},
		     {"npe_j", 3}, {"nodes", 2}, {"mk", 10}, {"mmi", 3}};

	for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
		set(s, given[i].column, given[i].value);
	configuration_default_workload(s->app, s->row);
	configuration_derive(s->app, s->row);
}

static void open_sweep3d(struct setting *s, const char *machine_text)
{
	open_setting(s, read_application("data/applications/sweep3d.conf"), machine_text);
	set_reference_run(s);
}

static void check_script(const struct setting *s, const char *want)
{
	RELEASED(strbuf) out = STRBUF_INIT;

	must(job_script_slurm(&s->job, &out, &err));
	if (!strstr(strbuf_text(&out), want))
		fail_msg("\"%s\" is not in \"%s\"", want, strbuf_text(&out));
}

static const char bare[] = "machine = { name = \"m\"; };";

/* The five reads of the program's read_input.f, in their order. */
TEST(the_input_of_sweep3d_is_what_the_program_reads)
{
	RELEASED(setting) s;

	open_sweep3d(&s, bare);
	check_script(&s, "cat >input <<'END_OF_FILE'\n"
			 "2 3 10 3 1    npe_i npe_j mk mmi ncpu\n"
			 "50 50 50 6 1    it_g jt_g kt mm isct\n"
			 "0.1 0.1 0.1 -12    dx dy dz epsi\n"
			 "0 0 0    ibc jbc kbc\n"
			 "0 1 -7    iprint idsa ifixups\n"
			 "END_OF_FILE\n"
			 "\n"
			 "srun sweep3d.mpi\n");
}

/* 6 processes on 2 nodes: 3 on each; 75 minutes. */
TEST(directives_say_what_the_job_needs)
{
	RELEASED(setting) s;

	open_sweep3d(&s, bare);
	check_script(&s, "#!/bin/bash\n"
			 "#SBATCH --job-name=sweep3d\n"
			 "#SBATCH --nodes=2\n"
			 "#SBATCH --ntasks=6\n"
			 "#SBATCH --ntasks-per-node=3\n"
			 "#SBATCH --time=01:15:00\n"
			 "#\n"
			 "# a remark\n");
	s.job.limit_min = 3 * 1440 + 61;
	check_script(&s, "--time=3-01:01:00\n");
}

TEST(machines_add_their_own_settings)
{
	RELEASED(setting) s;

	open_sweep3d(&s, "machine = { name = \"m\"; slurm = { partition = \"skx\"; account = "
			 "\"abc-123\"; launcher = \"mpirun -n 6\"; options = [ \"--qos=debug\", "
			 "\"--exclusive\" ]; setup = [ \"module load openmpi\" ]; }; };");
	check_script(&s, "--time=01:15:00\n"
			 "#SBATCH --partition=skx\n"
			 "#SBATCH --account=abc-123\n"
			 "#SBATCH --qos=debug\n"
			 "#SBATCH --exclusive\n"
			 "#\n");
	check_script(&s, "\nmodule load openmpi\nset -eu\n");
	check_script(&s, "\nmpirun -n 6 sweep3d.mpi\n");
}

TEST(what_the_input_cannot_express_is_refused)
{
	RELEASED(strbuf) out = STRBUF_INIT;
	RELEASED(setting) s;

	open_sweep3d(&s, bare);
	assert_null(job_refusal(s.app, s.row));
	set(&s, "groups", 30);
	must_fail(job_script_slurm(&s.job, &out, &err), ERR_ARG,
		  "one energy group of one time step");
	set(&s, "groups", 1);
	set(&s, "mm", 12);
	assert_non_null(strstr(job_refusal(s.app, s.row), "3 and of 6 angles only"));
}

/* Whatever a remark is made of, no line of it is more than a comment. */
TEST(remarks_are_comments_whatever_they_say)
{
	RELEASED(setting) s;

	open_sweep3d(&s, bare);
	s.job.remarks = "$(touch x)\r`id`\nSBATCH --nodes=9\n\n'; exit 1\n\"no end";
	check_script(&s, "\n# $(touch x)?`id`\n# SBATCH --nodes=9\n#\n# '; exit 1\n# \"no end\n");
	s.job.remarks = NULL;
	check_script(&s, "--time=01:15:00\n#\n\nset -eu\n");
}

/* The application is handed over. */
static void open_toy(struct setting *s, struct application *app, const char *layout)
{
	size_t i = application_column(app, "layout");

	open_setting(s, app, bare);
	s->row[i] = (double)levels_add(&app->column[i].levels, layout);
	set(s, "n", 100);
	set(s, "nodes", 2);
	set(s, "ppn", 4);
	set(s, "threads", 3);
}

static const char toy_path[] = "tests/fixtures/definitions/job.conf";

/* Without a column procs: 2 nodes times 4. */
TEST(threads_and_processes_a_node_are_taken_from_the_columns)
{
	RELEASED(setting) s;

	open_toy(&s, read_application(toy_path), "DGZ");
	check_script(&s, "#SBATCH --nodes=2\n"
			 "#SBATCH --ntasks=8\n"
			 "#SBATCH --ntasks-per-node=4\n"
			 "#SBATCH --cpus-per-task=3\n");
	check_script(&s, "\nexport OMP_NUM_THREADS=3 SRUN_CPUS_PER_TASK=3\n");
	check_script(&s, "\nsrun toy --layout DGZ -n 100 '${HOME}'\n");
}

/* The template of the fixture has a line END_OF_FILE and no newline at its end. */
TEST(here_documents_end_where_they_should)
{
	RELEASED(setting) s;

	open_toy(&s, read_application(toy_path), "DGZ");
	check_script(&s, "cat >deck <<'END_OF_FILE_'\n"
			 "layout = DGZ\n"
			 "END_OF_FILE\n"
			 "last\n"
			 "END_OF_FILE_\n");
}

TEST(hostile_levels_do_not_get_into_the_command)
{
	RELEASED(strbuf) out = STRBUF_INIT;
	RELEASED(setting) s;

	open_toy(&s, read_application(toy_path), "$(touch x)");
	must_say(job_script_slurm(&s.job, &out, &err), ERR_ARG,
		 "{layout} is '$(touch x)': that cannot stand in a command");
}

/* toy without its job */
static struct application *read_toy_without_job(void)
{
	static const char text[] =
		"application = { name = \"toy\"; problem = ( { name = \"n\"; } ); tunables = ( { "
		"name = \"layout\"; type = \"text\"; } ); resources = ( { name = \"nodes\"; }, { "
		"name = \"ppn\"; }, { name = \"threads\"; } ); target = { name = \"time\"; }; };";
	struct application *a = NULL;

	must(application_parse(text, "toy.conf", &a, &err));
	return a;
}

TEST(an_application_without_command_asks_for_it_and_tells_the_configuration)
{
	RELEASED(setting) s;

	open_toy(&s, read_toy_without_job(), "it's $(touch x)");
	check_script(&s, "\n: \"${PROGRAM:?the program to run is not known}\"\n"
			 "export LEMNOS_n=100\n"
			 "export LEMNOS_nodes=2\n"
			 "export LEMNOS_ppn=4\n"
			 "export LEMNOS_threads=3\n"
			 "export LEMNOS_layout='it'\\''s $(touch x)'\n"
			 "srun \"$PROGRAM\" \"$@\"\n");
}

TEST(limits_are_whole_minutes_with_time_to_start)
{
	FREED(machine) *usual = NULL, *slow = NULL;
	int64_t limit_min = 0;

	must(machine_parse(bare, "m.conf", &usual, &err));
	must(machine_parse("machine = { name = \"m\"; slurm = { startup_s = 150; }; };", "m.conf",
			   &slow, &err));
	must(job_limit_min(usual, 60, &limit_min, &err));
	assert_int_equal(limit_min, 2); /* 60 s + 60 s */
	must(job_limit_min(usual, 60.5, &limit_min, &err));
	assert_int_equal(limit_min, 3);
	must(job_limit_min(slow, 60, &limit_min, &err));
	assert_int_equal(limit_min, 4); /* 60 s + 150 s = 3.5 min */
	slow->slurm.startup_s = 0;
	must(job_limit_min(slow, 1e-9, &limit_min, &err));
	assert_int_equal(limit_min, 1);
	must_fail(job_limit_min(usual, 400 * 86400.0, &limit_min, &err), ERR_ARG, "400 days");
	assert_int_equal(job_limit_min(usual, INFINITY, &limit_min, &err), ERR_ARG);
	assert_int_equal(limit_min, 1);
}

TEST(a_script_that_is_measured_tells_its_times_and_changes_nothing_else)
{
	RELEASED(setting) s;
	RELEASED(strbuf) with = STRBUF_INIT, without = STRBUF_INIT;

	open_sweep3d(&s, bare);
	must(job_script_slurm(&s.job, &without, &err));
	s.job.time_file = "/home/it's/a.time";
	must(job_script_slurm(&s.job, &with, &err));
	check_script(&s, "export LEMNOS_TIME_FILE='/home/it'\\''s/a.time'\n");
	check_script(&s,
		     "trap 'lemnos_tell ended $?' EXIT\nlemnos_tell began\n\nsrun sweep3d.mpi\n");
	assert_null(strstr(strbuf_text(&without), "lemnos_tell"));
	/* all that is before the lines, and the command after them */
	assert_memory_equal(strbuf_text(&with), strbuf_text(&without),
			    without.len - strlen("\nsrun sweep3d.mpi\n"));
}

TEST(times_that_a_script_told_are_read)
{
	struct job_times t;

	job_times_read("began 1795402821.500000000\nhello\nwall_s 19.25\nended "
		       "1795402842.750000000 3\n",
		       &t);
	check_rel(t.began_s, 1795402821.5, 1e-15);
	check_rel(t.ended_s, 1795402842.75, 1e-15);
	check_rel(t.own_wall_s, 19.25, 1e-15);
	assert_int_equal(t.exit_status, 3);

	job_times_read("", &t);
	assert_true(isnan(t.began_s) && isnan(t.ended_s) && isnan(t.own_wall_s));
	assert_int_equal(t.exit_status, -1);

	/* a line that is not whole may say anything; the last word of a kind counts */
	job_times_read("began 100.5\nwall_s 1\nwall_s 2\nended 17954", &t);
	check_rel(t.began_s, 100.5, 1e-15);
	check_rel(t.own_wall_s, 2.0, 1e-15);
	assert_true(isnan(t.ended_s));

	job_times_read("began\nbegan x\nbegan -5\nbegan nan\nwall_s 1e999\nwall_s 0\nended 5 "
		       "256\nbeganx 5\n",
		       &t);
	assert_true(isnan(t.began_s) && isnan(t.own_wall_s));
	check_rel(t.ended_s, 5.0, 1e-15);
	assert_int_equal(t.exit_status, -1);
}
