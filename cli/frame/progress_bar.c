#include "cli/frame/progress_bar.h"

#include <signal.h>
#include <string.h>

#include "base/units.h"

/* A signal can reach us in no other way than through a global. */
static volatile sig_atomic_t interrupted;

/* Whoever presses ^C twice, or sends the other signal next, does not want to wait for us. */
static void on_signal(int number)
{
	(void)number;
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	interrupted = 1;
}

void interrupts_catch(void)
{
	/* No SA_RESTART: a read that waits for standard input must come back. */
	struct sigaction action = {.sa_handler = on_signal};

	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	/* A reader that went away (`| head`) is found when writing: what was asked for besides the
	 * output (advice remembered, runs imported) is still done. */
	action.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &action, NULL);
	/* A file that reached the limit of `ulimit -f` is a write that fails, too. */
	sigaction(SIGXFSZ, &action, NULL);
}

bool interrupts_seen(void)
{
	return interrupted != 0;
}

static double seconds_since(const struct timespec *from, const struct timespec *to)
{
	return (double)(to->tv_sec - from->tv_sec) + 1e-9 * (double)(to->tv_nsec - from->tv_nsec);
}

static void put_bar(struct progress_bar *bar, uint64_t done, uint64_t total, double elapsed_s)
{
	enum { WIDTH = 24 };
	double rate = elapsed_s > 0 ? (double)done / elapsed_s : 0;
	char left[32] = "";
	char cells[WIDTH + 1];

	if (total == 0 && done == 0) {
		fprintf(bar->log, "\r\033[K%s ...", bar->what);
		return;
	}
	if (total == 0) {
		fprintf(bar->log, "\r\033[K%s  %llu  %.3g/s", bar->what, (unsigned long long)done,
			rate);
		return;
	}
	for (int i = 0; i < WIDTH; i++)
		cells[i] = (double)i < WIDTH * (double)done / (double)total ? '#' : '.';
	cells[WIDTH] = '\0';
	if (rate > 0 && total > done)
		duration_format((double)(total - done) / rate, left, sizeof left);
	fprintf(bar->log, "\r\033[K%s [%s] %3.0f %%  %.3g/s%s%s", bar->what, cells,
		100.0 * (double)done / (double)total, rate, left[0] ? "  left " : "", left);
}

static bool step(void *arg, const char *what, uint64_t done, uint64_t total)
{
	struct progress_bar *bar = arg;
	struct timespec now;

	if (interrupted)
		return false;
	if (!bar->draw || !what || clock_gettime(CLOCK_MONOTONIC, &now))
		return true;
	if (!bar->what || strcmp(bar->what, what) != 0) {
		bar->what = what;
		bar->started = bar->drawn_at = now;
		return true;
	}
	/* Ten times a second is smooth enough, and short work never shows a bar. */
	if (seconds_since(&bar->drawn_at, &now) < 0.1)
		return true;
	put_bar(bar, done, total, seconds_since(&bar->started, &now));
	fflush(bar->log);
	bar->drawn_at = now;
	bar->drawn = true;
	return true;
}

void progress_bar_init(struct progress_bar *bar, FILE *log, bool draw)
{
	*bar = (struct progress_bar){.log = log, .draw = draw};
	bar->progress = (struct progress){.step = step, .arg = bar};
}

void progress_bar_clear(struct progress_bar *bar)
{
	if (bar->drawn)
		fputs("\r\033[K", bar->log);
	bar->drawn = false;
	bar->what = NULL;
}
