#include "tests/fuzz/small_base.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "ingest/ingest.h"
#include "mining/mine.h"
#include "tests/fuzz/fuzz.h"

const char small_base_advice[9] = "5f1c0000";

static void put_machine(struct kb *kb)
{
	static const char text[] = "machine = { name = \"box\"; nodes = 4; cores_per_node = 8; };";
	struct machine *m = NULL;
	struct err e = {0};

	fuzz_require(!machine_parse(text, "box.conf", &m, &e), &e);
	fuzz_require(!kb_put_machine(kb, m, NULL, &e), &e);
	machine_free(m);
}

/* Cubes on 1 to 8 processors, in all blockings of three each; times by a rough formula. */
static void put_runs(struct kb *kb)
{
	static const int cube[] = {10, 20, 40}, mk[] = {1, 5, 10}, mmi[] = {1, 3, 6};
	struct strbuf csv = STRBUF_INIT;
	struct ingest_options o = {
		.path = "runs.csv", .app = "sweep3d", .machine = "box", .source = -1};
	struct ingest_result result = {0};
	struct err e = {0};

	strbuf_puts(&csv, "it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,iterations,runtime_s\n");
	for (int i = 0; i < 3 * 3 * 3 * 4; i++) {
		int n = cube[i % 3], k = mk[i / 3 % 3], m = mmi[i / 9 % 3], p = 1 << i / 27;

		strbuf_printf(&csv, "%d,%d,%d,%d,1,1,%d,%d,1,%g\n", n, n, n, p, k, m,
			      1e-5 * n * n * n / p + 1e-4 * n / k * 6 / m + 1e-5 * k * m);
	}
	o.text = strbuf_text(&csv);
	fuzz_require(!ingest_file(kb, &o, &result, &e), &e);
	ingest_result_release(&result);
	strbuf_release(&csv);
}

static void put_pingpong(struct kb *kb, int64_t machine_id)
{
	double bytes[] = {8, 64, 512, 4096, 32768},
	       roundtrip_s[] = {4e-6, 4.1e-6, 5e-6, 9e-6, 4e-5};
	const struct kb_pingpong rows = {bytes, roundtrip_s, 5, false};
	struct kb_import imp = {.file_name = (char *)(uintptr_t) "pp.csv",
				.mapping = (char *)(uintptr_t) "ping-pong",
				.machine = (char *)(uintptr_t) "box",
				.n_taken = 5};
	struct err e = {0};

	memset(imp.sha256, 'a', sizeof imp.sha256 - 1);
	fuzz_require(!kb_add_pingpong(kb, machine_id, &imp, &rows, &e), &e);
}

static void mine_it(struct kb *kb)
{
	struct mine_target on = {0};
	struct application *a = NULL;
	struct machine *m = NULL;
	struct mine_outcome made = {0};
	struct err e = {0};

	fuzz_require(!kb_get_application(kb, "sweep3d", &a, &on.app_id, &e), &e);
	fuzz_require(!kb_get_machine(kb, "box", &m, &on.machine_id, &e), &e);
	put_pingpong(kb, on.machine_id);
	on.app = a;
	on.machine = m;
	fuzz_require(!mine(kb, &on, NULL, &made, &e), &e);
	mine_outcome_release(&made);
	application_free(a);
	machine_free(m);
}

static void put_judgement(struct kb *kb)
{
	const struct kb_advice advice = {
		.id = (char *)(uintptr_t)small_base_advice,
		.given_at = (char *)(uintptr_t) "2026-01-01T00:00:00Z",
		.request = (char *)(uintptr_t) "{}",
		.answer = (char *)(uintptr_t) "{\"request\": {\"app\": \"sweep3d\", \"machine\": "
					      "\"box\"}}",
		.snapshot = (char *)(uintptr_t) "ab",
	};
	const struct kb_decision decision = {
		.kind = DECISION_NOTE,
		.application = (char *)(uintptr_t) "sweep3d",
		.rule_id = (char *)(uintptr_t) "0123456789ab",
		.rule_text = (char *)(uintptr_t) "if mk = 1 then 2x slower",
		.rule_shape = (char *)(uintptr_t) "mk = ?",
		.why = (char *)(uintptr_t) "seen",
		.who = (char *)(uintptr_t) "tester",
	};
	struct err e = {0};

	fuzz_require(!kb_put_advice(kb, &advice, &e), &e);
	fuzz_require(!kb_add_decision(kb, &decision, &e), &e);
	fuzz_require(!kb_exclude_run(kb, 1, "tester", "disturbed", &e), &e);
	fuzz_require(!kb_set_default(kb, "machine", "box", &e), &e);
}

void small_base_make(const char *path)
{
	struct application *a = fuzz_application();
	struct kb *kb = NULL;
	struct err e = {0};

	fuzz_require(!kb_open(path, KB_CREATE, NULL, &kb, &e), &e);
	fuzz_require(!kb_put_application(kb, a, NULL, &e), &e);
	application_free(a);
	put_machine(kb);
	put_runs(kb);
	mine_it(kb);
	put_judgement(kb);
	kb_close(kb);
}
