#include "ingest_fixture.h"

#define IN_FIXTURE(name) TEST_WITH(name, scratch_set_up, scratch_tear_down)

IN_FIXTURE(the_shipped_runs_need_no_map)
{
	struct scratch *s = *state;
	const struct {
		const char *path;
		int64_t n;
	} file[] = {{"data/runs/measured_local.csv", 879},
		    {"data/runs/simulated_sp2like.csv", 570},
		    {"data/runs/simulated_iblike.csv", 570}};
	RELEASED(kb_names) machines;

	for (size_t i = 0; i < 3; i++) {
		check_ok(import(s, (struct ingest_options){.path = file[i].path, .source = -1}),
			 &s->e);
		assert_int_equal(s->result.import.n_taken, file[i].n);
		assert_int_equal(s->result.import.n_refused, 0);
		assert_int_equal(s->result.import.n_known, 0);
		assert_int_equal(s->result.n_new_machine, 1);
	}
	assert_int_equal(n_runs(s), 879 + 570 + 570);
	must(kb_list_machines(s->kb, 0, &machines, &err));
	assert_int_equal(machines.n, 3);
}

IN_FIXTURE(a_table_in_memory_is_an_import_under_its_own_name)
{
	struct scratch *s = *state;
	const struct ingest_options o = {
		.path = "model loggp, a/b",
		.text = "it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s,model\n"
			"50,50,50,2,2,4,10,3,1.5,loggp\n",
		.app = "sweep3d",
		.machine = "sp2",
		.source = SOURCE_MODELLED,
	};

	check_ok(import(s, o), &s->e);
	assert_int_equal(s->result.import.n_taken, 1);
	assert_string_equal(s->result.import.file_name, "model loggp, a/b");
	assert_string_equal(runs_column(s, "source").text[0], "modelled");
	assert_string_equal(runs_column(s, "extra").text[0], "{\"model\":\"loggp\"}");
	check_ok(import(s, o), &s->e);
	assert_int_equal(s->result.already_import, 1);
	assert_int_equal(n_runs(s), 1);
}

struct companion {
	int n_calls;
	bool fails;
	int64_t already; /* that it was told of */
};

static enum err_code store_companion(struct kb *kb, const struct ingest_result *r, void *arg,
				     struct err *e)
{
	struct companion *c = arg;

	c->n_calls++;
	c->already = r->already_import;
	return c->fails ? err_set(e, ERR_ARG, "not this one")
			: kb_set_default(kb, "machine", "sp2", e);
}

/* What is stored with an import is there with it or not at all, and where the file was known. */
IN_FIXTURE(what_goes_with_an_import_is_stored_with_it_or_neither_is)
{
	struct scratch *s = *state;
	struct companion c = {.fails = true};
	struct ingest_options o = {
		.path = "one run",
		.text = "it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s\n50,50,50,2,2,4,10,3,1.5\n",
		.app = "sweep3d",
		.machine = "sp2",
		.source = SOURCE_MEASURED,
		.also = store_companion,
		.also_arg = &c,
	};

	assert_int_equal(import(s, o), ERR_ARG);
	assert_string_equal(s->e.msg, "not this one");
	assert_int_equal(n_runs(s), 0);
	c.fails = false;
	o.dry_run = true;
	check_ok(import(s, o), &s->e);
	assert_int_equal(c.n_calls, 1);
	o.dry_run = false;
	check_ok(import(s, o), &s->e);
	assert_int_equal(c.n_calls, 2);
	assert_int_equal(c.already, 0);
	assert_int_equal(n_runs(s), 1);
	check_ok(import(s, o), &s->e);
	assert_int_equal(c.n_calls, 3);
	assert_int_equal(c.already, 1);
	assert_int_equal(n_runs(s), 1);
}

IN_FIXTURE(bom_crlf_and_quotes_make_no_difference)
{
	struct scratch *s = *state;

	check_ok(
		import(s, (struct ingest_options){.path = CSV "crlf_bom_quotes.csv", .source = -1}),
		&s->e);
	assert_int_equal(s->result.import.n_taken, 2);
	assert_string_equal(runs_column(s, "wall_s").text[1], "1.6");
	assert_string_equal(runs_column(s, "extra").text[0],
			    "{\"comment\":\"quiet, \\\"very\\\"\"}");
	assert_string_equal(runs_column(s, "extra").text[1], "");
}

IN_FIXTURE(tabs_semicolons_and_commas_are_told_apart)
{
	struct scratch *s = *state;

	check_ok(import(s,
			(struct ingest_options){.path = CSV "tabs_and_comments.tsv", .source = -1}),
		 &s->e);
	check_ok(
		import_text(
			s,
			"app;machine;it_g;jt_g;kt;npe_i;npe_j;nodes;mk;mmi;iterations;runtime_s;repeat\n"
			"sweep3d;m1;50;50;50;2;1;2;10;3;12;1.5;1\n"),
		&s->e);
	check_ok(import(s, (struct ingest_options){.path = CSV "plain.csv", .source = -1}), &s->e);
	/* The first row of plain.csv is that of the two others: told, not stored again. */
	assert_int_equal(s->result.import.n_known, 1);
	assert_int_equal(s->result.import.n_taken, 1);
}

IN_FIXTURE(lines_are_counted_through_embedded_newlines)
{
	struct scratch *s = *state;

	check_ok(import(s,
			(struct ingest_options){.path = CSV "embedded_newlines.csv", .source = -1}),
		 &s->e);
	assert_int_equal(s->result.import.n_taken, 1);
	assert_string_equal(runs_column(s, "line").text[0], "2");
	assert_string_equal(runs_column(s, "extra").text[0],
			    "{\"remark\":\"first\\u000asecond\\u000athird\"}");
	assert_int_equal(n_refused_for(s, "runtime_s: not a number"), 1);
	assert_int_equal(s->result.reason[0].first_line, 5);
}

IN_FIXTURE(per_processor_sizes_become_global_ones_and_are_marked)
{
	struct scratch *s = *state;

	check_ok(import(s, (struct ingest_options){.path = CSV "per_processor_sizes.csv",
						   .source = -1}),
		 &s->e);
	assert_string_equal(runs_column(s, "it_g").text[0], "50"); /* 25 * 2 */
	assert_string_equal(runs_column(s, "jt_g").text[0], "50"); /* 50 * 1 */
	check_contains(runs_column(s, "computed").text[0], "it_g,jt_g");
}

IN_FIXTURE(both_sizes_must_agree)
{
	struct scratch *s = *state;

	check_ok(import(s, (struct ingest_options){.path = CSV "both_sizes.csv", .source = -1}),
		 &s->e);
	/* ceil(50 / 2) = ceil(49 / 2) = 25, but ceil(52 / 2) = 26. */
	assert_int_equal(s->result.import.n_taken, 2);
	assert_int_equal(n_refused_for(s, "it: does not fit it_g and npe_i"), 1);
	assert_int_equal(s->result.reason[0].first_line, 4);
}

IN_FIXTURE(processors_given_are_checked_against_the_grid)
{
	struct scratch *s = *state;

	check_ok(import(s, (struct ingest_options){.path = CSV "procs_given.csv", .source = -1}),
		 &s->e);
	assert_int_equal(s->result.import.n_taken, 1);
	assert_int_equal(n_refused_for(s, "procs: not the product of the processor grid"), 1);
}

IN_FIXTURE(nodes_are_worked_out_from_cores_per_node_or_asked_for)
{
	struct scratch *s = *state;
	char message[512];
	struct machine *m;

	assert_int_equal(import_text(s, "machine,it_g,jt_g,kt,npe_i,npe_j,mk,mmi,runtime_s\n"
					"m1,50,50,50,3,1,10,3,1.5\n"),
			 ERR_PARSE);
	snprintf(message, sizeof message,
		 "%s: none of 1 rows is valid; %s:2: nodes: the number of nodes is not given",
		 s->given, s->given);
	check_contains(s->e.msg, message);
	check_contains(s->e.msg, "cores_per_node");
	assert_int_equal(s->result.n_new_machine, 0);
	must(machine_parse("machine = { name = \"m1\"; cores_per_node = 2; };", "m1", &m, &err));
	must(kb_put_machine(s->kb, m, NULL, &err));
	machine_free(m);
	check_ok(import(s, (struct ingest_options){.path = s->given, .source = -1}), &s->e);
	assert_string_equal(runs_column(s, "nodes").text[0], "2"); /* ceil(3 / 2) */
	check_contains(runs_column(s, "computed").text[0], "nodes");
}

IN_FIXTURE(nodes_are_worked_out_from_processes_per_node)
{
	struct scratch *s = *state;

	check_ok(import_text(s, "machine,it_g,jt_g,kt,npe_i,npe_j,ppn,mk,mmi,runtime_s\n"
				"m1,50,50,50,3,1,2,10,3,1.5\n"),
		 &s->e);
	assert_string_equal(runs_column(s, "nodes").text[0], "2");
}

IN_FIXTURE(missing_workload_gets_its_default_and_says_so)
{
	struct scratch *s = *state;

	check_ok(import(s, (struct ingest_options){.path = CSV "plain.csv", .source = -1}), &s->e);
	assert_string_equal(runs_column(s, "mm").text[0], "6");
	assert_string_equal(runs_column(s, "groups").text[0], "1");
	assert_string_equal(runs_column(s, "computed").text[0], "mm,groups,timesteps");
	check_contains(strbuf_text(&s->result.notes), "mm = 6, groups = 1, timesteps = 1");
}

IN_FIXTURE(aliases_and_units_in_headers_are_understood)
{
	struct scratch *s = *state;

	check_ok(import_text(s, "cluster,nx,ny,nz,px,py,nodes,k_block,angle_block,time_ms\n"
				"m1,50,50,50,2,1,2,10,3,1500\n"),
		 &s->e);
	check_ok(import_text(s,
			     "machine,it_g,jt_g,kt [cells],npe_i,npe_j,nodes,mk,mmi,Runtime (us)\n"
			     "m1,50,50,50,2,1,2,10,3,1500000\n"),
		 &s->e);
	/* The same run in ms and in us: 1500 ms = 1 500 000 us = 1.5 s. */
	assert_int_equal(s->result.import.n_known, 1);
	assert_string_equal(runs_column(s, "wall_s").text[0], "1.5");
}

IN_FIXTURE(a_unit_flag_decides_what_a_header_leaves_open)
{
	struct scratch *s = *state;
	const char *const unit[] = {"time_min=min", NULL};

	assert_int_equal(import_text(s, "machine,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,time_min\n"
					"m1,50,50,50,2,1,2,10,3,1.5\n"),
			 ERR_PARSE);
	check_contains(s->e.msg, "given.csv:1: time_min: minutes or the minimum?");
	check_ok(import(s, (struct ingest_options){.path = s->given, .source = -1, .unit = unit}),
		 &s->e);
	assert_string_equal(runs_column(s, "wall_s").text[0], "90"); /* 1.5 min */
}

IN_FIXTURE(a_mean_is_kept_as_an_aggregate_of_n)
{
	struct scratch *s = *state;

	check_ok(import_text(s, "machine,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,mean_runtime_s,n\n"
				"m1,50,50,50,2,1,2,10,3,1.5,5\n"
				"m1,50,50,50,2,1,2,5,3,1.4,1\n"),
		 &s->e);
	assert_int_equal(s->result.n_aggregates, 1);
	assert_string_equal(runs_column(s, "n_repeats").text[0], "5");
	assert_string_equal(runs_column(s, "n_repeats").text[1], "1");
	assert_int_equal(import_text(s,
				     "machine,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_mean\n"
				     "m1,50,50,50,2,1,2,10,3,1.5\n"),
			 ERR_PARSE);
	check_contains(s->e.msg, "given.csv:1: runtime_mean: of how many runs?");
}

IN_FIXTURE(states_of_a_batch_system_become_ok_failed_or_timeout)
{
	struct scratch *s = *state;
	const char *const status[] = {"ok", "failed", "failed", "timeout", "failed"};
	const char *const wall_s[] = {"1.5", "", "", "60", "3"};

	check_ok(import_text(s, "machine,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s,state\n"
				"m1,50,50,50,2,1,2,10,3,1.5,COMPLETED\n"
				"m1,50,50,50,2,1,2,10,3,,FAILED\n"
				"m1,50,50,50,2,1,2,10,3,0,NODE_FAIL\n"
				"m1,50,50,50,2,1,2,10,3,60,TIMEOUT\n"
				"m1,50,50,50,2,1,2,10,3,3,CANCELLED by 1000\n"
				"m1,50,50,50,2,1,2,10,3,,COMPLETED\n"
				"m1,50,50,50,2,1,2,10,3,1,SLEEPING\n"),
		 &s->e);
	assert_int_equal(s->result.import.n_taken, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_string_equal(runs_column(s, "status").text[i], status[i]);
		assert_string_equal(runs_column(s, "wall_s").text[i], wall_s[i]);
	}
	assert_int_equal(n_refused_for(s, "runtime_s: empty"), 1);
	assert_int_equal(n_refused_for(s, "state: no known status"), 1);
}

IN_FIXTURE(sources_are_read_or_given)
{
	struct scratch *s = *state;

	check_ok(import(s, (struct ingest_options){.path = CSV "sources.csv", .source = -1}),
		 &s->e);
	assert_string_equal(runs_column(s, "source").text[1], "simulated");
	assert_string_equal(runs_column(s, "source").text[2], "modelled");
	assert_int_equal(n_refused_for(s, "source: no known source"), 1);
	assert_int_equal(n_refused_for(s, "source: empty"), 1);
	check_ok(import(s, (struct ingest_options){.path = CSV "plain.csv",
						   .source = SOURCE_MODELLED}),
		 &s->e);
	assert_string_equal(runs_column(s, "source").text[3], "modelled");
}

IN_FIXTURE(numbers_that_are_none_are_refused_by_name)
{
	struct scratch *s = *state;

	check_ok(import_text(s, "machine,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s\n"
				"m1,50,50,50,2,1,2,10,3,\"1,234\"\n"
				"m1,50,50,50,2,1,2,10,3,\"1,5\"\n"
				"m1,50,50,50,2,1,2,10,3,nan\n"
				"m1,50,50,50,2,1,2,10,3,-inf\n"
				"m1,50,50,50,2,1,2,10,3,1e999\n"
				"m1,50,50,50,2,1,2,10,3,0\n"
				"m1,50,50,50,2,1,2,10,3,-3\n"
				"m1,50,50,50,2,1,2,10,3,0x10\n"
				"m1,50,50,50,2,1,2,10,3,ten\n"
				"m1,50,50,50,2,1,2,10,3,\n"
				"m1,50.0,50,50,2,1,2,10,3,1\n"
				"m1,1e2,50,50,2,1,2,10,3,1\n"
				"m1,99999999999999999999,50,50,2,1,2,10,3,1\n"
				"m1,0,50,50,2,1,2,10,3,1\n"
				"m1,1 000,50,50,2,1,2,10,3,1\n"
				"m1,9007199254740993,50,50,2,1,2,10,3,1\n"
				"m1,,50,50,2,1,2,10,3,1\n"),
		 &s->e);
	assert_int_equal(s->result.n_rows, 17);
	assert_int_equal(s->result.import.n_refused, 14);
	/* 50.0, 1e2 and 1 000 are whole numbers. */
	assert_string_equal(runs_column(s, "it_g").text[0], "50");
	assert_string_equal(runs_column(s, "it_g").text[1], "100");
	assert_string_equal(runs_column(s, "it_g").text[2], "1000");
	assert_int_equal(n_refused_for(s, "runtime_s: a thousands separator or a decimal comma"),
			 2);
	assert_int_equal(n_refused_for(s, "runtime_s: not measured"), 1);
	assert_int_equal(n_refused_for(s, "runtime_s: not a finite number"), 1);
	assert_int_equal(n_refused_for(s, "runtime_s: too large"), 1);
	assert_int_equal(n_refused_for(s, "runtime_s: not greater than zero"), 2);
	assert_int_equal(n_refused_for(s, "runtime_s: not a number"), 2);
	assert_int_equal(n_refused_for(s, "runtime_s: empty"), 1);
	assert_int_equal(n_refused_for(s, "it_g: too large"), 2); /* 2^53 + 1 is no double */
	assert_int_equal(n_refused_for(s, "it_g: out of range"), 1);
	assert_int_equal(n_refused_for(s, "it_g: empty"), 1);
}

IN_FIXTURE(illegal_configurations_are_refused_with_the_rule)
{
	struct scratch *s = *state;

	check_ok(import(s,
			(struct ingest_options){
				.path = given(
					s,
					"machine,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s\n"
					"m1,50,50,50,2,1,2,10,4,1.5\n"
					"m1,50,50,50,2,1,2,60,3,1.5\n"
					"m1,50,50,50,1,1,1,10,3,1.5\n"
					"m1,50,50,50,1,1,1,50,6,1.5\n"),
				.source = -1,
				.rejects = scratch_file(s, "rejects.csv")}),
		 &s->e);
	assert_int_equal(s->result.import.n_taken, 1);
	assert_int_equal(s->result.import.n_refused, 3);
	assert_int_equal(n_refused_for(s, "illegal: mmi must divide the angles per octant, or the "
					  "program stops"),
			 1);
}

IN_FIXTURE(ragged_rows_and_stray_quotes_are_refused)
{
	struct scratch *s = *state;

	check_ok(import(s, (struct ingest_options){.path = CSV "ragged.csv", .source = -1}), &s->e);
	assert_int_equal(s->result.import.n_taken, 1);
	assert_int_equal(n_refused_for(s, "another number of fields than the header"), 2);
	assert_int_equal(n_refused_for(s, "a quote in the middle of a field"), 1);
}

IN_FIXTURE(text_that_is_not_utf8_is_refused)
{
	struct scratch *s = *state;

	check_ok(import_text(s, "machine,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s,remark\n"
				"m1,50,50,50,2,1,2,10,3,1.5,caf\xe9\n"
				"m1,50,50,50,2,1,2,10,3,1.5,caf\xc3\xa9\n"),
		 &s->e);
	assert_int_equal(s->result.import.n_taken, 1);
	assert_int_equal(n_refused_for(s, "not valid UTF-8"), 1);
	assert_string_equal(runs_column(s, "extra").text[0], "{\"remark\":\"caf\xc3\xa9\"}");
}

IN_FIXTURE(machine_names_that_nobody_can_type_are_refused)
{
	struct scratch *s = *state;

	check_ok(import_text(s, "machine,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s\n"
				"m1,50,50,50,2,1,2,10,3,1.5\n"
				",50,50,50,2,1,2,10,3,1.6\n"
				"\" m1\",50,50,50,2,1,2,10,3,1.7\n"
				"\"m\n"
				"1\",50,50,50,2,1,2,10,3,1.8\n"
				"m\x1b[31m1,50,50,50,2,1,2,10,3,1.9\n"),
		 &s->e);
	assert_int_equal(s->result.import.n_taken, 1);
	assert_int_equal(n_refused_for(s, "machine: empty"), 1);
	assert_int_equal(n_refused_for(s, "machine: begins or ends with a blank"), 1);
	assert_int_equal(n_refused_for(s, "machine: has a control character"), 2);
}

IN_FIXTURE(a_machine_given_for_the_file_has_a_good_name_too)
{
	struct scratch *s = *state;

	assert_int_equal(import(s, (struct ingest_options){.path = CSV "plain.csv",
							   .machine = "a\xff",
							   .source = -1}),
			 ERR_ARG);
	check_contains(s->e.msg, "the machine's name 'a\\xff': not valid UTF-8");
}

IN_FIXTURE(personal_columns_are_stored_only_when_asked_for)
{
	struct scratch *s = *state;

	check_ok(
		import_text(
			s,
			"machine,User,hostname,command line,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s,compiler,efficiency\n"
			"m1,jane,n01,./sweep < in,50,50,50,2,1,2,10,3,1.5,gcc,0.9\n"),
		&s->e);
	assert_string_equal(runs_column(s, "extra").text[0],
			    "{\"compiler\":\"gcc\",\"efficiency\":0.9}");
	check_contains(strbuf_text(&s->result.notes),
		       "User, hostname, command line: personal, not stored");
	check_contains(strbuf_text(&s->result.notes), "compiler: kept beside the runs");
	check_contains(strbuf_text(&s->result.notes), "a column of this name is computed");
	check_ok(kb_undo_import(s->kb, s->result.import.id, &(int64_t){0}, &s->e), &s->e);
	check_ok(import(s, (struct ingest_options){.path = s->given,
						   .source = -1,
						   .keep_personal = true}),
		 &s->e);
	check_contains(runs_column(s, "extra").text[0], "\"User\":\"jane\"");
}

IN_FIXTURE(rows_of_another_application_are_refused)
{
	struct scratch *s = *state;

	check_ok(
		import_text(
			s,
			"app,machine,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,iterations,runtime_s,repeat\n"
			"sweep3d,m1,50,50,50,2,1,2,10,3,12,1.5,1\n"
			"snap,m1,50,50,50,2,1,2,10,3,12,1.5,2\n"
			"Sweep3D-Replay,m1,50,50,50,2,1,2,10,3,12,1.5,3\n"),
		&s->e);
	assert_int_equal(s->result.import.n_taken, 2); /* an alias counts, in any case */
	assert_int_equal(n_refused_for(s, "app: not sweep3d"), 1);
}

static void check_bad_file(struct scratch *s, const char *path, const char *message)
{
	char begin[512];

	assert_int_equal(
		import(s, (struct ingest_options){.path = path, .machine = "m1", .source = -1}),
		ERR_PARSE);
	snprintf(begin, sizeof begin, "%s%s", path, message);
	check_contains(s->e.msg, begin);
}

IN_FIXTURE(a_bad_file_is_refused_whole_with_its_line)
{
	struct scratch *s = *state;
	static const char with_nul[] =
		"app,machine,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,iterations,runtime_s,repeat\n"
		"sweep3d,m1,50,50,50,2,1,2,10,3,12,1.5,1\n"
		"sweep3d,m1,5\0,50";
	static const struct {
		const char *text;
		const char *message; /* behind the path */
	} bad[] = {
		{"app,machine,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,iterations,runtime_s,repeat\n"
		 "sweep3d,m1,50,50,50,2,1,2,10,3,12,1.5,1\n"
		 "sweep3d,m1,50,50,50,2,1,2,10,3,12,1.5,\"1\n"
		 "sweep3d,m1,50,50,50,2,1,2,10,3,12,1.5,1\n",
		 ":3: the quote that opens here is never closed"},
		{"machine,it_g,nx,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s\n"
		 "m1,50,50,50,50,2,1,2,10,3,1.5\n",
		 ":1: 'it_g' and 'nx' both name the field it_g"},
		{"machine,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s,elapsed\n"
		 "m1,50,50,50,2,1,2,10,3,1.5,1.6\n",
		 ":1: 'runtime_s' and 'elapsed' both name"},
		{"machine,it_g,it_g\n"
		 "m1,50,50\n",
		 ":1: two columns are called 'it_g'"},
		{"app,machine,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,iterations,runtime_s,repeat\n",
		 ":1: no row below the header"},
		{"# nothing\n"
		 "# here\n",
		 ": empty"},
		{"", ": empty: a header line"},
		{"app,machine,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,iterations,runtime_s,repeat\rsweep3d,m1,50,50,50,2,1,2,10,3,12,1.5,1\r",
		 ":1: the header: a carriage return"},
		{"a,b;c\n"
		 "1,2;3\n",
		 ":1: the header has as many ',' as ';'"},
	};

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		check_bad_file(s, given(s, bad[i].text), bad[i].message);
	check_bad_file(s, given_bytes(s, with_nul, sizeof with_nul - 1), ":3: a NUL byte");
	check_bad_file(s, CSV "one_column.csv", ":1: one column, ");
	check_bad_file(s, CSV "no_such_file.csv", ": cannot open: No such file");
	check_bad_file(s, CSV, ": a folder, a file is wanted");
	assert_int_equal(n_runs(s), 0);
}
