# shellcheck shell=bash
# Several runs in one allocation: each has its own limit, result and failure; what the allocation did not come to, or
# was cut in, is run again.
. "$cases/acquire/fake_slurm"
together() { # NAME KEYS SED-COMMAND: a plan
	sed "s/name = \"toy\"/name = \"$1\"/; s/repeats = 2/repeats = 1/; $3
		s/seed = 7/launcher = { kind = \"slurm\"; $2 }; seed = 7/" toy.plan >"$1.plan"
}
anew() {
	rm -rf kb kb.campaigns asked jobs submitted steps cut_at ends_as ended_at began
	: >jobs
	: >submitted
	"$lemnos" init --quiet >/dev/null
	"$lemnos" apps add toy.conf --quiet
}
echo "-- eight runs, three in each job; one of them fails"
together all "runs_per_job = 3;" ""
"$lemnos" acquire run all.plan
cat submitted
runs
echo "each was asked for once: $(sort asked | uniq -d | wc -l) of $(wc -l <asked) twice"
echo "jobs may take, in minutes: $(sed -n 's/#SBATCH --time=//p' script.4? | tr '\n' ' ')"
echo "-- the script of the last two"
sed 's/lemnos-[0-9a-f]*/lemnos-UID/' script
echo "-- started anew by an administrator, it runs nothing again"
run_job 43
wc -l <asked
echo "-- cut in its second run at the limit of the allocation"
anew
echo 2 >cut_at
echo TIMEOUT >ends_as
together cut "runs_per_job = 4;" 's/levels = .*\]/levels = [ 1, 4 ]/'
"$lemnos" acquire run cut.plan --quiet
runs
sqlite3 kb "SELECT group_concat(status, ' ') FROM runs_toy"
echo "-- cut in its first: that run takes longer than it was given"
anew
echo 1 >cut_at
echo TIMEOUT >ends_as
echo "began 1795402819 1" >began
echo 1795402821 >ended_at
together first "runs_per_job = 4;" 's/levels = .*\]/levels = [ 1, 4 ]/'
"$lemnos" acquire run first.plan --quiet
runs
sqlite3 kb "SELECT status, wall_s FROM runs_toy WHERE status <> 'ok'"
echo "-- what runs need is not the same: none of one node shares a job with one of two"
anew
together shapes "runs_per_job = 2;" 's/{ column = "p".*/{ column = "nodes"; levels = [ 1, 2 ]; }/; s/nodes=1/p=1/; s/1, 3, 4/1, 2, 4/'
"$lemnos" acquire run shapes.plan --quiet
sed -n 's/#SBATCH --nodes=//p' script.4? | tr '\n' ' '
echo
runs
echo "-- the machine's setup ends every job before its first run"
anew
cat >broken.conf <<'END'
machine = { name = "here"; title = "a cluster"; nodes = 1; slurm = { setup = [ "exit 1" ]; }; };
END
"$lemnos" machines add broken.conf --quiet
together idle "runs_per_job = 3;" ""
"$lemnos" acquire run idle.plan 2>&1 | sed 's/^lemnos acquire: //'
runs | cut -d, -f1 | sort | uniq -c | sed 's/^ *//' | head -3
