# shellcheck shell=bash
# Man pages and the command table say the same: a page for each command and no other; NAME is the
# command's summary, SYNOPSIS its usage, OPTIONS exactly its options. Options that every command
# takes are described once, in lemnos(1). Examples run.

man_page() { echo "$root/docs/man/lemnos-$1.1"; }

commands() { "$build/lemnos" help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'; }

# A section of a page as plain text, in lines too long to wrap.
man_section() { # PAGE SECTION
	mandoc -T utf8 -O width=1000 "$1" | col -bx |
		awk -v want="$2" '/^[A-Z]/ { on = $0 == want; next } on && NF'
}

help_usage() { # COMMAND
	"$build/lemnos" help "$1" | sed -n '1,/^$/s/^\(usage:\|      \) lemnos/lemnos/p'
}

# "--name ARG", one a line, sorted.
help_options() { # COMMAND
	"$build/lemnos" help "$1" | sed -n '/^options:/,/^$/p' |
		grep -oE '^  ( |-[a-z],) +--[a-zA-Z-]+( [^ ]+)?' |
		sed 's/^[^-]*\(-[a-z],\)\? *--/--/' | sort
}
man_options() { # PAGE
	man_section "$1" OPTIONS | grep -oE '^     (-[a-z], )?--[a-zA-Z-]+( [^ ]+)?' |
		sed 's/^ *\(-[a-z], \)\?//' | sort
}

agree() { # WHAT FROM_HELP FROM_MAN
	if [ "$2" = "$3" ]; then
		pass
	else
		fail "$1: help (-) and man page (+) differ" "$(diff -U0 <(echo "$2") <(echo "$3") | tail -n +4)"
	fi
}

check_man_agreement() {
	local command page
	agree "pages in docs/man" "$({ commands | sed 's/^/lemnos-/'; echo lemnos; } | sort)" \
		"$(cd "$root/docs/man" && printf '%s\n' *.1 | sed 's/\.1$//' | sort)"
	for command in $(commands); do
		page=$(man_page "$command")
		[ -f "$page" ] || continue
		agree "lemnos-$command.1 NAME" \
			"lemnos-$command – $("$build/lemnos" help | sed -n "s/^  $command  *//p")" \
			"$(man_section "$page" NAME | sed 's/^ *//')"
		agree "lemnos-$command.1 SYNOPSIS" "$(help_usage "$command")" \
			"$(man_section "$page" SYNOPSIS | sed 's/^ *//')"
		agree "lemnos-$command.1 OPTIONS" "$(help_options "$command")" \
			"$({ man_options "$page"; man_options "$root/docs/man/lemnos.1"; } | sort)"
	done
	agree "lemnos.1 COMMANDS" "$(commands | sort)" \
		"$(man_section "$root/docs/man/lemnos.1" COMMANDS | grep -oE 'lemnos-[a-z]+\(1\)' |
			sed 's/lemnos-\(.*\)(1)/\1/' | sort)"
}

# Every format that --input-format takes has a part of lemnos-formats(5), and no other has.
check_man_formats() {
	agree "formats of lemnos-formats.5" \
		"$("$build/lemnos" ingest --input-format no-such-format x 2>&1 |
			sed 's/.*it is one of: auto csv //' | tr ' ' '\n' | sort)" \
		"$(sed -n 's/^\.Ss \([a-z0-9_]*\): .*/\1/p' "$root/docs/man/lemnos-formats.5" | sort)"
}

# The commands between .Bd and .Ed in EXAMPLES, as somebody would type them.
man_examples() { # PAGE
	awk '/^\.Sh/ { on = /EXAMPLES/ } on && /^\.Ed/ { lit = 0 } on && lit { print }
		on && /^\.Bd/ { lit = 1 }' "$1" | sed 's/\\-/-/g; s/\\e/\\/g'
}

check_man_examples() {
	local page said status
	for page in "$root"/docs/man/*.1 "$root/docs/man/lemnos-formats.5"; do
		man_examples "$page" >"$work/example"
		[ -s "$work/example" ] || continue
		new_sandbox || return
		said=$(run_example "$work/example")
		status=$?
		if [ $status -eq 0 ]; then
			pass
		else
			fail "examples of $(basename "$page") (exit status $status)" \
				"$(cat "$work/example" <(echo "$said"))"
		fi
	done
}

# Definitions in the EXAMPLES of the pages about formats are what their command takes.
check_man_definitions() {
	local format said
	for format in application:apps machine:machines; do
		man_examples "$root/docs/man/lemnos-${format%:*}.5" >"$work/definition"
		if said=$("$build/lemnos" "${format#*:}" check "$work/definition" 2>&1) &&
			[ -s "$work/definition" ]; then
			pass
		else
			fail "the example of lemnos-${format%:*}.5" "$said"
		fi
	done
	man_examples "$root/docs/man/lemnos-campaign.5" >"$work/definition"
	if new_sandbox && said=$("$build/lemnos" acquire plan "$work/definition" 2>&1) && [ -s "$work/definition" ]; then
		pass
	else
		fail "the example of lemnos-campaign.5" "$said"
	fi
}
