#ifndef MINING_MINING_INIT_H
#define MINING_MINING_INIT_H

/* First call of the program: GSL's aborting error handler off. */
void mining_init(void);
/* Of the library that is used, "2.7.1". */
const char *mining_gsl_version(void);

#endif
