#!/bin/bash
# A disk that is full, folders that may not be written, files that are gone, readers that leave.
set -uo pipefail
# shellcheck source=tests/faults/lib.sh
. "$(dirname "$0")/lib.sh"
"$lemnos" init --kb start.kb --quiet >/dev/null || exit 1
runs() { # N: so many runs
	echo it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s,repeat
	awk -v n="$1" 'BEGIN { for (i = 1; i <= n; i++)
		printf "50,50,50,2,2,4,10,3,%.6f,%d\n", 3 + i / 1e6, i }'
}
runs 20000 >many.csv
runs 20 >few.csv
ingest() { # BASE FILE
	"$lemnos" ingest "$2" --kb "$1" --app sweep3d --machine m
}
unchanged() { # NAME BASE: still what it was at the start
	if sound "$2" && cmp -s <(contents start.kb) <(contents "$2"); then
		pass "$1: the base is as before"
	else
		fail "$1: the base is as before"
	fi
}

# ---- a full disk
mkdir small
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=600k none small 2>mount.err; then
	trap 'umount small' EXIT
	cp start.kb small/a.kb
	expect "a full disk is named" 5 'full' ingest small/a.kb many.csv
	unchanged "a full disk" small/a.kb
	expect "with room again, it goes on" 0 '20 taken' ingest small/a.kb few.csv
	fallocate -l 600k small/ballast 2>/dev/null || head -c 600k /dev/zero >small/ballast 2>/dev/null
	expect "without any room a base is read all the same" 0 'runs: 20' \
		"$lemnos" status --kb small/a.kb
	expect "without any room no base is made" 5 'full|No space' "$lemnos" init --kb small/new.kb
	umount small
	trap - EXIT
else
	left_out "a full disk" "a small one can be mounted only by root: $(tail -1 mount.err 2>/dev/null)"
fi
cp start.kb limited.kb
expect "a file that may not grow further is named" 5 'file size limit' \
	bash -c 'ulimit -f 400; exec "$@"' - "$lemnos" ingest many.csv --kb limited.kb --app sweep3d \
	--machine m
unchanged "a file that may not grow" limited.kb

# ---- memory that is limited
# Definitions that take the most of it for their length, from too little to enough. An address sanitizer
# wants terabytes.
of_many() { # ITEM: a definition with a list of so many
	awk -v item="$1" 'BEGIN { printf "application = { x = ("
		for (i = 0; i < 30000; i++) printf "%s, ", item
		print "1); };" }'
}
of_many '(1)' | tr -d ' ' >lists.conf
of_many '{a=1}' | tr -d ' ' >groups.conf
if nm "$lemnos" 2>/dev/null | grep -q __asan_init; then
	left_out "limited memory" "the program is built with a sanitizer"
else
	for definition in lists groups; do
		enough=no
		for ((kb = 8192; kb < 65536; kb += 256)); do
			(ulimit -v $kb && exec "$lemnos" apps check $definition.conf) >said 2>&1 &
			wait $!
			status=$?
			# 127: not even the program's libraries have room
			case $status in
			127) continue ;;
			5) grep -q memory said || break ;;
			3) grep -q 'unknown key' said && enough=yes && break ;;
			*) break ;;
			esac
		done
		if [ $enough = yes ]; then
			pass "$definition: with less memory than they take, that is said"
		else
			echo "exit status $status with $kb KiB" >>said
			fail "$definition: with less memory than they take, that is said" said
		fi
	done
fi

# ---- folders that may not be written
as_nobody=()
if [ "$(id -u)" -eq 0 ]; then
	as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	chmod 755 .. .
fi
mkdir -p share/bin locked
cp "$lemnos" share/bin/
cp -r "$data" share/data
cp start.kb locked/a.kb
chmod 644 locked/a.kb
chmod 555 locked
if "${as_nobody[@]}" share/bin/lemnos --version >/dev/null 2>&1; then
	expect "a base in a read-only folder is read" 0 'runs: 0' \
		"${as_nobody[@]}" share/bin/lemnos status --kb locked/a.kb
	mkdir -m 777 elsewhere
	expect "it is backed up" 0 'copied' \
		"${as_nobody[@]}" share/bin/lemnos status backup elsewhere/copy.kb --kb locked/a.kb
	expect "it is not written, and told why" 4 'may not be written' \
		"${as_nobody[@]}" share/bin/lemnos ingest few.csv --kb locked/a.kb --app sweep3d \
		--machine m
	expect "no base is made there" 5 'locked' \
		"${as_nobody[@]}" share/bin/lemnos init --kb locked/new.kb
else
	left_out "read-only folders" "nobody else may run the program here"
fi
chmod 755 locked
unchanged "a read-only folder" locked/a.kb

# ---- files that are gone
cp start.kb a.kb
expect "a file that is not there" 3 'gone.csv: cannot open: No such file' ingest a.kb gone.csv
expect "a base that is not there" 2 'there is no knowledge base' "$lemnos" status --kb gone.kb
ln -s nowhere/a.kb dangling.kb
expect "a link to nowhere" 2 'there is no knowledge base' "$lemnos" status --kb dangling.kb
mkdir removed
expect "a working folder that was removed" 0 'runs: 0' \
	bash -c 'cd removed && rmdir ../removed && exec "$1" status --kb "$2"' - "$lemnos" "$PWD/a.kb"

# ---- the base is taken away under an import
mkfifo slow
for what in 'rm e.kb' 'mv e.kb elsewhere.kb' 'cp start.kb new.kb; mv new.kb e.kb'; do
	rm -f e.kb* elsewhere.kb
	cp start.kb e.kb
	ingest e.kb slow >said 2>&1 &
	importing=$!
	exec 3>slow
	runs 5000 >&3
	eval "$what" # the import waits for more
	exec 3>&-
	wait $importing
	status=$?
	if [ $status -eq 4 ] && grep -q 'was deleted, renamed or replaced' said && ! grep -q '[0-9] taken' said; then
		pass "$what: the import says so"
	else
		echo "exit status $status" >>said
		fail "$what: the import says so" said
	fi
	case $what in
	rm*) ;;
	*elsewhere*) unchanged "$what" elsewhere.kb ;;
	*) unchanged "$what" e.kb ;;
	esac
done

# ---- readers that leave, and descriptors that are closed
for name in true 'head -c 1'; do
	cp start.kb b.kb
	(ingest b.kb few.csv; echo $? >status) 2>said | $name >/dev/null
	if [ "$(cat status)" -eq 0 ] && [ ! -s said ] &&
		[ "$(sqlite3 b.kb 'SELECT count(*) FROM run_sweep3d')" -eq 20 ]; then
		pass "output into \`$name\`: the runs are in all the same, without a word"
	else
		fail "output into \`$name\`: the runs are in all the same, without a word" said status
	fi
done
cp start.kb much.kb
cp "$data/runs/simulated_sp2like.csv" measured.csv
"$lemnos" ingest measured.csv --kb much.kb >said 2>&1 && "$lemnos" mine --kb much.kb --quiet >said 2>&1 || fail "much to print" said
for command in 'runs list --limit 0' 'runs export' 'runs export --format json' 'rules export --format json' \
	'rules list' 'model list' 'predict --from measured.csv'; do
	# shellcheck disable=SC2086 # several words
	("$lemnos" $command --kb much.kb; echo $? >status) 2>said | head -n 1 >/dev/null
	if [ "$(cat status)" -eq 0 ] && [ ! -s said ]; then
		pass "\`$command | head\` ends without a word"
	else
		fail "\`$command | head\` ends without a word" said status
	fi
done
expect "standard output that is closed" 5 'could not be written' \
	bash -c 'exec >&-; exec "$@"' - "$lemnos" status --kb a.kb
cp start.kb c.kb
(runs 20; echo 50,50,50,0,2,4,10,3,3,1) >with_bad.csv
"$lemnos" ingest with_bad.csv --kb c.kb --app sweep3d --machine m --rejects rejects.csv >&- 2>&- <&-
if sound c.kb && [ "$(sqlite3 c.kb 'SELECT count(*) FROM run_sweep3d')" -eq 20 ] &&
	! grep -q taken rejects.csv; then
	pass "with all three descriptors closed, no message ends in a file"
else
	fail "with all three descriptors closed, no message ends in a file" rejects.csv
fi
verdict
