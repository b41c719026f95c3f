#include "tests/unit/ingest/formats/memory_input.h"

FREEABLE(foreign_table)

/* What harnesses and tuners write: hyperfine, Google Benchmark, T4, GPTune, Ramble, ReFrame. */

/* ---- hyperfine ---- */

TEST(hyperfine_runs_that_did_not_exit_with_0_failed)
{
	check_table(
		"hyperfine",
		"{\"results\": [{\"command\": \"a\", \"times\": [1, 2.5, 3], \"exit_codes\": [0, 1, "
		"null], \"parameters\": {\"n\": \"8\"}}]}",
		NULL, "command,n,time_s,status|a,8,1,ok|a,8,2.5,failed|a,8,3,failed");
	/* older versions: no exit codes, no parameters */
	check_table("hyperfine", "{\"results\": [{\"command\": \"a\", \"times\": [1]}]}", NULL,
		    "command,time_s|a,1");
	check_table("hyperfine", "{\"results\": []}", NULL, "");
	check_refused("hyperfine", "{\"results\": [\n{\"command\": \"a\", \"mean\": 1}]}", NULL,
		      "f:2: a result without \"times\"");
	check_refused("hyperfine", "{\"results\": [{\"times\": [\"1\"]}]}", NULL,
		      "f:1: \"times\" holds what is no number");
}

static const char *notes_of(const char *format, const char *text)
{
	static char notes[400];
	FREED(foreign_table) *t = NULL;

	must(read_chosen(format, text, NULL, &t, &err));
	snprintf(notes, sizeof notes, "%s", strbuf_text(foreign_table_notes(t)));
	return notes;
}

TEST(commands_that_nothing_else_tells_apart_are_noted)
{
	assert_non_null(
		strstr(notes_of("hyperfine", "{\"results\": [{\"command\": \"a\", \"times\": [1]}, "
					     "{\"command\": \"b\", \"times\": [1]}]}"),
		       "--problem command"));
	assert_string_equal(notes_of("hyperfine",
				     "{\"results\": [{\"command\": \"a\", \"times\": [1]}, "
				     "{\"command\": \"a\", \"times\": [1]}]}"),
			    "");
	assert_string_equal(
		notes_of(
			"hyperfine",
			"{\"results\": [{\"command\": \"a 1\", \"times\": [1], \"parameters\": {\"n\": "
			"\"1\"}}, {\"command\": \"a 2\", \"times\": [1], \"parameters\": {\"n\": \"2\"}}]}"),
		"");
}

/* ---- Google Benchmark ---- */

static void check_name(const char *name, const char *want)
{
	char text[400];

	snprintf(
		text, sizeof text,
		"{\"benchmarks\": [{\"name\": \"%s\", \"run_type\": \"iteration\", \"real_time\": 5, "
		"\"time_unit\": \"ns\"}]}",
		name);
	check_table("google_benchmark", text, NULL, want);
}

TEST(names_hold_arguments)
{
	check_name("BM_x", "name,real_time_ns,status|BM_x,5,ok");
	check_name("BM_x/8/64", "arg1,arg2,name,real_time_ns,status|8,64,BM_x,5,ok");
	check_name("BM_x/n:8/-4/real_time", "n,arg1,name,real_time_ns,status|8,-4,BM_x,5,ok");
	check_name("Fixture/Method/8/iterations:5/repeats:3/threads:4",
		   "arg1,name,real_time_ns,status|8,Fixture/Method,5,ok");
	/* a capture's name, a template's colons, a word behind an argument */
	check_name("BM_x/int_test/2", "arg1,name,real_time_ns,status|2,BM_x/int_test,5,ok");
	check_name("BM_x<std::vector<int>>/2",
		   "arg1,name,real_time_ns,status|2,BM_x<std::vector<int>>,5,ok");
	check_name("BM_x/2/word", "arg1,name,real_time_ns,status|2,BM_x,5,ok");
	check_name("/", "name,real_time_ns,status|/,5,ok");
}

TEST(aggregates_are_of_the_same_repetitions)
{
	/* version 1.4 has no run_type */
	check_table(
		"google_benchmark",
		"{\"benchmarks\": [{\"name\": \"BM_x\", \"real_time\": 5, \"time_unit\": \"us\"}, "
		"{\"name\": \"BM_x_mean\", \"real_time\": 5, \"time_unit\": \"us\"}, "
		"{\"name\": \"BM_x_BigO\", \"cpu_coefficient\": 5}, "
		"{\"name\": \"BM_x\", \"run_type\": \"aggregate\", \"cpu_coefficient\": 5}]}",
		NULL, "name,real_time_us,status|BM_x,5,ok");
}

TEST(times_of_several_units_become_seconds)
{
	/* 9 ms are 0.009 s to the last digit */
	check_table("google_benchmark",
		    "{\"benchmarks\": [{\"name\": \"a\", \"real_time\": 9, \"time_unit\": \"ms\"}, "
		    "{\"name\": \"b\", \"real_time\": 7, \"time_unit\": \"us\"}, "
		    "{\"name\": \"c\", \"real_time\": 2, \"time_unit\": \"s\"}, "
		    "{\"name\": \"d\", \"skipped\": true, \"skip_message\": \"no\"}]}",
		    NULL, "name,real_time_s,status|a,0.009,ok|b,7e-06,ok|c,2,ok|d,,failed");
	check_refused(
		"google_benchmark",
		"{\"benchmarks\": [\n{\"name\": \"a\", \"real_time\": 9, \"time_unit\": \"h\"}]}",
		NULL, "f:2: a benchmark without a \"time_unit\": ns, us, ms or s");
	check_refused("google_benchmark",
		      "{\"benchmarks\": [{\"real_time\": 9, \"time_unit\": \"s\"}]}", NULL,
		      "f:1: a benchmark without a \"name\"");
}

/* ---- T4 ---- */

#define T4_RESULT(more) \
	"{\"configuration\": {\"b\": 8}, \"times\": {\"runtimes\": [1.5]}, " more "}"

TEST(t4_takes_the_unit_of_the_objective)
{
	check_table("t4",
		    "{\"results\": [" T4_RESULT(
			    "\"invalidity\": \"correct\", \"measurements\": [{\"name\": "
			    "\"time\", \"unit\": \"ms\"}, {\"name\": \"t\", \"unit\": "
			    "\"Seconds\"}], \"objectives\": [\"t\"]") "]}",
		    NULL, "b,status,runtime_s|8,ok,1.5");
	/* a rate is no time; the measurement called time is one */
	check_table("t4",
		    "{\"results\": [" T4_RESULT(
			    "\"invalidity\": \"correct\", \"measurements\": [{\"name\": "
			    "\"GFLOP/s\", \"unit\": \"GFLOP/s\"}, {\"name\": \"time\", "
			    "\"unit\": \"ms\"}], \"objectives\": [\"GFLOP/s\"]") "]}",
		    NULL, "b,status,runtime_ms|8,ok,1.5");
	check_table("t4", "{\"results\": [" T4_RESULT("\"invalidity\": \"correct\"") "]}", NULL,
		    "b,status,runtime?|8,ok,1.5");
	check_refused(
		"t4",
		"{\"results\": [" T4_RESULT(
			"\"invalidity\": \"correct\", \"measurements\": [{\"name\": \"time\", "
			"\"unit\": \"ms\"}]") ",\n" T4_RESULT("\"invalidity\": \"correct\", "
							      "\"measurements\": [{\"name\": "
							      "\"time\", \"unit\": \"s\"}]") "]}",
		NULL, "f:2: times in s, and in ms before: one unit is wanted");
}

TEST(t4_says_how_a_configuration_ended)
{
	check_table(
		"t4",
		"{\"metadata\": {\"app\": \"lu\"}, \"results\": [" T4_RESULT("\"invalidity\": \"timeout\", \"repeat\": 3, \"machine\": \"box\"") ", " T4_RESULT(
			"\"invalidity\": \"compile\"") ", "
						       "{\"configuration\": {\"b\": 9}, \"times\": {}, \"invalidity\": \"constraints\"}]}",
		NULL,
		"app,b,machine,status,runtime?,repeat|lu,8,box,timeout,1.5,3|lu,8,,failed,1.5,|"
		"lu,9,,failed,,");
	check_refused("t4", "{\"results\": [" T4_RESULT("\"invalidity\": \"fine\"") "]}", NULL,
		      "f:1: \"invalidity\" is fine: timeout, compile");
	check_refused("t4", "{\"results\": [" T4_RESULT("\"a\": 1") "]}", NULL,
		      "f:1: \"invalidity\" is missing: timeout");
	check_refused("t4", "{\"results\": [{\"invalidity\": \"correct\"}]}", NULL,
		      "f:1: a result without a \"configuration\"");
}

/* ---- GPTune ---- */

TEST(gptune_results_have_no_unit)
{
	check_table(
		"gptune",
		"{\"func_eval\": [{\"task_parameter\": {\"m\": 4}, \"tuning_parameter\": {\"b\": 2, "
		"\"s\": \"x\"}, \"machine_configuration\": {\"machine_name\": \"box\", \"p\": {\"nodes\": "
		"1}, \"q\": {\"nodes\": 2}}, \"evaluation_result\": {\"r\": 1.5, \"mem\": NaN}}]}",
		NULL, "m,b,s,machine,r?,mem?,status|4,2,x,box,1.5,,failed");
	check_refused("gptune", "{\"func_eval\": [{\"tuning_parameter\": {}}]}", NULL,
		      "f:1: an evaluation without an \"evaluation_result\"");
	check_refused("gptune", "{\"func_eval\": [\n{\"evaluation_result\": {\"r\": 1}}]}", NULL,
		      "f:2: an evaluation without a \"tuning_parameter\"");
	check_refused(
		"gptune",
		"{\"func_eval\": [{\"tuning_parameter\": {}, \"evaluation_result\": {\"r\": [1]}}]}",
		NULL, "f:1: the evaluation_result \"r\" is no number");
}

/* ---- Ramble ---- */

TEST(ramble_figures_have_context_and_unit)
{
	check_table(
		"ramble",
		"{\"experiments\": [{\"name\": \"e\", \"n_ranks\": 4, \"RAMBLE_STATUS\": \"SUCCESS\", "
		"\"N_REPEATS\": \"0\", \"RAMBLE_VARIABLES\": {\"n\": \"8\", \"dir\": \"/home/x\", "
		"\"cmd\": \"a b\"}, \"CONTEXTS\": [{\"name\": \"null\", \"foms\": [{\"name\": \"Wall "
		"Time\", \"value\": \"90\", \"units\": \"minutes\"}, {\"name\": \"Rate\", \"value\": 2, "
		"\"units\": \"GB/s\"}]}, {\"name\": \"step 1\", \"foms\": [{\"name\": \"t\", \"value\": 1, "
		"\"units\": \"s\"}]}]}, {\"N_REPEATS\": 3}, {\"N_REPEATS\": \"2\"}]}",
		NULL,
		"n,experiment,n_ranks,status,Wall_Time [min],Rate?,step_1/t_s|8,e,4,SUCCESS,90,2,1");
	check_refused("ramble",
		      "{\"experiments\": [\n{\"CONTEXTS\": [{\"foms\": [{\"name\": \"x\"}]}]}]}",
		      NULL, "f:2: a figure of merit without a \"name\" or a \"value\"");
}

/* ---- ReFrame ---- */

TEST(reframe_variables_of_both_versions)
{
	check_table(
		"reframe",
		"{\"runs\": [{\"testcases\": [{\"name\": \"t\", \"result\": \"success\", \"perfvars\": "
		"[{\"name\": \"a\", \"value\": 1, \"unit\": \"ms\"}, {\"name\": \"b\", \"value\": 2, "
		"\"unit\": null}]}, {\"name\": \"t\", \"result\": \"pass_with_warnings\", \"perfvalues\": "
		"{\"s:p:a\": [3, 0, null, null, \"ms\"], \"b\": [4]}}, {\"name\": \"t\", \"result\": "
		"\"abort\", \"perfvalues\": {}}, {\"result\": \"skip\"}]}]}",
		NULL, "name,status,a_ms,b?|t,ok,1,2|t,ok,3,4|t,failed,,");
	check_refused("reframe", "{\"runs\": [{\"testcases\": [\n{\"name\": \"t\"}]}]}", NULL,
		      "f:2: a test case without a \"result\"");
	check_refused(
		"reframe",
		"{\"runs\": [{\"testcases\": [{\"result\": \"pass\", \"perfvalues\": {\"a\": 1}}]}]}",
		NULL, "f:1: the performance value \"a\" is no array");
	check_refused("reframe",
		      "{\"runs\": [{\"testcases\": [{\"result\": \"pass\", \"perfvars\": [{}]}]}]}",
		      NULL, "f:1: a performance variable without a \"name\"");
}

TEST(perflog_fields_stand_between_bars)
{
	check_table(
		"reframe_perflog",
		"result|job_completion_time|name|a_value|a_unit|a_ref|x_ref|b_value\r\n"
		"pass|now|t|1.5|sec|0|7|2\r\n\r\nfail|null|t|None|null|0|7|null\r\npass|now|t|1|s|0|7\r\n"
		"skip|None|t||||7|\r\n",
		NULL,
		"status,job_completion_time,name,a_s,x_ref,b?|ok,now,t,1.5,7,2|failed,,t,,7,|!5");
	check_refused("reframe_perflog", "x|y\n", NULL, "f:1: the header of ReFrame 4 is wanted");
	check_refused("reframe_perflog", "", NULL, "f:1: the header of ReFrame 4 is wanted");
}

TEST(a_run_of_reframe_3_has_a_line_for_each_variable)
{
#define RUN_1 "|reframe 3.9.2|t_4 on box:cpu using gnu|jobid=7|num_tasks=4|"
#define RUN_2 "|reframe 3.9.2|t_4 on box:cpu using gnu|jobid=8|num_tasks=4|"
#define REF "|ref=0 (l=null, u=null)|"
	check_table("reframe_perflog",
		    "now" RUN_1 "a=1.5" REF "s\n"
		    "later" RUN_1 "b=2" REF "MB/s\n\n"
		    "then" RUN_2 "a=3" REF "s\n"
		    "then" RUN_2 "b=None" REF "MB/s\n",
		    NULL,
		    "job_completion_time,jobid,num_tasks,system,partition,environ,name,a_s,b?|"
		    "now,7,4,box,cpu,gnu,t_4,1.5,2|then,8,4,box,cpu,gnu,t_4,3,");
	/* a variable that is there already is another run's; without unit, as before 3.1 */
	check_table("reframe_perflog",
		    "d|reframe 2.20-dev2|t on a:b using c|jobid=None|a=1|ref=0 (l=-0.1, u=0.1)\n"
		    "d|reframe 2.20-dev2|t on a:b using c|jobid=None|a=2|ref=0 (l=-0.1, u=0.1)\n",
		    NULL,
		    "job_completion_time,jobid,system,partition,environ,name,a?|"
		    "d,,a,b,c,t,1|d,,a,b,c,t,2");
	/* parameters in the name, and a test that says of itself what it likes */
	check_table("reframe_perflog",
		    "d|reframe 3.12|t on %n=4 %kind=a b on a:b using c|jobid=1|a=1" REF "\n"
		    "d|reframe 3.12|my words|jobid=1|a=1" REF "\n",
		    NULL,
		    "job_completion_time,jobid,system,partition,environ,n,kind,name,a?,info|"
		    "d,1,a,b,c,4,a b,t on,1,|d,1,,,,,,,1,my words");
	/* a line that is none ends its run and is refused */
	check_table("reframe_perflog", "now" RUN_1 "a=1" REF "s\nnow" RUN_1 "cut of\n", NULL,
		    "job_completion_time,jobid,num_tasks,system,partition,environ,name,a_s|"
		    "now,7,4,box,cpu,gnu,t_4,1|!2");
}

TEST(each_knows_its_own)
{
	assert_string_equal(recognised("{\"results\": [{\"command\": \"a\", \"mean\": 1}]}"),
			    "hyperfine");
	assert_string_equal(recognised("{\"results\": [{\"command\": \"a\"}]}"), "csv");
	assert_string_equal(
		recognised("{\"benchmarks\": [{\"real_time\": 1, \"time_unit\": \"ns\"}]}"),
		"google_benchmark");
	assert_string_equal(
		recognised("{\"results\": [{\"configuration\": {}, \"invalidity\": \"correct\"}]}"),
		"t4");
	assert_string_equal(recognised("{\"tuning_problem_name\": \"x\", \"func_eval\": []}"),
			    "gptune");
	assert_string_equal(recognised("{\"experiments\": [{\"RAMBLE_STATUS\": \"SUCCESS\"}]}"),
			    "ramble");
	assert_string_equal(recognised("{\"experiments\": []}"), "csv");
	assert_string_equal(recognised("{\"session_info\": {\"data_version\": \"4.0\"}}"),
			    "reframe");
	assert_string_equal(recognised("result|job_completion_time|a_value|a_unit\n"),
			    "reframe_perflog");
	assert_string_equal(recognised("2020-06-24T00:27:06|reframe 3.1-dev0 (rev: 9d92d0ec)|t\n"),
			    "reframe_perflog");
	assert_string_equal(recognised("result|time|a_value|a_unit\n"), "csv");
	assert_string_equal(recognised("a|b\nc|reframe 3\n"), "csv");
	assert_string_equal(recognised("my_result|job_completion_time|a_value|a_unit\n"), "csv");
}

/* ---- logs ---- */

static struct foreign_choice patterns(const char *text)
{
	return (struct foreign_choice){.patterns = text, .patterns_name = "p"};
}

TEST(a_log_is_a_run_or_several)
{
	const struct foreign_choice one =
		patterns("# all of it\n\nn = ^n=[0-9]+$\nt_s= took ([0-9.]+)s\r\n");
	const struct foreign_choice many = patterns("begin = ^start\nn = n: ([0-9]+)");
	const struct foreign_choice either = patterns("t = A ([0-9]+)\nt = B ([0-9]+)");

	check_table("log", "x\nn=5\ntook 1.5s\nn=5\n", &one, "n?,t_s?|n=5,1.5");
	check_table("log", "n: 0\nstart n: 1\nstart\nstart\nn: 3\n", &many, "n?|1||3");
	check_table("log", "B 7\n", &either, "t?|7");
	check_table("log", "nothing of it\n", &one, "");
	check_refused("log", "n=5\nn=6\n", &one, "f:2: a second n, 'n=6': line 1 has 'n=5'.");
}

TEST(patterns_that_are_none_are_named)
{
	const struct foreign_choice no_name = patterns("n = x\n = y"), no_text = patterns("n ="),
				    no_pattern = patterns("# none"),
				    no_regex = patterns("\nn = [a"),
				    two = patterns("begin = a\nbegin = b");
	struct foreign_table *t = NULL;

	check_refused("log", "", &no_name, "p:2: NAME = EXPRESSION is wanted");
	check_refused("log", "", &no_text, "p:1: NAME = EXPRESSION is wanted");
	check_refused("log", "", &no_pattern, "p:1: no pattern: NAME = EXPRESSION is wanted");
	check_refused("log", "", &no_regex, "p:2: ");
	check_refused("log", "", &two, "p:2: a second pattern begin");
	must_fail(read_chosen("log", "", NULL, &t, &err), ERR_ARG, "--patterns FILE");
}

TEST(a_log_is_recognised_and_asks_for_patterns)
{
	struct foreign_table *t = NULL;

	assert_string_equal(recognised(":::MLLOG {\"key\": \"run_start\", \"value\": 1}\n"), "log");
	assert_string_equal(recognised("run starts\n\nbatch: 3\r\nTotal time = 2 s\n"), "log");
	assert_string_equal(recognised("batch: 3\n"), "csv");		 /* two lines at least, */
	assert_string_equal(recognised("a: 3\nb: 4\nc\nd\ne\n"), "csv"); /* and half of all */
	assert_string_equal(recognised("time: s, n\na: 3, 1\na: 4, 2\n"), "csv");
	assert_string_equal(recognised("time: s\tn\na: 3\t1\na: 4\t2\n"), "csv");
	assert_string_equal(recognised("n time\n1 2\n3 4\n"), "csv");
	must_fail(read_chosen("log", "x\nTotal time = 2 s\n", NULL, &t, &err), ERR_ARG,
		  "--patterns FILE, with lines NAME = EXPRESSION; for its line 2: Total = ^Total "
		  "time = *(.*)");
}
