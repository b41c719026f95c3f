#include "models/instruction_pipeline.h"

#include "tests/support/check.h"

/* Kinds: add (1 cycle), fma (4), load (100), divide (20, and its unit is taken as long), move (0).
 */
enum { ADD, FMA, LOAD, DIVIDE, MOVE, KINDS };
static struct instruction_unit units[] = {{NULL, 2}, {NULL, 2}, {NULL, 4}, {NULL, 1}};
static struct instruction_kind kinds[] = {
	{NULL, 0, 1, 1}, {NULL, 1, 4, 1}, {NULL, 2, 100, 1}, {NULL, 3, 20, 20}, {NULL, 0, 0, 1},
};

static struct instruction_loop loop_of(struct instruction *body, size_t n)
{
	return (struct instruction_loop){
		.issue_width = 4,
		.window = 128,
		.unit = units,
		.kind = kinds,
		.body = body,
		.n_units = 4,
		.n_kinds = KINDS,
		.n = n,
	};
}

static double cycles_of(const struct instruction_loop *l)
{
	double cycles = -1;

	must(instruction_loop_cycles(l, &cycles, &err));
	return cycles;
}

/* Two adds a cycle, whatever the width; eight instructions of all units four a cycle. */
TEST(independent_instructions_are_bounded_by_units_and_width)
{
	struct instruction adds[] = {{.kind = ADD}, {.kind = ADD}, {.kind = ADD}, {.kind = ADD}};
	struct instruction mixed[8] = {{.kind = ADD}, {.kind = ADD}, {.kind = FMA}, {.kind = FMA},
				       {.kind = ADD}, {.kind = ADD}, {.kind = FMA}, {.kind = FMA}};
	struct instruction_loop l = loop_of(adds, 4);

	check_rel(cycles_of(&l), 2.0, 0.01);
	l = loop_of(mixed, 8);
	check_rel(cycles_of(&l), 2.0, 0.01);
	l.issue_width = 2;
	check_rel(cycles_of(&l), 4.0, 0.01);
	l.issue_width = 1;
	check_rel(cycles_of(&l), 8.0, 0.01);
}

/* s = s * x + y waits four cycles for itself; two such sums side by side as long. A sum of a sum of
 * the iteration before: eight. */
TEST(chains_across_iterations_set_the_pace)
{
	struct instruction one[] = {{.kind = FMA, .n_sources = 1, .source = {0}}};
	struct instruction two[] = {{.kind = FMA, .n_sources = 1, .source = {0}},
				    {.kind = FMA, .n_sources = 1, .source = {1}}};
	struct instruction chain[] = {{.kind = FMA, .n_sources = 1, .source = {1}},
				      {.kind = FMA, .n_sources = 1, .source = {0}}};
	struct instruction_loop l = loop_of(one, 1);

	check_rel(cycles_of(&l), 4.0, 0.01);
	l = loop_of(two, 2);
	check_rel(cycles_of(&l), 4.0, 0.01);
	l = loop_of(chain, 2);
	check_rel(cycles_of(&l), 8.0, 0.01);
}

TEST(unit_that_is_taken_lets_nobody_in)
{
	struct instruction divides[] = {{.kind = DIVIDE}, {.kind = ADD}};
	struct instruction_loop l = loop_of(divides, 2);

	check_rel(cycles_of(&l), 20.0, 0.01);
}

/* Loads of 100 cycles: a window of ten holds ten of them. A wide one: four a cycle, by their unit.
 */
TEST(window_bounds_what_is_under_way)
{
	struct instruction load[] = {{.kind = LOAD}};
	struct instruction_loop l = loop_of(load, 1);

	l.window = 10;
	check_rel(cycles_of(&l), 10.0, 0.01);
	l.window = 1;
	check_rel(cycles_of(&l), 100.0, 0.01);
	l.window = 4096;
	check_rel(cycles_of(&l), 0.25, 0.01);
}

/* A load, an add that needs it, an add of nothing. In order each iteration's first add waits for
 * its load, and the next load for the add: 100 cycles, as the add that needs the load starts with
 * the next load. Out of order the window holds 128 / 3 iterations, 100 cycles each. */
TEST(order_of_the_program_costs_what_could_overlap)
{
	struct instruction body[] = {
		{.kind = LOAD}, {.kind = ADD, .n_sources = 1, .source = {0}}, {.kind = ADD}};
	struct instruction_loop l = loop_of(body, 3);
	double out_of_order = cycles_of(&l);

	check_rel(out_of_order, 101.0 * 3 / 128, 0.05);
	l.in_order = true;
	check_rel(cycles_of(&l), 100.0, 0.02);
}

/* Results that are there at once: the chain is the add's. */
TEST(moves_take_no_time)
{
	struct instruction body[] = {{.kind = MOVE, .n_sources = 1, .source = {1}},
				     {.kind = ADD, .n_sources = 1, .source = {0}}};
	struct instruction_loop l = loop_of(body, 2);

	check_rel(cycles_of(&l), 1.0, 0.01);
}

/* ---- against bounds, and every cycle followed ---- */

static unsigned next_random(unsigned *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

static void random_body(struct instruction *body, size_t n, unsigned *seed)
{
	for (size_t i = 0; i < n; i++) {
		body[i] = (struct instruction){.kind = next_random(seed) % KINDS,
					       .n_sources = next_random(seed) % 3};
		for (size_t s = 0; s < body[i].n_sources; s++)
			body[i].source[s] = next_random(seed) % n;
	}
}

enum { FOLLOWED = 300, MOST = 12 };

/* Each cycle as the header describes it, nothing skipped and nothing kept up: [k] of all
 * instructions when they started. */
static double followed_cycles(const struct instruction_loop *l)
{
	static int64_t started[FOLLOWED * MOST];
	const size_t n = l->n, all = FOLLOWED * n;
	size_t left = 0, entered = 0, released = 0; /* those before it are on their units no more */
	int64_t at_half = 0;

	memset(started, -1, sizeof started);
	for (int64_t now = 0;; now++) {
		size_t room;

		for (int64_t w = 0; w < l->issue_width && left < entered && started[left] >= 0 &&
				    started[left] + kinds[l->body[left % n].kind].latency <= now;
		     w++)
			left++;
		if (!at_half && left >= all / 2)
			at_half = now;
		if (left == all)
			return 2 * (double)(now - at_half) / FOLLOWED;
		room = left + (size_t)l->window;
		for (int64_t w = 0; w < l->issue_width && entered < all && entered < room; w++)
			entered++;
		while (released < entered && started[released] >= 0 &&
		       started[released] + kinds[l->body[released % n].kind].occupies <= now)
			released++;
		for (size_t k = left; k < entered; k++) {
			const struct instruction *in = &l->body[k % n];
			int64_t taken = 0;
			bool ready = started[k] < 0;

			if (!ready)
				continue;
			for (size_t s = 0; s < in->n_sources; s++) {
				const size_t back = in->source[s] < k % n
							    ? k % n - in->source[s]
							    : k % n + n - in->source[s];

				if (back > k)
					continue;
				ready &= started[k - back] >= 0 &&
					 started[k - back] + kinds[l->body[in->source[s]].kind]
								     .latency <=
						 now;
			}
			for (size_t j = released; j < entered; j++) {
				const struct instruction_kind *kind = &kinds[l->body[j % n].kind];

				taken += started[j] >= 0 && kind->unit == kinds[in->kind].unit &&
					 started[j] + kind->occupies > now;
			}
			if (ready && taken < units[kinds[in->kind].unit].per_cycle)
				started[k] = now;
			else if (l->in_order)
				break;
		}
	}
}

TEST(every_cycle_followed_gives_the_same)
{
	unsigned seed = 7;

	for (int loop = 0; loop < 9; loop++) {
		struct instruction body[MOST];
		const size_t n = 1 + next_random(&seed) % MOST;
		struct instruction_loop l = loop_of(body, n);

		random_body(body, n, &seed);
		l.issue_width = 1 + next_random(&seed) % 4;
		l.window = 1 + next_random(&seed) % 40;
		l.in_order = loop % 3 == 0;
		check_rel(cycles_of(&l), followed_cycles(&l), 0.02);
	}
}

TEST(bounds_of_width_and_units_hold)
{
	unsigned seed = 11;

	for (int loop = 0; loop < 50; loop++) {
		struct instruction body[MOST];
		const size_t n = 1 + next_random(&seed) % MOST;
		struct instruction_loop l = loop_of(body, n);
		double places[4] = {0}, cycles;

		random_body(body, n, &seed);
		l.issue_width = 1 + next_random(&seed) % 6;
		cycles = cycles_of(&l);
		for (size_t i = 0; i < n; i++)
			places[kinds[body[i].kind].unit] += (double)kinds[body[i].kind].occupies;
		for (int u = 0; u < 4; u++)
			assert_true(cycles >= 0.98 * places[u] / (double)units[u].per_cycle);
		assert_true(cycles >= 0.98 * (double)n / (double)l.issue_width);
		l.in_order = true;
		assert_true(cycles_of(&l) >= 0.98 * cycles);
	}
}
