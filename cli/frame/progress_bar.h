#ifndef CLI_PROGRESS_BAR_H
#define CLI_PROGRESS_BAR_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include "base/progress.h"

/* A bar with rate and time left on a terminal, nothing elsewhere; and the way an interrupt reaches
 * library code: once SIGINT or SIGTERM came, progress_step() returns false. */
struct progress_bar {
	struct progress progress; /* hand out &bar.progress */
	FILE *log;
	bool draw;
	bool drawn; /* a bar stands on the terminal's line */
	const char *what;
	struct timespec started;
	struct timespec drawn_at;
};

void progress_bar_init(struct progress_bar *bar, FILE *log, bool draw);
/* Wipe the bar from the terminal; before anything else is printed there. */
void progress_bar_clear(struct progress_bar *bar);

/* First signal: work is asked to stop. Second: the process ends at once. */
void interrupts_catch(void);
bool interrupts_seen(void);

#endif
