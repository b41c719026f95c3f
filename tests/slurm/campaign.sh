#!/bin/bash
# A campaign on a real Slurm of one node: jobs side by side, one that fails, one that hangs; killed in between
# and resumed, so that each job is submitted once; jobs that somebody cancels are run again. Needs root.
# usage: campaign.sh BUILD_FOLDER
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
lemnos=$(cd "${1:?usage: campaign.sh BUILD_FOLDER}" && pwd)/lemnos
# shellcheck source=tests/slurm/cluster.sh
. "$here/cluster.sh"

missing=$(cluster_missing none)
if [ -n "$missing" ] || [ "$(id -u)" -ne 0 ]; then
	echo "  LEFT OUT: a campaign on Slurm: ${missing:-only root can start one}" | tr '\n' ' '
	echo
	exit 0
fi
# In /tmp: a folder of its own that the users of the daemons may enter, whatever TMPDIR is.
work=$(TMPDIR=/tmp mktemp -d) || exit 2
chmod 755 "$work"
trap 'cluster_stop; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cluster_start "$work" none || exit 1
cluster_patience_s=30

failed=0
expect() { # NAME WANT GOT
	if [ "$2" = "$3" ]; then
		echo "  ok    $1"
	else
		echo "  FAIL  $1"
		diff <(echo "$2") <(echo "$3") | sed 's/^/        /'
		failed=$((failed + 1))
	fi
}

mkdir "$work/a campaign"
cd "$work/a campaign" || exit 1
cp "$here"/../fixtures/campaign/* .
export LEMNOS_KB="$PWD/kb"
"$lemnos" init --quiet >/dev/null
"$lemnos" apps add toy.conf --quiet >/dev/null
sed 's/repeats = 2/repeats = 1/; s/"here"/"node"/
	s/seed = 7/launcher = { kind = "slurm"; in_flight = 3; options = [ "--oversubscribe" ]; }; seed = 7/' toy.plan >jobs.plan

"$lemnos" acquire run jobs.plan >log 2>&1 &
runner=$!
cluster_wait "a first job" test -s asked
kill -9 $runner
wait $runner 2>/dev/null
expect "killed with jobs under way" "interrupted" \
	"$("$lemnos" acquire status --format csv | awk -F, 'NR == 2 { print $4 }')"
"$lemnos" acquire resume toy >>log 2>&1
expect "the rest is run" "campaign toy, done: 6 of 8 done, 1 failed, 1 timed-out" "$(tail -1 log)"
expect "each job was submitted once" 8 "$(sqlite3 kb 'SELECT count(DISTINCT job) FROM campaign_run WHERE attempt = 1')"
expect "each command ran once" 8 "$(sort asked | uniq | wc -l)"
expect "times are those that were printed" "0.27 0.51 0.54 0.77 1.02 1.51" \
	"$(sqlite3 kb "SELECT wall_s FROM stored_toy WHERE status = 'ok' ORDER BY wall_s" | tr '\n' ' ' | sed 's/ $//')"
expect "the one that hung is cut at its limit" "2.0" "$(sqlite3 kb "SELECT wall_s FROM stored_toy WHERE status = 'timeout'")"

# somebody cancels what runs
sed '0,/name = "toy"/s//name = "cancel"/; s/levels = .*\]/levels = [ 4 ]/; s/to = 4/to = 1/; s/fixed = "2s"/fixed = "1m"/' \
	jobs.plan >cancel.plan
begun() { # N: so many commands began in all
	[ "$(grep -c "^4 1" asked)" -ge "$1" ]
}
nothing_queued() {
	[ -z "$(squeue -h)" ]
}
"$lemnos" acquire run cancel.plan >second 2>&1 &
runner=$!
cluster_wait "a job" begun 2
scancel --name="$(squeue -h -o %j)"
cluster_wait "another job" begun 3
expect "a cancelled job is submitted again" 2 "$(sqlite3 kb "SELECT max(attempt) FROM campaign_run JOIN campaign USING (campaign_id) WHERE name = 'cancel'")"
kill -INT $runner
wait $runner
expect "an interrupt cancels the job" 130 $?
cluster_wait "an empty queue" nothing_queued
expect "nothing is left in the queue" "" "$(squeue -h)"
expect "its run is planned again" planned \
	"$("$lemnos" acquire status cancel --format csv | awk -F, 'NR == 2 { print $5 }')"
expect "the base is sound" "$LEMNOS_KB: nothing wrong was found" "$("$lemnos" status check)"
[ $failed -eq 0 ]
