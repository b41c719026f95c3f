/* The computation of Sweep3D by itself: the blocks of one processor's part, without messages. Its
 * time per cell and angle is the Wg of the wavefront models.
 * usage: sweep_task it jt kt mk mmi mm [iterations], or several times all seven */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/transport.h"

struct request {
	int it, jt, kt, mk, mmi, mm, iterations;
};

static const char usage[] =
	"usage: sweep_task it jt kt mk mmi mm [iterations]\n"
	"       sweep_task it jt kt mk mmi mm iterations it jt kt mk mmi mm iterations ...\n"
	"Sweeps it x jt x kt cells in blocks of mk planes and mmi of the mm angles (3 or 6) of\n"
	"each octant, and prints the time per cell and angle, wg_s, as CSV. One iteration unless\n"
	"told otherwise; those after the 7th do flux fix-ups. Several requests are done one after\n"
	"the other.\n";

/* Products of three counts then fit any integer here; memory ends long before. */
#define MAX_COUNT 1000000

/* A whole number >= 1, or a message. */
static int count(const char *name, const char *text)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (errno || end == text || *end || value < 1 || value > MAX_COUNT) {
		fprintf(stderr, "sweep_task: %s = %s is not a whole number from 1 to %d\n", name,
			text, MAX_COUNT);
		exit(2);
	}
	return (int)value;
}

static void refuse(const char *why)
{
	fprintf(stderr, "sweep_task: %s\n", why);
	exit(2);
}

/* Of n_words words, 6 or 7. */
static struct request read_request(int n_words, char **word)
{
	struct request r = {.iterations = 1};
	struct {
		const char *name;
		int *value;
	} argument[] = {{"it", &r.it},
			{"jt", &r.jt},
			{"kt", &r.kt},
			{"mk", &r.mk},
			{"mmi", &r.mmi},
			{"mm", &r.mm},
			{"iterations", &r.iterations}};

	for (int a = 0; a < n_words; a++)
		*argument[a].value = count(argument[a].name, word[a]);
	if (r.mm != 3 && r.mm != 6)
		refuse("mm must be 3 or 6: there are no other sets of angles");
	if (r.mm % r.mmi)
		refuse("mmi must divide mm");
	if (r.mk > r.kt)
		refuse("mk must not exceed kt");
	return r;
}

/* All octants of an iteration: vacuum all around. */
static void sweep(struct transport *t, const struct request *r, bool fixup)
{
	size_t planes = (size_t)r->mk * (size_t)r->mmi;
	struct sweep_task task = {.n_angle = r->mmi, .fixup = fixup};

	for (int octant = 0; octant < SWEEP_OCTANTS; octant++) {
		sweep_task_octant(octant, &task);
		for (int angle = 0; angle < r->mm; angle += r->mmi) {
			task.angle_first = angle;
			memset(t->face_k, 0,
			       (size_t)r->mmi * (size_t)r->it * (size_t)r->jt * sizeof *t->face_k);
			for (int k = 0; k < r->kt; k += r->mk) {
				task.k_first = k;
				task.n_k = r->kt - k < r->mk ? r->kt - k : r->mk;
				memset(t->face_i, 0, planes * (size_t)r->jt * sizeof *t->face_i);
				memset(t->face_j, 0, planes * (size_t)r->it * sizeof *t->face_j);
				sweep_block_do(&t->cells, &t->angles, &task, t->face_i, t->face_j,
					       t->face_k);
			}
		}
	}
}

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void do_request(const struct request *r)
{
	struct transport t = {
		.cells = {.it = r->it, .jt = r->jt, .kt = r->kt}, .it_g = r->it, .jt_g = r->jt};
	double cell_angles, runtime_s = 0;

	if (!sweep_angles_set(r->mm, &t.angles) || !transport_init(&t, r->mk, r->mmi)) {
		fputs("sweep_task: not enough memory for this grid\n", stderr);
		exit(5);
	}
	/* Only the sweeps are timed: Wg is theirs. */
	for (int n = 0; n < r->iterations; n++) {
		double start_s;

		transport_begin(&t);
		start_s = now_s();
		sweep(&t, r, n >= TRANSPORT_PLAIN_ITERATIONS);
		runtime_s += now_s() - start_s;
	}
	cell_angles = (double)r->it * r->jt * r->kt * SWEEP_OCTANTS * r->mm * r->iterations;
	printf("%d,%d,%d,%d,%d,%d,%d,%.9g,%.9g,%016" PRIx64 "\n", r->it, r->jt, r->kt, r->mk,
	       r->mmi, r->mm, r->iterations, runtime_s, runtime_s / cell_angles,
	       transport_checksum(&t));
	transport_release(&t);
}

int main(int argc, char **argv)
{
	enum { WORDS = 7 };
	int n_words = argc - 1;

	if (n_words == 1 && !strcmp(argv[1], "--help")) {
		fputs(usage, stdout);
		return 0;
	}
	if (n_words != WORDS - 1 && (n_words == 0 || n_words % WORDS)) {
		fputs(usage, stderr);
		return 2;
	}
	/* Under an MPI several of these print into one file: lines stay whole. */
	setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
	/* Nothing is done if one is wrong. */
	for (int a = 1; a <= n_words; a += WORDS)
		read_request(n_words < WORDS ? n_words : WORDS, argv + a);
	puts("it,jt,kt,mk,mmi,mm,iterations,runtime_s,wg_s,checksum");
	for (int a = 1; a <= n_words; a += WORDS) {
		struct request r = read_request(n_words < WORDS ? n_words : WORDS, argv + a);

		do_request(&r);
	}
	return fflush(stdout) ? 5 : 0;
}
