#ifndef QR_BASE_H
#define QR_BASE_H
/* A real base in a folder of its own: application qr on machine m, and what others a test adds. */
#include "tests/unit/kb/kb_fixture.h"
#include "tests/unit/mining/qr_runs.h"

#include "mining/mine.h"

static struct mine_target target; /* of the base that open_world() opened */
static struct application *app;
static struct machine *machine;
static const char *on_machine = "m"; /* that open_world() takes as the target */

static inline struct kb *open_world(void)
{
	struct kb *kb = open_base(KB_WRITE);

	must(kb_get_application(kb, "qr", &app, &target.app_id, &err));
	must(kb_get_machine(kb, on_machine, &machine, &target.machine_id, &err));
	target.app = app;
	target.machine = machine;
	return kb;
}

static inline void close_world(struct kb *kb)
{
	application_free(app);
	machine_free(machine);
	app = NULL;
	machine = NULL;
	kb_close(kb);
}

/* n runs of the design, as one import; its id. */
static inline int64_t import_runs(int n)
{
	struct kb_import imp = {.file_name = (char *)(uintptr_t) "qr.csv",
				.mapping = (char *)(uintptr_t) "as is",
				.application = (char *)(uintptr_t) "qr"};
	struct application *a =
		qr_application(); /* has the levels of the layout; the base none yet */
	struct dataset *d = qr_runs(a, qr_power_law, 0.05);
	struct kb *kb = open_world();
	struct kb_run_writer *w = NULL;

	snprintf(imp.sha256, sizeof imp.sha256, "%032d%032d", (int)target.machine_id, n);
	must(kb_begin(kb, &err));
	must(kb_run_writer_open(kb, a, target.app_id, &imp, &w, &err));
	for (int i = 0; i < n; i++)
		must(kb_run_writer_add(w,
				       &(struct kb_run){.row = dataset_row(d, (size_t)i),
							.wall_s = d->wall_s[i],
							.machine_id = target.machine_id,
							.n_repeats = 1,
							.line = i + 2},
				       &err));
	must(kb_run_writer_finish(w, &imp, NULL, &err));
	kb_run_writer_free(w);
	must(kb_commit(kb, &err));
	assert_int_equal(imp.n_taken, n);
	dataset_free(d);
	application_free(a);
	close_world(kb);
	return imp.id;
}

static inline void add_machine(struct kb *kb, const char *name)
{
	struct strbuf text = STRBUF_INIT;
	struct machine *m = NULL;

	must(machine_unknown_text(name, &text, &err));
	must(machine_parse(strbuf_text(&text), "test", &m, &err));
	must(kb_put_machine(kb, m, NULL, &err));
	strbuf_release(&text);
	machine_free(m);
}

static inline int set_up(void **state)
{
	struct application *a = qr_application();
	struct kb *kb;

	if (make_base_folder(state))
		return -1;
	kb = open_base(KB_CREATE);
	must(kb_put_application(kb, a, NULL, &err));
	add_machine(kb, "m");
	application_free(a);
	kb_close(kb);
	return 0;
}

#endif
