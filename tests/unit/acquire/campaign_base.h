#ifndef CAMPAIGN_BASE_H
#define CAMPAIGN_BASE_H
#include "acquire/campaign.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"
#include "tests/support/made_application.h"

CLOSABLE(kb)

/* Campaigns on a base of their own, with a command that says what it was asked. */

static char path[128];

static inline int make_base_folder(void **state)
{
	if (make_folder(state))
		return -1;
	snprintf(path, sizeof path, "%s/test.kb", folder);
	return 0;
}

static const char application_text[] =
	"application = { name = \"toy\"; title = \"a toy\"; problem = ( { name = \"n\"; min = 1; } );\n"
	" tunables = ( { name = \"p\"; min = 1; } ); resources = ( { name = \"nodes\"; min = 1; } );\n"
	" legality = ( { rule = \"p <= n\"; why = \"p must not exceed n\"; } );\n"
	" target = { name = \"t\"; unit = \"s\"; }; };\n";

/* n = 2, 3; p = 1, 2, 3: five are legal. */
static inline struct campaign_plan *plan_of(const char *more)
{
	struct campaign_plan *p = NULL;
	RELEASED(strbuf) text = STRBUF_INIT;

	strbuf_printf(
		&text,
		"campaign = { name = \"c\"; application = \"toy\"; machine = \"m\"; %s factors = (\n"
		" { column = \"n\"; levels = [ 2, 3 ]; }, { column = \"p\"; from = 1; to = 3; step = "
		"1; } );\n constants = \"nodes=2\"; command = [ \"echo\", \"t={n}.{p}\" ];\n result = { "
		"kind = \"regex\"; pattern = \"t=([0-9.]+)\"; };\n timeout = { fixed = \"1m\"; }; };",
		more);
	must(campaign_plan_parse(strbuf_text(&text), "plan", &p, &err));
	return p;
}

static inline struct kb *base(void)
{
	FREED(application) *a = NULL;
	struct kb *kb = NULL;

	must(kb_open(path, KB_CREATE, NULL, &kb, &err));
	must(application_parse(application_text, "toy", &a, &err));
	must(kb_put_application(kb, a, NULL, &err));
	return kb;
}

#define CAMPAIGN_TEST(f) TEST_WITH(f, make_base_folder, remove_folder)

/* The campaign c of this plan, with its first runs planned. */
static inline struct kb_campaign begin(struct kb *kb, const struct campaign_target *t)
{
	struct kb_campaign record = {0};
	struct campaign_choice c = {0};

	must(campaign_choose(kb, t, NULL, NULL, &c, &err));
	{
		struct kb_campaign made = {.name = t->plan->name,
					   .application = t->app->name,
					   .machine = t->machine->name,
					   .plan = t->plan->text,
					   .folder = folder,
					   .seed = 1,
					   .state = CAMPAIGN_STOPPED,
					   .uid = "0123456789abcdef"};

		memcpy(made.sha256, t->plan->sha256, sizeof made.sha256);
		must(kb_add_campaign(kb, &made, &err));
		must(kb_add_campaign_batch(kb, made.id, NAN, c.run, c.n, &err));
	}
	campaign_choice_release(&c);
	must(kb_find_campaign(kb, "c", &record, &err));
	return record;
}

#endif
