#ifndef CLI_COMPOSED_PARTS_H
#define CLI_COMPOSED_PARTS_H
#include "cli/compose/composed_model.h"

/* What components do in a composed model: private to composed_*.c; the table of composed_model.c
 * says which component does which. */

/* A component's part in the whole: it finds in m what those that it requests have put there. */
typedef enum err_code part_fn(struct composed_model *m, const struct composition_node *node,
			      struct err *e);

part_fn part_open_wavefront;			       /* composed_application.c */
part_fn part_machine, part_loggp_profile;	       /* composed_machine.c */
part_fn part_given, part_constant, part_calibrated;    /* composed_processor.c */
part_fn part_ted, part_caches;			       /* composed_ted.c */
part_fn part_disk, part_files;			       /* composed_files.c */
part_fn part_listed_model, part_task_graph, part_smpi; /* composed_network.c */

#endif
