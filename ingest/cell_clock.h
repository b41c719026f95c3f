#ifndef INGEST_CELL_CLOCK_H
#define INGEST_CELL_CLOCK_H

/* Times as schedulers, time(1) and pandas write them. */

enum clock_form {
	CLOCK_ANY, /* only what can mean one thing */
	CLOCK_HMS, /* seconds are last: "02:03" is 2 min 3 s */
	CLOCK_HM   /* minutes are last: "02:03" is 2 h 3 min */
};
enum clock_fault {
	CLOCK_OK,
	CLOCK_NONE,	   /* not written so */
	CLOCK_TWO_WAYS,	   /* "02:03" under CLOCK_ANY */
	CLOCK_OUT_OF_RANGE /* "00:99:00" */
};

/* Seconds. "00:01:40", "36:00:00", "1-02:03:04" and "1-02:03" (days first, as Slurm writes them),
 * "02:03.456" (minutes and seconds), "0 days 00:01:40.5" (pandas), "1m40.5s", "1h2m3s" (time(1)).
 * The leading part may be as large as it likes, the others stay below 60 (hours behind days below
 * 24). decimal: the mark of fractions. *out is written only on CLOCK_OK. */
enum clock_fault cell_clock(const char *text, enum clock_form form, char decimal, double *out);

#endif
