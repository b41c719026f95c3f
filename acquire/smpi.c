#include "acquire/smpi.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "acquire/launch.h"

/* struct payload_size in SMPI's requests: tag, sender, communicator. */
#define ENVELOPE_BYTES 16
/* SMPI chooses by "larger than", our ranges by "at least". */
#define LARGER_THAN(from_bytes) (ceil(from_bytes) - 1)

/* A range of message sizes in SMPI's terms. */
struct wire {
	double from_bytes;
	double latency_s, s_per_byte; /* of the wire, envelope included */
	double send_s, receive_s, receive_s_per_byte;
};

/* What of a cost is the wire's. A latency cannot be negative; *short_s: by how much it would have
 * been. */
static struct wire wire_of(const struct message_range *r, double *short_s)
{
	struct wire w = {.from_bytes = r->from_bytes,
			 .latency_s = r->total_s,
			 .s_per_byte = r->total_s_per_byte};

	if (!r->blocks) {
		w.send_s = r->send_s;
		w.receive_s = r->receive_s;
		w.receive_s_per_byte = r->receive_s_per_byte;
		w.latency_s -= r->send_s + r->receive_s;
		w.s_per_byte -= r->receive_s_per_byte;
	}
	w.latency_s -= ENVELOPE_BYTES * w.s_per_byte;
	if (w.latency_s < 0) {
		*short_s = fmax(*short_s, -w.latency_s);
		w.latency_s = 0;
	}
	return w;
}

/* ---- settings ---- */

static void put_setting(struct strbuf *out, const char *name, const char *value)
{
	strbuf_printf(out, "    <prop id=\"%s\" value=\"%s\"/>\n", name, value);
}

static void put_number_setting(struct strbuf *out, const char *name, double value, const char *unit)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_put_number(&text, value);
	strbuf_puts(&text, unit);
	put_setting(out, name, strbuf_text(&text));
	strbuf_release(&text);
}

/* "LARGER_THAN:value[:per_byte];..." for each range. envelope: the sizes count it. */
static void put_ranges(struct strbuf *out, const char *name, const struct wire *w, size_t n,
		       bool envelope, double (*value)(const struct wire *, const void *),
		       const void *arg, double (*per_byte)(const struct wire *))
{
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < n; i++) {
		double above = LARGER_THAN(w[i].from_bytes) + (envelope ? ENVELOPE_BYTES : 0);

		if (i > 0)
			strbuf_putc(&text, ';');
		strbuf_put_number(&text, i > 0 ? above : 0);
		strbuf_putc(&text, ':');
		strbuf_put_number(&text, value(&w[i], arg));
		if (per_byte) {
			strbuf_putc(&text, ':');
			strbuf_put_number(&text, per_byte(&w[i]));
		}
	}
	put_setting(out, name, strbuf_text(&text));
	strbuf_release(&text);
}

/* The link that the factors of the ranges multiply. */
struct link {
	double latency_s, s_per_byte;
};

static double latency_factor(const struct wire *w, const void *link)
{
	return w->latency_s / ((const struct link *)link)->latency_s;
}

static double bandwidth_factor(const struct wire *w, const void *link)
{
	return ((const struct link *)link)->s_per_byte / w->s_per_byte;
}

static double send_time(const struct wire *w, const void *unused)
{
	(void)unused;
	return w->send_s;
}

static double no_time(const struct wire *w)
{
	(void)w;
	return 0;
}

static double receive_time(const struct wire *w, const void *unused)
{
	(void)unused;
	return w->receive_s;
}

static double receive_time_per_byte(const struct wire *w)
{
	return w->receive_s_per_byte;
}

/* Where sends begin to block. */
static double blocking_from(const struct message_cost *c)
{
	for (size_t i = 0; i < c->n_range; i++) {
		if (c->range[i].blocks)
			return ceil(c->range[i].from_bytes);
	}
	return 1e9; /* beyond what one message holds */
}

static void put_settings(const struct smpi_machine *m, const struct wire *w,
			 const struct link *link, struct strbuf *out)
{
	size_t n = m->remote->n_range;
	double blocking_bytes = blocking_from(m->remote);

	strbuf_puts(out, "  <config>\n");
	put_number_setting(out, "smpi/async-small-thresh", blocking_bytes, "");
	put_number_setting(out, "smpi/send-is-detached-thresh", blocking_bytes, "");
	put_ranges(out, "smpi/os", w, n, false, send_time, NULL, no_time);
	put_ranges(out, "smpi/or", w, n, false, receive_time, NULL, receive_time_per_byte);
	put_ranges(out, "smpi/ois", w, n, false, send_time, NULL, no_time);
	put_ranges(out, "smpi/lat-factor", w, n, true, latency_factor, link, NULL);
	put_ranges(out, "smpi/bw-factor", w, n, true, bandwidth_factor, link, NULL);
	put_setting(out, "smpi/simulate-computation", m->cpu_scale > 0 ? "yes" : "no");
	put_number_setting(out, "smpi/host-speed",
			   SMPI_FLOPS_PER_S * (m->cpu_scale > 0 ? m->cpu_scale : 1), "f");
	/* All-reduces in log2(procs) steps; those of SMPI's own choice are linear in procs. */
	put_setting(out, "smpi/coll-selector", "mpich");
	/* No windows of TCP, no acknowledgements against the traffic, no cost of asking the time.
	 */
	put_setting(out, "network/TCP-gamma", "0");
	put_setting(out, "network/weight-S", "0");
	put_setting(out, "network/crosstraffic", "no");
	put_setting(out, "smpi/wtime", "0");
	strbuf_puts(out, "  </config>\n");
}

/* ---- links and hosts ---- */

/* Inside a node the processor times are those between nodes, so the link gets the rest. */
static struct link loopback(const struct smpi_machine *m, const struct link *between)
{
	const struct message_range *remote = &m->remote->range[0];
	const struct message_range *local;
	double latency_s;

	if (!m->local)
		return *between;
	local = &m->local->range[0];
	latency_s = local->total_s - remote->send_s - remote->receive_s;
	return (struct link){fmax(latency_s, 0),
			     m->local->range[m->local->n_range - 1].total_s_per_byte};
}

static void put_attribute(struct strbuf *out, const char *name, double value, const char *unit)
{
	strbuf_printf(out, " %s=\"", name);
	strbuf_put_number(out, value);
	strbuf_printf(out, "%s\"", unit);
}

static void put_cluster(const struct smpi_machine *m, const struct link *link, int64_t n_nodes,
			struct strbuf *out)
{
	struct link inside = loopback(m, link);

	strbuf_printf(out,
		      "  <cluster id=\"machine\" prefix=\"node\" suffix=\"\" radical=\"0-%" PRId64
		      "\" core=\"%" PRId64 "\"",
		      n_nodes - 1, m->procs_per_node);
	put_attribute(out, "speed", SMPI_FLOPS_PER_S, "f");
	put_attribute(out, "bw", 1 / link->s_per_byte, "Bps");
	/* a message passes the links of both nodes */
	put_attribute(out, "lat", link->latency_s / 2, "s");
	put_attribute(out, "loopback_bw", 1 / fmax(inside.s_per_byte, 1e-15), "Bps");
	put_attribute(out, "loopback_lat", inside.latency_s, "s");
	strbuf_puts(out, " sharing_policy=\"SPLITDUPLEX\"/>\n");
}

static void put_remarks(const struct smpi_machine *m, double short_s, struct strbuf *out)
{
	if (blocking_from(m->remote) < 1e9)
		strbuf_puts(out,
			    "blocking messages hold the sender until their last byte has arrived: "
			    "SMPI has no other way\n");
	if (short_s > 0)
		strbuf_printf(
			out,
			"some messages take up to %.3g us longer than the machine's: a wire's "
			"latency cannot be negative\n",
			1e6 * short_s);
	if (m->procs_per_node > 1 && !m->local)
		strbuf_puts(out,
			    "messages inside a node cost as much as between nodes: the machine "
			    "does not say what they cost\n");
	if (m->procs_per_node > 1 && m->local)
		strbuf_puts(out, "inside a node only latency and bandwidth are its own: SMPI knows "
				 "one processor time for all messages\n");
}

static enum err_code check(const struct smpi_machine *m, struct err *e)
{
	if (m->procs < 1 || m->procs > SMPI_MAX_PROCS)
		return err_set(e, ERR_ARG,
			       "%" PRId64 " processors cannot be simulated: 1 to %d can", m->procs,
			       SMPI_MAX_PROCS);
	if (m->procs_per_node < 1)
		return err_set(e, ERR_ARG, "a node needs at least one processor, not %" PRId64,
			       m->procs_per_node);
	if (!(m->cpu_scale >= 0 && isfinite(m->cpu_scale)))
		return err_set(e, ERR_ARG, "computation cannot take %g times as long",
			       m->cpu_scale);
	return ERR_OK;
}

/* wire[n_range]; the link has the latency of the smallest messages that have one, and the bandwidth
 * of the largest. Neither is nothing: the factors of the ranges divide by them. */
static struct link make_wires(const struct message_cost *cost, struct wire *wire, double *short_s)
{
	const double nothing_s = 1e-15;
	struct link link = {0, nothing_s};

	for (size_t i = 0; i < cost->n_range; i++) {
		wire[i] = wire_of(&cost->range[i], short_s);
		wire[i].s_per_byte = fmax(wire[i].s_per_byte, nothing_s);
		link.s_per_byte = wire[i].s_per_byte;
		if (link.latency_s == 0)
			link.latency_s = wire[i].latency_s;
	}
	link.latency_s = fmax(link.latency_s, nothing_s);
	return link;
}

enum err_code smpi_platform_make(const struct smpi_machine *m, struct smpi_platform *out,
				 struct err *e)
{
	struct wire wire[MESSAGE_COST_MAX_SEGMENTS + 1];
	struct smpi_platform p = {0};
	struct link link;
	double short_s = 0;
	enum err_code rc = check(m, e);

	if (rc)
		return rc;
	link = make_wires(m->remote, wire, &short_s);
	strbuf_puts(&p.xml, "<?xml version='1.0'?>\n"
			    "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
			    "<platform version=\"4.1\">\n");
	put_settings(m, wire, &link, &p.xml);
	put_cluster(m, &link, (m->procs + m->procs_per_node - 1) / m->procs_per_node, &p.xml);
	strbuf_puts(&p.xml, "</platform>\n");
	for (int64_t rank = 0; rank < m->procs; rank++)
		strbuf_printf(&p.hosts, "node%" PRId64 "\n", rank / m->procs_per_node);
	put_remarks(m, short_s, &p.remarks);
	if (p.xml.failed || p.hosts.failed || p.remarks.failed) {
		smpi_platform_release(&p);
		return err_set(e, ERR_NOMEM, "a platform for %" PRId64 " processors", m->procs);
	}
	*out = p;
	return ERR_OK;
}

void smpi_platform_release(struct smpi_platform *p)
{
	strbuf_release(&p->xml);
	strbuf_release(&p->hosts);
	strbuf_release(&p->remarks);
}

#define MEGABYTE ((size_t)1 << 20)
/* Of a log, what is shown of why a program failed. */
#define REASON_BYTES 300

enum err_code smpi_check(struct err *e)
{
	if (launch_can_find("smpirun"))
		return ERR_OK;
	return err_set(e, ERR_IO,
		       "no smpirun here: simulation needs SimGrid (Debian: libsimgrid-dev)");
}

enum err_code smpi_read_time(const char *log, double *out_s, struct err *e)
{
	static const char before[] = "Simulated time: ";
	const char *found = NULL, *next = log;
	char *end;
	double time_s;

	while ((next = strstr(next, before)))
		found = next += strlen(before);
	if (found) {
		time_s = strtod(found, &end);
		if (end != found && isfinite(time_s) && time_s >= 0) {
			*out_s = time_s;
			return ERR_OK;
		}
	}
	return err_set(e, ERR_PARSE, "SMPI told no simulated time");
}

/* ---- the command ---- */

/* smpirun, its options, the program and its arguments. */
struct smpirun_command {
	const char **argv;
	char procs[24];
};

static enum err_code command_make(const struct smpi_run *run, const char *program,
				  struct smpirun_command *out, struct err *e)
{
	const char *const before[] = {
		"smpirun",
		"-quiet",
		"-platform",
		"platform.xml",
		"-hostfile",
		"hosts",
		"-np",
		out->procs,
		run->no_globals ? "--cfg=smpi/privatization:no" : "--cfg=smpi/privatization:dlopen",
		"--cfg=smpi/display-timing:yes",
		"--log=root.thresh:warning",
		"--log=smpi_utils.thresh:info",
		program,
	};
	size_t n_before = sizeof before / sizeof before[0], n_arguments = 0;

	while (run->argv[n_arguments]) {
		if (strpbrk(run->argv[n_arguments++], " \t\n*?["))
			return err_set(e, ERR_ARG,
				       "smpirun passes no argument with a blank or one of *?[ in "
				       "it: '%s'",
				       run->argv[n_arguments - 1]);
	}
	out->argv = calloc(n_before + n_arguments + 1, sizeof *out->argv);
	if (!out->argv)
		return err_set(e, ERR_NOMEM, "a command line");
	snprintf(out->procs, sizeof out->procs, "%" PRId64, run->machine->procs);
	memcpy(out->argv, before, sizeof before);
	if (n_arguments > 0)
		memcpy(out->argv + n_before, run->argv, n_arguments * sizeof *run->argv);
	return ERR_OK;
}

/* What the program said: the log as far as SMPI's own closing lines. */
static size_t programs_part(const char *log)
{
	const char *smpi = strstr(log, "[smpi_");

	while (smpi && smpi > log && smpi[-1] != '\n')
		smpi--;
	return smpi && smpi > log ? (size_t)(smpi - log) : strlen(log);
}

/* Why it failed, on one line, as messages are: SimGrid's word about it, or the program's last. */
static void put_reason(const char *log, struct strbuf *out)
{
	const char *critical = strstr(log, "CRITICAL] ");
	size_t length = critical ? strcspn(critical, "\n") : programs_part(log);
	const char *from = critical ? critical : log;

	if (!critical && length > REASON_BYTES)
		from += length - REASON_BYTES;
	for (size_t i = 0; i < length && i < REASON_BYTES; i++)
		strbuf_putc(out, from[i] == '\n' ? ' ' : from[i]);
}

/* SimGrid's own words for a program that is none of its. */
static bool not_compiled_for_smpi(const char *log)
{
	return strstr(log, "dlopen failed") || strstr(log, "Could not resolve entry point");
}

static enum err_code explain(const struct smpi_run *run, const char *log, const struct err *why,
			     struct err *e)
{
	struct strbuf reason = STRBUF_INIT;

	put_reason(log, &reason);
	if (not_compiled_for_smpi(log))
		err_set(e, ERR_IO, "%s is no program for SMPI: compile it with smpicc or smpif90",
			run->program);
	else
		err_set(e, ERR_IO, "%s did not run through: %s; its log says: %s", run->program,
			why->msg, strbuf_text(&reason));
	strbuf_release(&reason);
	return ERR_IO;
}

static enum err_code execute(const struct smpi_run *run, const struct work_folder *folder,
			     const char *const *argv, struct smpi_result *out, struct strbuf *log,
			     struct err *e)
{
	const struct launch job = {
		.argv = argv,
		.folder = strbuf_text(&folder->path),
		.stdout_path = "output",
		.stderr_path = "log",
		.limit_s = run->limit_s,
		.progress = run->progress,
	};
	struct launch_end end;
	struct err why = {0};
	enum err_code rc = launch_run(&job, &end, e);

	if (rc || (rc = work_folder_read(folder, "log", MEGABYTE, log, e)))
		return rc;
	if (launch_check(&job, &end, &why))
		return explain(run, strbuf_text(log), &why, e);
	out->wall_s = end.wall_s;
	if ((rc = work_folder_read(folder, "output", MEGABYTE, &out->printed, e)))
		return rc;
	return smpi_read_time(strbuf_text(log), &out->simulated_s, e);
}

enum err_code smpi_run(const struct smpi_run *run, const struct work_folder *folder,
		       struct smpi_result *out, struct err *e)
{
	struct smpi_platform platform = {0};
	struct smpi_result result = {0};
	struct smpirun_command command = {0};
	struct strbuf log = STRBUF_INIT;
	char *program = realpath(run->program, NULL); /* as it runs in another folder */
	enum err_code rc;

	if ((rc = smpi_check(e)))
		goto done;
	if (!program || access(program, R_OK)) {
		rc = err_set(e, ERR_NOTFOUND, "there is no program %s", run->program);
		goto done;
	}
	if ((rc = smpi_platform_make(run->machine, &platform, e)) ||
	    (rc = work_folder_write(folder, "platform.xml", strbuf_text(&platform.xml), e)) ||
	    (rc = work_folder_write(folder, "hosts", strbuf_text(&platform.hosts), e)) ||
	    (rc = command_make(run, program, &command, e)) ||
	    (rc = execute(run, folder, command.argv, &result, &log, e)))
		goto done;
	result.remarks = platform.remarks;
	platform.remarks = STRBUF_INIT;
	*out = result;
	result = (struct smpi_result){0};
done:
	smpi_result_release(&result);
	smpi_platform_release(&platform);
	strbuf_release(&log);
	free(command.argv);
	free(program);
	return rc;
}

void smpi_result_release(struct smpi_result *r)
{
	strbuf_release(&r->printed);
	strbuf_release(&r->remarks);
}
