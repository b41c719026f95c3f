/* LogGP (Alexandrov, Ionescu, Schauser and Scheiman, SPAA 1995) of the neighbourhood's
 * implementations: o is what posting takes, L + s G what a message takes besides. What decides is
 * how many messages wait for each other. Copies and datatypes are not told apart, nor is how an MPI
 * makes fences and epochs: whoever uses these numbers should not trust them to better than some ten
 * percent. */
#include "tune/tune_neighbourhood.h"

/* Linear in the size, from the two that were measured; not shorter than the small one's. */
static double at_size(const struct tune_network *n, const double s[2], double bytes)
{
	const double slope = (s[1] - s[0]) / (n->large_bytes - n->small_bytes);

	return s[0] + (slope > 0 && bytes > n->small_bytes ? slope * (bytes - n->small_bytes) : 0);
}

static double post_s(const struct tune_network *n, double bytes)
{
	return at_size(n, n->post_s, bytes);
}

static double message_s(const struct tune_network *n, double bytes)
{
	const double t = at_size(n, n->message_s, bytes), least = post_s(n, bytes);

	return t > least ? t : least;
}

/* L of LogGP. */
static double latency_s(const struct tune_network *n)
{
	return message_s(n, n->small_bytes) - post_s(n, n->small_bytes);
}

/* All messages under way together: they leave as fast as a processor posts them or a link takes
 * them, and the last arrives a latency later. */
static double together_s(const struct neighbourhood_shape *shape, const struct tune_network *n)
{
	double sum = 0;

	for (int m = 0; m < shape->n_messages; m++) {
		const double post = post_s(n, shape->bytes[m]);
		const double gap = message_s(n, shape->bytes[m]) - post - latency_s(n);

		if (shape->bytes[m] > 0)
			sum += post > gap ? post : gap;
	}
	return sum + latency_s(n);
}

/* One message after the other; `notes` more messages without data with each. */
static double in_turn_s(const struct neighbourhood_shape *shape, const struct tune_network *n,
			int notes)
{
	double sum = 0;

	for (int m = 0; m < shape->n_messages; m++) {
		if (shape->bytes[m] > 0)
			sum += message_s(n, shape->bytes[m]) + notes * message_s(n, n->small_bytes);
	}
	return sum;
}

/* By dissemination (Hensgen, Finkel and Manber 1988): log2 of the processes rounds, rounded up. */
static double barrier_s(const struct neighbourhood_shape *shape, const struct tune_network *n)
{
	int rounds = 0;

	for (int reached = 1; reached < shape->n_procs; reached *= 2)
		rounds++;
	return rounds * message_s(n, n->small_bytes);
}

static int active_messages(const struct neighbourhood_shape *shape)
{
	int n = 0;

	for (int m = 0; m < shape->n_messages; m++)
		n += shape->bytes[m] > 0;
	return n;
}

/* A get asks first, a latency more for each that waits for the one before. */
double neighbourhood_expected_s(const struct neighbourhood_shape *shape, const int *values,
				const struct tune_network *network)
{
	const int all = values[0] == AAO, primitive = values[2], active = active_messages(shape);
	const double asking_s = (all ? 1 : active) * latency_s(network);
	const double notes_s = active * post_s(network, network->small_bytes) + latency_s(network);
	double t = all ? together_s(shape, network) : in_turn_s(shape, network, 0);

	switch (primitive) {
	case SEND_RECV: /* every other process receives before it sends */
		return 2 * t;
	case FENCE_PUT:
	case FENCE_GET: /* one fence before all, and one after them or after each */
		t += (1 + (all ? 1 : shape->n_messages)) * barrier_s(shape, network);
		return primitive == FENCE_GET ? t + asking_s : t;
	case PS_PUT:
	case PS_GET: /* neighbours tell each other that they may begin, and that they are done */
		t = all ? t + 2 * notes_s : in_turn_s(shape, network, 2);
		return primitive == PS_GET ? t + asking_s : t;
	default:
		return t;
	}
}
