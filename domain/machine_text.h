#ifndef DOMAIN_MACHINE_TEXT_H
#define DOMAIN_MACHINE_TEXT_H
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/machine.h"

/* Append the definition of a machine as machine_parse() reads it: what is known of nodes, memory
 * and messages (segments, in 6 digits), not LogGP and the settings for Slurm. comment: lines, each
 * ended by a newline, without their "# ". Errors: ARG (machine_name_fault), NOMEM. */
enum err_code machine_put_text(const struct machine *m, const char *comment, struct strbuf *out,
			       struct err *e);

#endif
