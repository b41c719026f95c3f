#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "domain/task_private.h"

/* Cycles: beyond this a miss would take longer than a disk. */
static const double cycles_max = 1e9;

/* "32 KiB" or a number of bytes. */
static uint64_t read_size(struct conf *c, const config_setting_t *g, const char *key)
{
	const config_setting_t *s = conf_at(g, key);
	double bytes = 0;
	struct err inner = {0};
	char *text;

	if (c->rc != ERR_OK)
		return 0;
	if (s != g && config_setting_type(s) != CONFIG_TYPE_STRING)
		return (uint64_t)task_count(c, g, key, 0, 0, INT64_C(1) << 50);
	text = conf_required_text(c, g, key);
	if (text && size_parse(text, &bytes, &inner) != ERR_OK)
		conf_fail(c, s, "'%s': %s", key, inner.msg);
	free(text);
	if (bytes > 0x1p50)
		conf_fail(c, s, "'%s' wants at most 2^50 bytes", key);
	return c->rc == ERR_OK ? (uint64_t)bytes : 0;
}

static int64_t required_count(struct conf *c, const config_setting_t *g, const char *key)
{
	conf_required_number(c, g, key);
	return task_count(c, g, key, 0, 0, INT64_C(1) << 40);
}

/* One level, with its name for messages. */
static void read_cache(struct conf *c, const config_setting_t *memory, const char *name,
		       struct cache_shape *out, double *miss_cycles)
{
	static const char *const known[] = {"size", "associativity", "line", "miss_cycles", NULL};
	const config_setting_t *g = conf_group(c, memory, name);
	struct err inner = {0};

	if (!g) {
		if (c->rc == ERR_OK)
			conf_fail(c, memory, "'%s' is missing", name);
		return;
	}
	conf_check_keys(c, g, known);
	out->size_bytes = read_size(c, g, "size");
	out->associativity = (uint64_t)required_count(c, g, "associativity");
	out->line_bytes = read_size(c, g, "line");
	*miss_cycles = task_number(c, g, "miss_cycles", 0, cycles_max);
	if (c->rc == ERR_OK && cache_shape_check(out, name, &inner) != ERR_OK)
		conf_fail(c, g, "%s", inner.msg);
}

static void read_tlb(struct conf *c, const config_setting_t *g, struct tlb_shape *out,
		     double *miss_cycles)
{
	static const char *const known[] = {"entries", "associativity", "page", "miss_cycles",
					    NULL};

	if (!g)
		return;
	conf_check_keys(c, g, known);
	out->entries = (uint64_t)task_count(c, g, "entries", 0, 1, INT64_C(1) << 40);
	out->associativity = (uint64_t)required_count(c, g, "associativity");
	out->page_bytes = read_size(c, g, "page");
	*miss_cycles = task_number(c, g, "miss_cycles", 0, cycles_max);
}

static void read_memory(struct conf *c, const config_setting_t *g, struct memory_shape *m,
			struct task_processor *p)
{
	static const char *const known[] = {"I1", "D1", "L2", "L3", "LL", "tlb", "inclusive", NULL};
	static const char *const shared[] = {"L2", "L3", "LL"};
	struct err inner = {0};

	conf_check_keys(c, g, known);
	read_cache(c, g, "I1", &m->I1, &p->I1_miss_cycles);
	read_cache(c, g, "D1", &m->D1, &p->D1_miss_cycles);
	for (size_t i = 0; i < MEMORY_MAX_SHARED; i++) {
		if (strcmp(shared[i], "LL") != 0 && !conf_group(c, g, shared[i]))
			continue;
		read_cache(c, g, shared[i], &m->shared[m->n_shared],
			   &p->shared_miss_cycles[m->n_shared]);
		m->n_shared++;
	}
	read_tlb(c, conf_group(c, g, "tlb"), &m->tlb, &p->tlb_miss_cycles);
	m->inclusive = conf_bool(c, g, "inclusive", false);
	if (c->rc == ERR_OK && conf_group(c, g, "L3") && !conf_group(c, g, "L2"))
		conf_fail(c, conf_at(g, "L3"), "a level L3 without L2; call it L2");
	if (c->rc == ERR_OK && memory_shape_check(m, &inner) != ERR_OK)
		conf_fail(c, g, "%s", inner.msg);
}

/* Instructions per cycle without misses. */
static double read_parallelism(struct conf *c, const config_setting_t *g)
{
	double width, chain;

	if (!g || !config_setting_get_member(g, "issue_width")) {
		if (g && config_setting_get_member(g, "dependent_cycles"))
			conf_fail(c, conf_at(g, "dependent_cycles"),
				  "dependent_cycles belongs beside issue_width");
		return task_number(c, g, "instructions_per_cycle", 1e-3, 1e3);
	}
	if (config_setting_get_member(g, "instructions_per_cycle"))
		conf_fail(c, conf_at(g, "issue_width"),
			  "give instructions_per_cycle, or issue_width and dependent_cycles");
	width = task_number(c, g, "issue_width", 1e-3, 1e3);
	chain = task_number(c, g, "dependent_cycles", 0, 1e3);
	return chain * width > 1 ? 1 / chain : width;
}

void task_hardware_read(struct conf *c, const config_setting_t *top, struct task_processor *p,
			struct memory_shape *m)
{
	static const char *const known[] = {"clock_ghz", "instructions_per_cycle", "issue_width",
					    "dependent_cycles", NULL};
	const config_setting_t *g = conf_group(c, top, "processor");

	conf_check_keys(c, g, known);
	p->clock_hz = task_number(c, g, "clock_ghz", 1e-3, 1e3) * 1e9;
	p->instructions_per_cycle = read_parallelism(c, g);
	read_memory(c, conf_group(c, top, "memory"), m, p);
}
