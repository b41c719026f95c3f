#ifndef BASE_NODE_HOURS_H
#define BASE_NODE_HOURS_H
#include <stddef.h>
#include "base/err.h"

/* Node-hours as people type them: "200nh", "1.5nh", "200 nh". Other units are refused: what a core
 * or a unit of account is differs from site to site. *out > 0. Errors: ARG (says what would be
 * right). */
enum err_code node_hours_parse(const char *text, double *out, struct err *e);

/* "310 node-hours", three significant digits or all before the point, rounded up: who asks for it
 * asks for no less. Returns buf. */
char *node_hours_format_up(double node_hours, char *buf, size_t size);

#endif
