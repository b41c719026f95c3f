#include "domain/slurm_words.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/units.h"

/* ---- states ---- */

static const char *const state_name[SLURM_N_STATES] = {[SLURM_UNKNOWN] = "unknown",
						       [SLURM_PENDING] = "pending",
						       [SLURM_RUNNING] = "running",
						       [SLURM_COMPLETED] = "completed",
						       [SLURM_FAILED] = "failed",
						       [SLURM_TIMEOUT] = "timeout",
						       [SLURM_OUT_OF_MEMORY] = "out-of-memory",
						       [SLURM_CANCELLED] = "cancelled",
						       [SLURM_NODE_FAIL] = "node-fail",
						       [SLURM_PREEMPTED] = "preempted",
						       [SLURM_GONE] = "gone"};

static const struct {
	const char *word;
	enum slurm_state state;
} slurm_word[] = {
	{"PENDING", SLURM_PENDING},
	{"CONFIGURING", SLURM_PENDING},
	{"REQUEUED", SLURM_PENDING},
	{"REQUEUE_FED", SLURM_PENDING},
	{"REQUEUE_HOLD", SLURM_PENDING},
	{"RESV_DEL_HOLD", SLURM_PENDING},
	{"SPECIAL_EXIT", SLURM_PENDING},
	{"RUNNING", SLURM_RUNNING},
	{"COMPLETING", SLURM_RUNNING},
	{"RESIZING", SLURM_RUNNING},
	{"SIGNALING", SLURM_RUNNING},
	{"STAGE_OUT", SLURM_RUNNING},
	{"STOPPED", SLURM_RUNNING},
	{"SUSPENDED", SLURM_RUNNING},
	{"COMPLETED", SLURM_COMPLETED},
	{"FAILED", SLURM_FAILED},
	{"TIMEOUT", SLURM_TIMEOUT},
	{"DEADLINE", SLURM_TIMEOUT},
	{"OUT_OF_MEMORY", SLURM_OUT_OF_MEMORY},
	{"CANCELLED", SLURM_CANCELLED},
	{"REVOKED", SLURM_CANCELLED},
	{"NODE_FAIL", SLURM_NODE_FAIL},
	{"BOOT_FAIL", SLURM_NODE_FAIL},
	{"LAUNCH_FAILED", SLURM_NODE_FAIL},
	{"RECONFIG_FAIL", SLURM_NODE_FAIL},
	{"PREEMPTED", SLURM_PREEMPTED},
};

const char *slurm_state_name(enum slurm_state state)
{
	return state_name[state];
}

/* Behind the word: nothing, a second state, or by whom. */
static bool ends_word(const char *rest)
{
	return *rest == '\0' || *rest == ',' || strncasecmp(rest, " by ", strlen(" by ")) == 0;
}

enum slurm_state slurm_state_read(const char *words)
{
	enum { LETTERS_MIN = 5 };
	const size_t length = strcspn(words, " +,");
	const bool cut = strcmp(words + length, "+") == 0 && length >= LETTERS_MIN;
	enum slurm_state found = SLURM_UNKNOWN;

	for (size_t i = 0; i < sizeof slurm_word / sizeof slurm_word[0]; i++) {
		const enum slurm_state state = slurm_word[i].state;
		const bool whole = strlen(slurm_word[i].word) == length;

		if (strncasecmp(words, slurm_word[i].word, length) != 0)
			continue;
		if (whole && (cut || ends_word(words + length)))
			return state;
		if (cut && found != SLURM_UNKNOWN && found != state) /* "COMPL+" */
			return SLURM_UNKNOWN;
		if (cut)
			found = state;
	}
	return found;
}

bool slurm_state_is_final(enum slurm_state state)
{
	return state != SLURM_UNKNOWN && state != SLURM_PENDING && state != SLURM_RUNNING;
}

/* ---- durations ---- */

static bool read_digits(const char **p, double *out)
{
	const char *from = *p;

	for (*out = 0; isdigit((unsigned char)**p); ++*p)
		*out = *out * 10 + (**p - '0');
	return *p > from && *p - from <= 12;
}

double slurm_duration_s(const char *text)
{
	double part[3], days = 0;
	bool has_days;
	size_t n = 0;

	if (!read_digits(&text, &part[n++]))
		return (double)NAN;
	has_days = *text == '-';
	if (has_days) {
		text++;
		days = part[0];
		if (!read_digits(&text, &part[0]))
			return (double)NAN;
	}
	while (*text == ':' && n < 3) {
		text++;
		if (!read_digits(&text, &part[n++]))
			return (double)NAN;
	}
	if (*text == '.' && (n == 3 || !has_days))
		text += 1 + strspn(text + 1, "0123456789");
	if (n < 2 || *text)
		return (double)NAN;
	if (n == 3)
		return ((days * 24 + part[0]) * 60 + part[1]) * 60 + part[2];
	return has_days ? ((days * 24 + part[0]) * 60 + part[1]) * 60 : part[0] * 60 + part[1];
}

/* ---- dates ---- */

/* Days since 1970-01-01. Source: H. Hinnant, "chrono-compatible low-level date algorithms", 2013,
 * days_from_civil(). */
static double days_of_date(double y, double m, double d)
{
	double era, yoe, doy;

	y -= m <= 2;
	era = floor(y / 400);
	yoe = y - era * 400;
	doy = floor((153 * (m + (m > 2 ? -3 : 9)) + 2) / 5) + d - 1;
	return era * 146097 + yoe * 365 + floor(yoe / 4) - floor(yoe / 100) + doy - 719468;
}

double slurm_date_s(const char *text)
{
	static const char between[] = "--T::";
	double part[6];

	for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
		if (!read_digits(&text, &part[i]))
			return (double)NAN;
		if (i + 1 < sizeof part / sizeof part[0] && *text++ != between[i])
			return (double)NAN;
	}
	if (*text || part[1] < 1 || part[1] > 12 || part[2] < 1 || part[2] > 31 || part[3] > 23 ||
	    part[4] > 59 || part[5] > 60)
		return (double)NAN;
	return days_of_date(part[0], part[1], part[2]) * 86400 + part[3] * 3600 + part[4] * 60 +
	       part[5];
}

/* ---- sizes of memory ---- */

double slurm_bytes(const char *text, double unit, const char **per)
{
	static const char letters[] = "KMGTPE";
	size_t n = strspn(text, "0123456789.");
	char number[32];
	const char *letter;
	double x;

	*per = "";
	if (n == 0 || n >= sizeof number)
		return (double)NAN;
	memcpy(number, text, n);
	number[n] = '\0';
	if (number_parse(number, &x, NULL) != ERR_OK)
		return (double)NAN;
	letter = text[n] ? strchr(letters, toupper((unsigned char)text[n])) : NULL;
	*per = text + n + (letter != NULL);
	return x * (letter ? ldexp(1, 10 * (int)(letter - letters + 1)) : unit);
}
