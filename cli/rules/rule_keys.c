#include "cli/rules/rule_keys.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "cli/frame/progress_bar.h"

enum { CTRL_C = 3, CTRL_D = 4, ESCAPE = 27 };

static enum err_code set_raw(struct rule_keys *k, struct err *e)
{
	struct termios raw = k->before;

	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG | IEXTEN);
	raw.c_iflag &= ~(tcflag_t)(IXON | ICRNL);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	if (tcsetattr(STDIN_FILENO, TCSADRAIN, &raw))
		return err_set(e, ERR_IO, "the terminal cannot be set to single keys: %s",
			       strerror(errno));
	k->raw = true;
	return ERR_OK;
}

enum err_code rule_keys_open(struct rule_keys *k, struct err *e)
{
	*k = (struct rule_keys){0};
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || tcgetattr(STDIN_FILENO, &k->before))
		return err_set(
			e, ERR_USAGE,
			"a review needs a terminal; without one: `lemnos rules --state new`, "
			"then `lemnos rules accept ID` or `refuse ID`");
	return set_raw(k, e);
}

void rule_keys_close(struct rule_keys *k)
{
	if (k->raw)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &k->before);
	k->raw = false;
}

static enum err_code interrupted(struct err *e)
{
	return err_set(e, ERR_INTERRUPTED, "interrupted; what was decided until here is kept");
}

/* Is there a byte to read within so long? A signal that came just before poll() began is noticed
 * when the slice of time is over. */
static bool wait_for_byte(int ms)
{
	struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};

	return poll(&in, 1, ms) == 1;
}

static enum err_code next_byte(int *byte, struct err *e)
{
	unsigned char c;
	ssize_t n;

	do {
		while (!interrupts_seen() && !wait_for_byte(200))
			;
		if (interrupts_seen())
			return interrupted(e);
		n = read(STDIN_FILENO, &c, 1);
	} while (n < 0 && errno == EINTR);
	*byte = n == 1 ? c : KEY_END;
	return ERR_OK;
}

/* What follows an escape at once belongs to it: ESC [ A is an arrow, not an A for "accept". */
static void pass_over_sequence(void)
{
	char rest[16];

	while (wait_for_byte(20) && read(STDIN_FILENO, rest, sizeof rest) > 0)
		;
}

enum err_code rule_keys_next(struct rule_keys *k, int *key, struct err *e)
{
	enum err_code rc;

	if (!k->raw && (rc = set_raw(k, e)))
		return rc;
	if ((rc = next_byte(key, e)))
		return rc;
	if (*key == CTRL_C)
		return interrupted(e);
	if (*key == CTRL_D)
		*key = KEY_END;
	if (*key == ESCAPE)
		pass_over_sequence();
	return ERR_OK;
}

enum err_code rule_keys_line(struct rule_keys *k, struct strbuf *line, struct err *e)
{
	int byte = 0;
	enum err_code rc = ERR_OK;

	rule_keys_close(k);
	strbuf_clear(line);
	while (!(rc = next_byte(&byte, e)) && byte != '\n' && byte != '\r' && byte != KEY_END)
		strbuf_putc(line, (char)byte);
	if (rc)
		return rc;
	return line->failed ? err_set(e, ERR_NOMEM, "a line of text") : set_raw(k, e);
}
