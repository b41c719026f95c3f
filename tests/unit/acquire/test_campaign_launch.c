#include "acquire/campaign_private.h"

#include <time.h>

#include "acquire/work_folder.h"
#include "tests/support/failing_allocations.h"
#include "tests/unit/acquire/campaign_base.h"

/* A run's command, its folder, and how it is started, looked at and ended on this machine. Jobs of
 * Slurm are test_campaign_slurm.c's. */

static const char parallel_text[] =
	"application = { name = \"parallel\"; title = \"with processes\";\n"
	" problem = ( { name = \"n\"; min = 1; } ); tunables = ( { name = \"p\"; min = 1; } );\n"
	" resources = ( { name = \"nodes\"; min = 1; }, { name = \"procs\"; min = 1; } );\n"
	" target = { name = \"t\"; unit = \"s\"; };\n"
	" job = { command = \"x\"; input_files = ( { name = \"input\"; text = \"{n} on {procs}\\n\"; "
	"} ); };\n};\n";

struct desk {
	struct kb *kb;
	struct campaign_target t;
	struct kb_campaign record;
	struct kb_campaign_run run;
	double row[8];
	char attempt[128];
	struct campaign_launch l;
};

/* Run 7: n = 3, p = 2, on 4 processes of 2 nodes. */
static void open_desk(struct desk *d, const char *command, const char *more)
{
	static const char *const column[] = {"n", "p", "nodes", "procs"};
	static const double value[] = {3, 2, 2, 4};
	struct campaign_plan *plan = NULL;
	FREED(application) *a = NULL;
	RELEASED(strbuf) text = STRBUF_INIT;

	*d = (struct desk){.kb = base(),
			   .record = {.name = (char[]){"c"}, .folder = folder},
			   .run = {.position = 7, .attempt = 1, .limit_s = NAN}};
	must(application_parse(parallel_text, "parallel", &a, &err));
	must(kb_put_application(d->kb, a, NULL, &err));
	strbuf_printf(&text,
		      "campaign = { name = \"c\"; application = \"parallel\"; machine = \"m\"; "
		      "factors = ( { column = \"n\"; levels = [ 2, 3 ]; } );\n constants = "
		      "\"p=2,nodes=2,procs=4\"; command = [ %s ];\n timeout = { fixed = \"1m\"; }; "
		      "%s };",
		      command, more);
	must(campaign_plan_parse(strbuf_text(&text), "plan", &plan, &err));
	must(campaign_target_open(d->kb, plan, &d->t, &err));
	for (size_t i = 0; i < 4; i++)
		d->row[application_column(d->t.app, column[i])] = value[i];
	snprintf(d->attempt, sizeof d->attempt, "%s/0007.1", folder);
	d->l = (struct campaign_launch){.target = &d->t,
					.record = &d->record,
					.run = &d->run,
					.row = d->row,
					.folder = d->attempt,
					.kb = d->kb};
}

static void desk_release(struct desk *d)
{
	campaign_target_release(&d->t);
	kb_close(d->kb);
}

static void check_command(const char *command, const char *more, const char *want)
{
	RELEASED(strbuf) got = STRBUF_INIT;
	RELEASED(strbuf) whole = STRBUF_INIT;
	RELEASED(desk) d;

	open_desk(&d, command, more);
	must(campaign_launch_put(&d.l, &got, &err));
	for (; *want; want++) { /* @: the plan's folder */
		if (*want == '@')
			strbuf_puts(&whole, folder);
		else
			strbuf_putc(&whole, *want);
	}
	assert_string_equal(strbuf_text(&got), strbuf_text(&whole));
	assert_int_equal(remove(path), 0);
}

/* ---- the command ---- */

CAMPAIGN_TEST(a_program_beside_the_plan_goes_with_it_and_others_are_those_of_the_path)
{
	check_command("\"echo\", \"{n}\"", "", "echo 3");
	check_command("\"./solve\", \"-p{p}\"", "", "@/solve -p2");
	check_command("\"././bin/solve\"", "", "@/bin/solve");
	check_command("\"bin/solve\"", "", "@/bin/solve");
	check_command("\"/bin/echo\"", "", "/bin/echo");
}

CAMPAIGN_TEST(each_launcher_has_its_own_words_before_the_program)
{
	check_command("\"./x\"",
		      "launcher = { kind = \"mpirun\"; options = [ \"--bind-to\", \"core\" ]; };",
		      "mpirun --bind-to core -n 4 @/x");
	/* where it runs the plan's folder may be another: the name stays */
	check_command("\"./x\", \"{n}\"",
		      "launcher = { kind = \"command\"; with = [ \"ssh\", \"node{p}\" ]; };",
		      "ssh node2 ./x 3");
	check_command("\"./x\", \"{n}\"", "launcher = { kind = \"slurm\"; };", "@/x 3");
}

/* SimGrid wants the file itself. */
CAMPAIGN_TEST(a_simulated_program_is_looked_for_in_the_path)
{
	static const char smpi[] = "launcher = { kind = \"smpi\"; };";
	HEAP char *before = strdup(getenv("PATH"));
	char with[512];

	assert_int_equal(mkdir(in_folder("one"), 0700), 0);
	assert_int_equal(mkdir(in_folder("two"), 0700), 0);
	write_file(in_folder("two/prog"), "");
	snprintf(with, sizeof with, ":%s/one:%s/two", folder, folder);
	setenv("PATH", with, 1);
	check_command("\"prog\"", smpi, "@/two/prog");
	check_command("\"elsewhere\"", smpi, "elsewhere"); /* SimGrid says that it is not there */
	check_command("\"./prog\"", smpi, "@/prog");
	unsetenv("PATH");
	check_command("\"prog\"", smpi, "prog");
	setenv("PATH", before, 1);
}

/* A shell that takes the words gives them back. */
CAMPAIGN_TEST(quoted_words_are_what_a_shell_makes_of_them)
{
	static const char *const word[] = {"plain-1_.,:+=/@%", "",	    "it's",    "'",
					   "$HOME `id` $(id)", "a b\tc\nd", "\"\\",    "*?[x]~",
					   "#;&|<>!",	       "~",	    "\xc3\xa9"};
	RELEASED(word_list) words = {0};
	RELEASED(strbuf) line = STRBUF_INIT;
	RELEASED(strbuf) want = STRBUF_INIT;
	RELEASED(strbuf) got = STRBUF_INIT;
	FILE *f;

	for (size_t i = 0; i < sizeof word / sizeof word[0]; i++)
		must(word_list_add(&words, word[i], &err));
	strbuf_puts(&line, "printf '<%s>' ");
	campaign_put_words(&words, &line);
	f = popen(strbuf_text(&line), "r");
	assert_non_null(f);
	for (int c; (c = getc(f)) != EOF;)
		strbuf_putc(&got, (char)c);
	assert_int_equal(pclose(f), 0);
	for (size_t i = 0; i < words.n; i++)
		strbuf_printf(&want, "<%s>", word[i]);
	assert_string_equal(strbuf_text(&got), strbuf_text(&want));
	/* and those that need none have no quotes */
	assert_non_null(strstr(strbuf_text(&line), "plain-1_.,:+=/@% '' 'it'\\''s' "));
}

static enum err_code put_command(struct desk *d, struct strbuf *out, struct err *e)
{
	enum err_code rc;

	strbuf_release(out);
	rc = campaign_launch_put(&d->l, out, e);
	return !rc && out->failed ? err_set(e, ERR_NOMEM, "a line") : rc;
}

CAMPAIGN_TEST(without_memory_there_is_no_command)
{
	RELEASED(strbuf) got = STRBUF_INIT;
	RELEASED(desk) d;

	open_desk(&d, "\"./x\"", "launcher = { kind = \"mpirun\"; };");
	failing_each_allocation (put_command(&d, &got, &err), &err)
		;
	assert_non_null(strstr(strbuf_text(&got), "mpirun -n 4 "));
}

/* ---- on its way ---- */

static struct campaign_sight look(struct desk *d)
{
	struct campaign_sight sight = {0};
	struct err silence = {.code = ERR_IO};

	must(campaign_launch_look(&d->l, 1, &sight, &silence, &err));
	assert_int_equal(silence.code, ERR_OK); /* here there is nobody who could be silent */
	return sight;
}

static struct supervised_end end_of(struct desk *d)
{
	struct campaign_sight sight = look(d);

	while (sight.state == SUPERVISED_RUNS) {
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
		sight = look(d);
	}
	assert_int_equal(sight.state, SUPERVISED_ENDED);
	return sight.end;
}

static void check_printed(struct desk *d, const char *want)
{
	char name[192];
	HEAP char *text = NULL;

	snprintf(name, sizeof name, "%s/stdout", d->attempt);
	text = read_text(name);
	assert_string_equal(text, want);
}

CAMPAIGN_TEST(a_run_has_its_variables_and_its_input_where_it_runs)
{
	struct supervised_end end;
	char want[128];
	pid_t pid = 0;
	RELEASED(desk) d;

	open_desk(&d, "\"sh\", \"-c\", \"echo $LEMNOS_PLAN_FOLDER $WIDTH; cat input; exit 3\"",
		  "set = [ \"WIDTH={p}\" ];");
	assert_int_equal(mkdir(d.attempt, 0700), 0); /* it may be there already */
	must(campaign_launch_name(&d.l, 1, &err));
	assert_null(d.run.job);
	must(campaign_launch_start(&d.l, 1, &pid, &err));
	assert_true(pid > 0);
	end = end_of(&d);
	assert_int_equal(end.exit_status, 3);
	assert_false(end.timed_out);
	snprintf(want, sizeof want, "%s 2\n3 on 4\n", folder);
	check_printed(&d, want);
}

CAMPAIGN_TEST(a_run_is_stopped_at_its_limit)
{
	pid_t pid = 0;
	RELEASED(desk) d;

	open_desk(&d, "\"sleep\", \"10000\"", "");
	d.run.limit_s = 0.1;
	must(campaign_launch_start(&d.l, 1, &pid, &err));
	assert_true(end_of(&d).timed_out);
}

CAMPAIGN_TEST(a_run_that_is_ended_never_ended)
{
	pid_t pid = 0;
	RELEASED(desk) d;

	open_desk(&d, "\"sleep\", \"10000\"", "");
	must(campaign_launch_start(&d.l, 1, &pid, &err));
	assert_int_equal(look(&d).state, SUPERVISED_RUNS);
	must(campaign_launch_stop(&d.l, &err));
	assert_int_equal(look(&d).state, SUPERVISED_NEVER);
}

CAMPAIGN_TEST(what_cannot_be_started_says_why_and_leaves_no_child)
{
	pid_t pid = 77;
	RELEASED(desk) d;

	open_desk(&d, "\"echo\"", "");
	snprintf(d.attempt, sizeof d.attempt, "%s/none/0007.1", folder);
	must_fail(campaign_launch_start(&d.l, 1, &pid, &err), ERR_IO, "cannot make the folder");
	assert_non_null(strstr(err.msg, d.attempt));
	assert_int_equal(pid, 0);
}
