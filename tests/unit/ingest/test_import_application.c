#include "tests/unit/ingest/ingest_fixture.h"

#include "ingest/application_guess.h"
#include "ingest/import_application.h"

/* What to type for a table that nobody knows. */

static struct strbuf command;

static int tear_down(void **state)
{
	strbuf_release(&command);
	return remove_folder(state);
}

static struct text_table *open_table(const char *text)
{
	struct byte_source *source = NULL;
	char hex[DIGEST_HEX_SIZE];
	struct text_table *t = NULL;

	write_file(in_folder("t.csv"), text);
	must(byte_source_open(in_folder("t.csv"), &source, &err));
	must(byte_source_fingerprint(source, NULL, hex, &err));
	must(text_table_open_source(source, 0, &t, &err));
	return t;
}

static const char *command_for(const char *text, const struct ingest_options *o)
{
	struct text_table *t = open_table(text);
	struct table_record first;

	strbuf_clear(&command);
	must(text_table_next(t, &first, &err));
	must(application_guess_put_command(t, &first, o, o->app, false, &command, &err));
	text_table_close(t);
	return strbuf_text(&command);
}

/* The flags behind the machine. */
static const char *flags_for(const char *text)
{
	static const char head[] = "lemnos ingest t.csv --app NAME --machine NAME ";
	const struct ingest_options o = {.path = "t.csv", .source = -1};
	const char *whole = command_for(text, &o);

	assert_memory_equal(whole, head, strlen(head));
	return whole + strlen(head);
}

#define IN_FIXTURE(f) TEST_WITH(f, make_folder, tear_down)

/* The headers of E. Hutter's and E. Solomonik's data (arXiv:2210.10184), with made-up rows. */
IN_FIXTURE(runs_of_snap_are_understood)
{
	assert_string_equal(flags_for("nx,ny,nz,nmom,nang,ng,ichunk,nodes,ppn,threads,solve_s\n"
				      "8,8,8,1,10,10,2,1,4,1,1.5\n"),
			    "--target solve_s --problem nx,ny,nz,nmom,nang,ng --tunable ichunk "
			    "--resource nodes=nodes,ppn=ppn,threads=threads");
}

IN_FIXTURE(of_two_timers_one_is_the_target_and_none_a_column)
{
	assert_string_equal(
		flags_for("nodes,ppn,threads,nesting,dirsets,groupsets,zset_x,zset_y,zset_z,groups,"
			  "directions,zones_x,zones_y,zones_z,legendre,solve_s,sweep_s\n"
			  "1,4,1,DGZ,8,1,1,1,1,8,8,4,4,4,1,0.5,0.25\n"),
		"--target COLUMN --problem groups,directions,zones_x,zones_y,zones_z,legendre "
		"--tunable nesting,dirsets,groupsets,zset_x,zset_y,zset_z "
		"--resource nodes=nodes,ppn=ppn,threads=threads\n"
		"left out, for a result gives the answer away: solve_s, sweep_s\n"
		"which is the time of the whole run: solve_s or sweep_s? Where all are parts of "
		"it, make a column of their sum");
	assert_string_equal(
		flags_for("n,init_time,Total Time [ms],comm_ms,gflops,ranks\n1,1,1,1,1,1\n"),
		"--target 'Total Time [ms]' --problem n --resource ranks=procs\n"
		"left out, for a result gives the answer away: init_time, comm_ms, "
		"gflops");
}

IN_FIXTURE(parts_beside_the_whole_are_left_out)
{
	assert_string_equal(flags_for("n,nodes,solve,comm,total\n1,1,3.5,1.5,5.5\n"),
			    "--target total --problem n --resource nodes=nodes\n"
			    "left out, for a result gives the answer away: solve, comm");
	assert_string_equal(flags_for("n,nodes,kernel,t\n1,1,3.5,>3600\n"),
			    "--target t --problem n --resource nodes=nodes\n"
			    "left out, for a result gives the answer away: kernel");
	/* a solver, and the width of a halo */
	assert_string_equal(flags_for("n,solver,halo,time\n1,cg,2,OOM\n"),
			    "--target time --problem n,halo --tunable solver");
	assert_string_equal(flags_for("n,min,avg,max,seed,ranks_per_gpu\n1,2.5,3,4,1,2\n"),
			    "--target avg --problem n --tunable ranks_per_gpu\n"
			    "left out, for a result gives the answer away: min, max");
}

IN_FIXTURE(rows_of_several_runs_get_no_command)
{
	static const char *const text[] = {"n,t1,t2,t3\n1,2.5,3,4\n", "n,1,2,4\n1,2.5,3,4\n",
					   "n,1 node,2 nodes\n1,2.5,3\n",
					   "n,time_p16,time_p32\n1,2.5,3\n"};
	const struct ingest_options o = {.path = "t.csv", .source = -1};

	for (size_t i = 0; i < sizeof text / sizeof text[0]; i++)
		assert_non_null(strstr(command_for(text[i], &o), "Make one row of each run"));
	assert_string_equal(flags_for("n,p1,p2,time\n1,2,3,4\n"),
			    "--target time --problem n,p1,p2");
}

IN_FIXTURE(names_of_runs_and_counters_are_no_choices)
{
	assert_string_equal(flags_for("case_id,n,solver,PAPI_L1,time\na,1,cg,5,1\nb,1,cg,5,1\n"
				      "c,1,cg,5,1\nd,1,cg,5,1\ne,1,cg,5,1\nf,1,cg,5,1\n"
				      "g,1,cg,5,1\nh,1,mg,5,1\n"),
			    "--target time --problem n --tunable solver\n"
			    "left out, for a result gives the answer away: PAPI_L1\n"
			    "left out, for each row has its own: case_id");
	assert_string_equal(flags_for("n,tile,time,nodes\n-,count,[ms],count\n1,2,3,4\n"),
			    "--target time --problem n --tunable tile --resource nodes=nodes");
}

IN_FIXTURE(resource_is_named_once)
{
	assert_string_equal(flags_for("n,ntasks,np,nodes,wall\n1,1,1,1,1\n"),
			    "--target wall --problem n --resource ntasks=procs,nodes=nodes");
	assert_string_equal(flags_for("n,AllocCPUS,ntasks,wall\n1,32,16,1\n"),
			    "--target wall --problem n --resource ntasks=procs");
}

IN_FIXTURE(what_import_reads_itself_is_no_column)
{
	assert_string_equal(flags_for("cluster,user,status,repeat,n,elapsed\na,b,ok,1,1,1\n"),
			    "--target elapsed --problem n");
}

IN_FIXTURE(words_are_choices_unless_they_name_the_problem)
{
	assert_string_equal(flags_for("matrix,preconditioner,dataset_kb,runtime\naudikw,ilu,5,1\n"),
			    "--target runtime --problem matrix,dataset_kb --tunable "
			    "preconditioner");
}

IN_FIXTURE(words_of_sizes_are_no_choices)
{
	assert_string_equal(flags_for("matrix_name,size,batch_size,time\na,0.8K,32,1\n"),
			    "--target time --problem matrix_name,size,batch_size");
	assert_string_equal(flags_for("input_size,block_size,time\n8K,32,1.5 +- 0.1\n"),
			    "--target time --problem input_size --tunable block_size");
}

IN_FIXTURE(time_of_a_part_and_a_sum_are_no_target)
{
	assert_string_equal(
		flags_for("n,steps,time_per_step,ns/day,core_hours,GFLOP/s,wall\n1,1,1,1,1,1,1\n"),
		"--target wall --problem n,steps\n"
		"left out, for a result gives the answer away: time_per_step, ns/day, core_hours, "
		"GFLOP/s");
	/* a unit in the cell makes it no word */
	assert_string_equal(flags_for("n,wall,mesh\n1,350 ms,a\n"),
			    "--target wall --problem n,mesh");
}

IN_FIXTURE(how_a_run_ended_is_no_choice)
{
	assert_string_equal(flags_for("n,wall,result,x7,converged,solver\n1,2,OK,done,yes,cg\n"),
			    "--target wall --problem n --tunable solver");
}

IN_FIXTURE(what_is_missing_is_left_to_people)
{
	assert_string_equal(flags_for("a,nodes\n1,2\n"),
			    "--target COLUMN --problem a --resource nodes=nodes\n"
			    "no column has the name of a run time: which is it? Where only a rate "
			    "was kept, or when runs began and ended, make a column of times from "
			    "it (work / rate, end - start)");
	assert_string_equal(flags_for("tile,t\n1,2\n"), "--target t --tunable tile");
	assert_string_equal(flags_for("a,time\n"), "--target time --problem a"); /* no row */
}

IN_FIXTURE(shell_gets_one_word_each)
{
	const struct ingest_options o = {
		.path = "my runs/it's.csv", .machine = "a b", .app = "x", .source = -1};

	assert_string_equal(command_for("grid size,$(rm),time\n1,2,3\n", &o),
			    "lemnos ingest 'my runs/it'\\''s.csv' --app x --machine 'a b' "
			    "--target time --problem 'grid size,$(rm)'");
}

IN_FIXTURE(very_wide_table_ends_in_dots)
{
	RELEASED(strbuf) wide = STRBUF_INIT;
	const char *flags;

	for (int i = 0; i < 500; i++)
		strbuf_printf(&wide, "column_%d,", i);
	strbuf_puts(&wide, "time\n");
	flags = flags_for(strbuf_text(&wide));
	check_contains(flags, "column_0,");
	check_contains(flags, ",...");
	assert_true(strlen(flags) < 700);
}
