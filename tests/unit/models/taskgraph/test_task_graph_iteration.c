#include "tests/support/sp2.h"

#include "models/pipeline.h"
#include "models/taskgraph/task_graph_analysis.h"

static const struct sweep cube = {
	.it_g = 50, .jt_g = 50, .kt = 50, .npe_i = 4, .npe_j = 3, .mk = 10, .mmi = 3, .mm = 6};
static const double Wg_s = 0.35e-6;

static double time_with(const struct sweep *s, enum task_network network)
{
	struct message_cost cost = cost_of(&sp2_fortran);
	struct sweep_time t;

	must(task_graph_iteration(s, &cost, network, Wg_s, &t, &err));
	check_rel(breakdown_total_s(&t.parts), t.time_s, 1e-12);
	assert_true(t.parts.compute_s >= 0 && t.parts.fill_s >= 0 && t.parts.comm_s >= 0 &&
		    t.parts.sync_s >= 0);
	return t.time_s;
}

TEST(unshared_it_is_the_exact_recurrence)
{
	struct message_cost cost = cost_of(&sp2_fortran);
	struct sweep_time exact;

	must(pipeline_iteration(&cube, &cost, Wg_s, &exact, &err));
	assert_true(time_with(&cube, NETWORK_UNSHARED) == exact.time_s);
}

TEST(sharing_costs_time_and_a_bus_costs_more_than_ports)
{
	double unshared_s = time_with(&cube, NETWORK_UNSHARED);
	double ports_s = time_with(&cube, NETWORK_PORTS);
	double bus_s = time_with(&cube, NETWORK_BUS);

	assert_true(ports_s >= unshared_s);
	assert_true(bus_s > ports_s);
	/* no more than one message after the other on the bus could ever cost: 8 sweeps of 10
	 * blocks; in each 9 messages east or west of 8 jt mk mmi = 4080 bytes, 8 north or south of
	 * 8 it mk mmi = 3120 bytes, at 0.03 us */
	assert_true(bus_s - unshared_s <= 8 * 10 * (9 * 4080 + 8 * 3120) * 0.03e-6);
}

TEST(one_processor_shares_with_nobody)
{
	struct sweep alone = cube;

	alone.npe_i = alone.npe_j = 1;
	/* 8 octants of 50^3 cells and 6 angles at 0.35 us */
	check_rel(time_with(&alone, NETWORK_BUS), 8 * 125000.0 * 6 * 0.35e-6, 1e-12);
}

TEST(a_network_without_time_per_byte_cannot_be_shared)
{
	struct loggp free_bytes = sp2_fortran;
	struct message_cost cost;
	struct sweep_time t;

	free_bytes.G_large_s_per_byte = 0;
	cost = cost_of(&free_bytes);
	must_fail(task_graph_iteration(&cube, &cost, NETWORK_PORTS, Wg_s, &t, &err), ERR_ARG,
		  "no bandwidth to share");
	must(task_graph_iteration(&cube, &cost, NETWORK_UNSHARED, Wg_s, &t, &err));
}
