#ifndef MINING_CONTAMINATION_H
#define MINING_CONTAMINATION_H
#include "domain/dataset.h"

/* Runs as they would be on a bad day: about this share of them, chosen by the seed, take between 1
 * and 25 times as long (uniform), never shorter. 25 is what two busy-waiting ranks and one
 * competing process were seen to make of a run of Sweep3D. */
void disturb_runs(struct dataset *runs, double share, unsigned seed);

#endif
