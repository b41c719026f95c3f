# shellcheck shell=bash
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
# It is held when it asks, and goes on for a moment at a time until so many jobs are settled.
cat >bin/sacct <<'END'
#!/bin/sh
[ ! -e hold ] || { mv hold held; kill -STOP "$PPID"; }
sed "s/NAME/$(cat name)/" sacct
END
chmod +x bin/sacct
settled() { # held in the midst of a transaction it lets nobody see
	sqlite3 a.kb "SELECT count(*) FROM advice_job WHERE settled" 2>/dev/null || echo 0
}
a_moment() { # less than starting a program at first; longer each time, or on a busy machine it might never get on
	i=0
	moment=$((moment + 20))
	while [ $i -lt $moment ]; do i=$((i + 1)); done
}
for n in 0 1 2 3; do
	rm -f a.kb a.kb-* held
	cp start.kb a.kb
	touch hold
	"$lemnos" advice sync >out 2>&1 &
	pid=$!
	until [ -e held ]; do sleep 0.005; done
	moment=180
	while [ "$(settled)" -lt $n ]; do
		kill -CONT $pid
		a_moment
		kill -STOP $pid
	done 2>/dev/null # it may have ended
	kill -9 $pid 2>/dev/null
	wait $pid 2>/dev/null
	[ "$(sound)" = 1 ] || echo "after $n jobs: half a job"
	"$lemnos" advice sync >out 2>&1 || cat out
	[ "$(sound)" = 1 ] || echo "after $n jobs and another sync: half a job"
	sqlite3 a.kb "SELECT count(*), (SELECT count(*) FROM runs_nap), (SELECT sum(settled) FROM advice_job) FROM import"
done | sort | uniq -c | sed 's/^ *//'
