#ifndef DOMAIN_MACHINE_SLURM_H
#define DOMAIN_MACHINE_SLURM_H
#include "domain/conf.h"
#include "domain/slurm.h"

/* Private to domain/: the group `slurm` of a machine's definition; absent, the defaults. What was
 * read is in out also after an error. */
void machine_slurm_read(struct conf *c, const config_setting_t *machine, struct slurm *out);
void machine_slurm_release(struct slurm *s);

#endif
