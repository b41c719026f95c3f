#ifndef DOMAIN_OBJECTIVE_H
#define DOMAIN_OBJECTIVE_H

/* What a recommendation keeps low among the configurations that keep its limits. */
enum objective { OBJECTIVE_NODES, OBJECTIVE_NODE_HOURS, OBJECTIVE_TIME };

const char *objective_name(enum objective o); /* "nodes", "node-hours", "time" */
/* -1: none of them. */
int objective_from(const char *text);

#endif
