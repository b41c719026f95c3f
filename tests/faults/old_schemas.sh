#!/bin/bash
# A base of every schema version: what only reads refuses it and names both versions, `init` brings it
# up to date, and the answers afterwards are those of a base that was made new.
set -uo pipefail
# shellcheck source=tests/faults/lib.sh
. "$(dirname "$0")/lib.sh"
schema=$(cd "$(dirname "$0")/../../kb/schema" && pwd)
export LEMNOS_NOW=2026-01-01T00:00:00Z
head -80 "$data/runs/simulated_sp2like.csv" >runs.csv
{
	"$lemnos" init --kb new.kb &&
		"$lemnos" machines add "$data/machines/sp2like.conf" --kb new.kb &&
		"$lemnos" ingest runs.csv --kb new.kb
} >made 2>&1 || fail "a base to start with" made

answers() { # BASE: what is asked of it
	local of=(--app sweep3d --machine sp2like --kb "$1")
	"$lemnos" mine --kb "$1" --quiet >/dev/null 2>mine.err || cat mine.err
	"$lemnos" runs export "${of[@]}"
	"$lemnos" rules export "${of[@]}" --format json
	"$lemnos" recommend "${of[@]}" --problem 20x20x100 --deadline 1h --format json
}

versions=$(find "$schema" -name '*.sql' -printf '%f\n' | sed 's/^0*\([0-9]*\)_.*/\1/' | sort -n)
newest=$(tail -n 1 <<<"$versions")
judged=3 # the first version that keeps what people decided
for version in $(head -n -1 <<<"$versions"); do
	if [ "$version" -eq $judged ]; then
		expect "a run is excluded" 0 '' "$lemnos" runs exclude 3 --app sweep3d \
			--machine sp2like --why disturbed --kb new.kb
	fi
	cp new.kb mined.kb
	answers mined.kb >new.answers 2>&1
	old=old$version.kb
	bash "$(dirname "$0")/old_base.sh" new.kb "$version" "$old" 2>make.err || fail "a base of version $version" make.err
	expect "version $version is not read, both versions are named" 4 \
		"schema version $version, this lemnos needs $newest: run .lemnos init" \
		"$lemnos" status --kb "$old"
	expect "version $version is brought up to date" 0 existing "$lemnos" init --kb "$old"
	answers "$old" >old.answers 2>&1
	if sound "$old" && grep -q '"feasible": true' new.answers &&
		cmp -s new.answers old.answers; then
		pass "version $version gives the same answers afterwards"
	else
		diff new.answers old.answers >differences
		fail "version $version gives the same answers afterwards" differences
	fi
done
cp new.kb newer.kb
sqlite3 newer.kb "PRAGMA user_version = $((newest + 1))"
expect "a newer version is refused, both are named" 4 \
	"schema version $((newest + 1)), made by a newer lemnos; this one knows versions up to $newest" \
	"$lemnos" status --kb newer.kb
verdict
