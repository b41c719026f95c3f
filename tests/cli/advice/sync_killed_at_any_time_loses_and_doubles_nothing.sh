# Whenever it is killed: a job is settled and its run there, or neither; what is left is done by the next one.
. "$cases/advice/fake_slurm"
for n in 20 30 40; do
	submit --problem n=$n >/dev/null
	echo "$((39 + n / 10))|COMPLETED|$n|60|1795402819|1795402821|1795402843|1|0:0|lemnos|$(cat name)" >>lines
done
mv lines sacct
cp a.kb start.kb
sound() { # settled jobs and runs that came of jobs are as many, and each run is that of its job
	sqlite3 -cmd '.timeout 60000' a.kb "SELECT (SELECT count(*) FROM advice_job WHERE settled) = (SELECT count(*) FROM advice_job AS j
		JOIN import AS i ON j.import_sha256 = i.sha256 JOIN runs_nap AS r USING (import_id) WHERE r.wall_s = j.wall_s)
		AND (SELECT count(*) FROM import) = 1 + (SELECT count(*) FROM advice_job WHERE settled)"
}
for ms in 000 005 010 015 020 025 030 035 040 050 060 070 080 100 120 150; do
	rm -f a.kb a.kb-*
	cp start.kb a.kb
	timeout -s KILL "0.${ms}1" "$lemnos" advice sync >out 2>&1
	[ "$(sound)" = 1 ] || echo "after $ms ms: half a job"
	"$lemnos" advice sync >out 2>&1 || cat out
	[ "$(sound)" = 1 ] || echo "after $ms ms and another sync: half a job"
	sqlite3 a.kb "SELECT count(*), (SELECT count(*) FROM runs_nap), (SELECT sum(settled) FROM advice_job) FROM import"
done | sort | uniq -c | sed 's/^ *//'
