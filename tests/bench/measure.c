/* What a command costs: wall and processor time, the medians of N runs, how far the processor times
 * scatter, and the most memory of any run. The command's output is thrown away.
 * usage: measure N COMMAND [ARGUMENT...]; prints `wall-seconds cpu-seconds MAD-seconds megabytes`.
 * Ends with the command's exit status as soon as one run fails. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_REPEATS = 1000, CANNOT_MEASURE = 125, CANNOT_RUN = 127 };

struct cost {
	double wall_s, cpu_s;
};

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double seconds_of(struct timeval t)
{
	return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static void run_silently(char **command)
{
	int nowhere = open("/dev/null", O_RDWR);

	if (nowhere >= 0) {
		dup2(nowhere, STDIN_FILENO);
		dup2(nowhere, STDOUT_FILENO);
		dup2(nowhere, STDERR_FILENO);
	}
	execvp(command[0], command);
	_exit(CANNOT_RUN);
}

/* Of all children that were waited for. */
static struct rusage children(void)
{
	struct rusage use = {0};

	getrusage(RUSAGE_CHILDREN, &use);
	return use;
}

static double children_cpu_s(void)
{
	struct rusage use = children();

	return seconds_of(use.ru_utime) + seconds_of(use.ru_stime);
}

/* The child's exit status, as a shell would tell it. */
static int run_once(char **command, struct cost *out)
{
	int status;
	double start_s = now_s(), start_cpu_s = children_cpu_s();
	pid_t child = fork();

	if (child == 0)
		run_silently(command);
	if (child < 0 || waitpid(child, &status, 0) < 0)
		return CANNOT_MEASURE;
	out->wall_s = now_s() - start_s;
	out->cpu_s = children_cpu_s() - start_cpu_s;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, int n)
{
	qsort(v, (size_t)n, sizeof *v, compare);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* 1.4826 makes it the standard deviation of normal data (Rousseeuw and Croux, JASA 88, 1993). */
static double mad(double *v, int n)
{
	double centre = median(v, n);

	for (int i = 0; i < n; i++)
		v[i] = fabs(v[i] - centre);
	return 1.4826 * median(v, n);
}

int main(int argc, char **argv)
{
	double wall_s[MAX_REPEATS], cpu_s[MAX_REPEATS], centre_s;
	char *end = NULL;
	long n = argc > 2 ? strtol(argv[1], &end, 10) : 0;

	if (n < 1 || n > MAX_REPEATS || *end != '\0') {
		fprintf(stderr, "usage: measure N COMMAND [ARGUMENT...], N from 1 to %d\n",
			MAX_REPEATS);
		return CANNOT_MEASURE;
	}
	for (int i = 0; i < n; i++) {
		struct cost c = {0};
		int status = run_once(argv + 2, &c);

		if (status) {
			fprintf(stderr, "measure: %s ended with status %d\n", argv[2], status);
			return status;
		}
		wall_s[i] = c.wall_s;
		cpu_s[i] = c.cpu_s;
	}
	centre_s = median(cpu_s, (int)n);
	/* Linux counts kB; a child's count starts with what its parent has, 2 MB here. */
	printf("%.6f %.6f %.6f %.1f\n", median(wall_s, (int)n), centre_s, mad(cpu_s, (int)n),
	       (double)children().ru_maxrss / 1000);
	return 0;
}
