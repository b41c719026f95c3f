#include "mining/messages/overhead_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "mining/messages/message_points.h"
#include "mining/messages/message_segments.h"

static enum err_code check(const struct message_call *call, size_t n, struct err *e)
{
	for (size_t i = 0; i < n; i++) {
		const struct message_call *c = &call[i];

		if (!(c->bytes >= 0 && isfinite(c->bytes)))
			return err_set(e, ERR_ARG, "call %zu: %g bytes is no size of a message", i,
				       c->bytes);
		if (!(c->send_s >= 0 && isfinite(c->send_s) && c->receive_s >= 0 &&
		      isfinite(c->receive_s)))
			return err_set(e, ERR_ARG, "call %zu: %g s and %g s are not times >= 0", i,
				       c->send_s, c->receive_s);
	}
	return ERR_OK;
}

static int by_bytes(const void *a, const void *b)
{
	const struct message_call *p = a, *q = b;

	return (p->bytes > q->bytes) - (p->bytes < q->bytes);
}

/* ---- from where sends wait ---- */

/* By the majority of a size's repeats, and from the size from which all do: a larger one that does
 * not wait contradicts a smaller one that does. call[] is sorted. */
static enum err_code find_blocking(const struct message_call *call, size_t n, double *out,
				   struct err *e)
{
	struct message_point *size = calloc(n + 1, sizeof *size);
	size_t n_size = 0, first = 0;

	if (!size)
		return err_set(e, ERR_NOMEM, "%zu sizes of messages", n);
	for (size_t i = 0, end; i < n; i = end) {
		size_t n_blocks = 0;

		for (end = i; end < n && call[end].bytes == call[i].bytes; end++)
			n_blocks += call[end].blocks;
		size[n_size++].bytes = call[i].bytes;
		if (2 * n_blocks <= end - i)
			first = n_size;
	}
	*out = first == n_size ? 0
	       : first == 0    ? size[0].bytes
			       : message_ranges_from_bytes(size, first);
	free(size);
	return ERR_OK;
}

/* ---- the calls at 0 bytes ---- */

/* A clock tells no shorter times apart, and their logarithms are noise. */
static const double shortest_s = 1e-9;

/* The line through the medians of the sizes below to_bytes, at 0. Not known: fewer sizes than a
 * line needs, or too short for the clock. time_s(call) is of one call. */
static enum err_code at_zero(const struct message_call *call, size_t n, double to_bytes,
			     double (*time_s)(const struct message_call *),
			     struct overhead_estimate *out, struct err *e)
{
	double *bytes = calloc(2 * n + 1, sizeof *bytes), *twice_s = bytes ? bytes + n : NULL;
	struct message_point *p = NULL;
	struct err why = {0};
	struct message_moments m;
	struct message_line line;
	size_t n_used = 0, n_size = 0;
	enum err_code rc;

	if (!bytes)
		return err_set(e, ERR_NOMEM, "%zu calls", n);
	for (size_t i = 0; i < n && call[i].bytes < to_bytes; i++) {
		bytes[n_used] = call[i].bytes;
		/* half of which is taken below */
		twice_s[n_used++] = 2 * fmax(time_s(&call[i]), shortest_s / 10);
	}
	rc = message_points_collect(bytes, twice_s, n_used, &p, &n_size, &why);
	free(bytes);
	if (rc == ERR_NODATA)
		return ERR_OK;
	if (rc)
		return err_set(e, rc, "%s", why.msg);
	m = message_moments_of(p, n_size);
	line = message_line_fit(&m, true);
	if (line.intercept_s >= shortest_s)
		*out = (struct overhead_estimate){
			true, line.intercept_s,
			sqrt(line.misfit / (double)(n_size - 2) * message_line_variance_at(&m, 0))};
	free(p);
	return ERR_OK;
}

static double send_time(const struct message_call *c)
{
	return c->send_s;
}

static double receive_time(const struct message_call *c)
{
	return c->receive_s;
}

/* ---- L ---- */

static double squared(double x)
{
	return x * x;
}

static void find_latency(const struct cost_segment *first, struct overhead_fit *out)
{
	const struct overhead_estimate *send = &out->send, *receive = &out->receive;
	double L_s, error_s;

	if (!send->known || !receive->known) {
		snprintf(out->why_not, sizeof out->why_not,
			 "The %s of messages that do not wait for their receiver is too short for "
			 "the clock, or there are fewer than four sizes of them.",
			 send->known ? "receive call" : "send call");
		return;
	}
	out->o = (struct overhead_estimate){
		true, (send->value_s + receive->value_s) / 2,
		sqrt(squared(send->std_error_s) + squared(receive->std_error_s)) / 2};
	L_s = first->intercept_s - 2 * out->o.value_s;
	error_s = sqrt(squared(first->se_intercept_s) + squared(2 * out->o.std_error_s));
	if (L_s >= error_s && L_s > 0) {
		out->L = (struct overhead_estimate){true, L_s, error_s};
		return;
	}
	snprintf(out->why_not, sizeof out->why_not,
		 "L: the calls at both ends take %.3g us of the %.3g us that a small message takes "
		 "one way, which leaves %.2g +- %.2g us.",
		 2e6 * out->o.value_s, 1e6 * first->intercept_s, 1e6 * L_s, 1e6 * error_s);
}

enum err_code overhead_fit(const struct message_call *call, size_t n, const struct message_fit *fit,
			   struct overhead_fit *out, struct err *e)
{
	struct overhead_fit found = {.blocking_bytes = 0};
	struct message_call *sorted = NULL;
	double to_bytes = fit->n_segment > 1 ? fit->segment[1].from_bytes : INFINITY;
	enum err_code rc;

	if ((rc = check(call, n, e)))
		return rc;
	sorted = calloc(n + 1, sizeof *sorted);
	if (!sorted)
		return err_set(e, ERR_NOMEM, "%zu calls", n);
	for (size_t i = 0; i < n; i++)
		sorted[i] = call[i];
	qsort(sorted, n, sizeof *sorted, by_bytes);
	if ((rc = find_blocking(sorted, n, &found.blocking_bytes, e)))
		goto done;
	if (found.blocking_bytes > 0)
		to_bytes = fmin(to_bytes, found.blocking_bytes);
	if ((rc = at_zero(sorted, n, to_bytes, send_time, &found.send, e)) ||
	    (rc = at_zero(sorted, n, to_bytes, receive_time, &found.receive, e)))
		goto done;
	find_latency(&fit->segment[0], &found);
	*out = found;
done:
	free(sorted);
	return rc;
}
