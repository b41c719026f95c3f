#!/bin/bash
# A bit that flips anywhere in a base: the advice is the same, or there is an error that says so; never
# other advice. What people decided may be lost with the page it stood on, not with another one.
set -uo pipefail
# shellcheck source=tests/faults/lib.sh
. "$(dirname "$0")/lib.sh"
page_size=4096
flips=1
[ "$how" = sample ] || flips=20
export LEMNOS_NOW=2026-01-01T00:00:00Z
head -121 "$data/runs/simulated_sp2like.csv" >runs.csv
{
	"$lemnos" init --kb base.kb &&
		"$lemnos" machines add "$data/machines/sp2like.conf" --kb base.kb &&
		"$lemnos" ingest runs.csv --kb base.kb && "$lemnos" mine --kb base.kb &&
		sqlite3 base.kb 'PRAGMA journal_mode = DELETE'
} >made 2>&1 || fail "a base to start with" made

ask() { # BASE: advice, with the nearest runs as evidence
	timeout -s KILL 1200 "$lemnos" recommend --kb "$1" --app sweep3d --machine sp2like --problem 30x30x50 \
		--deadline 1h --format json --quiet
}

# A damaged record of an import makes knowledge look stale: that is told, and another question.
advice() { # FILE: the answer without what that changes
	grep -vE '^ *"(id|stale|facts)":' "$1"
}

flip() { # FILE BYTE BIT
	local was
	was=$(od -An -tu1 -j "$2" -N 1 "$1")
	# shellcheck disable=SC2059 # the format is the byte
	printf "\\x$(printf %x $((was ^ (1 << $3))))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

chmod a-w base.kb # nothing is remembered, so the file stays as it is
ask base.kb >answer 2>sound.err || fail "advice from a sound base" sound.err
advice answer >sound.json
size=$(stat -c %s base.kb)
same=0 refused=0 other=0
RANDOM=1
for ((page = 0; page < size / page_size; page++)); do
	for ((i = 0; i < flips; i++)); do
		byte=$((page * page_size + (RANDOM * 32768 + RANDOM) % page_size))
		bit=$((RANDOM % 8))
		cp base.kb bad.kb
		chmod u+w bad.kb
		flip bad.kb $byte $bit
		status=0
		ask bad.kb >answer 2>bad.err || status=$?
		advice answer >bad.json
		if [ $status -eq 0 ] && cmp -s sound.json bad.json; then
			same=$((same + 1))
		elif { [ $status -ge 2 ] && [ $status -le 5 ] && [ -s bad.err ]; }; then
			refused=$((refused + 1))
		else
			other=$((other + 1))
			{
				echo "byte $byte of the base (page $((page + 1))), bit $bit: exit status $status"
				diff sound.json bad.json | head -20
				cat bad.err
			} >>differences
		fi
	done
done
echo "  bits flipped: the same advice $same times, an error $refused times"
if [ $other -eq 0 ] && [ $refused -gt 0 ] && [ $same -gt 0 ]; then
	pass "a flipped bit never changes advice unnoticed"
else
	fail "a flipped bit never changes advice unnoticed" differences
fi
verdict
