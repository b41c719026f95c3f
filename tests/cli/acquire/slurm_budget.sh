# shellcheck shell=bash
# A budget counts what is under way: nobody knows how long the first takes, so that it is alone; then each of 20 s,
# of 70 s: 20 were used, two more make 60, three would make 80.
. "$cases/acquire/fake_slurm"
touch holds
sed 's/levels = .*\]/levels = [ 1, 3 ]/; s/kind = "slurm"/kind = "slurm"; in_flight = 6/; s/seed = 7/budget = { wall = "70s"; }; seed = 7/' \
	jobs.plan | sed 's/repeats = 1/repeats = 3/' >budget.plan
finish() { # NUMBER: after 20 s
	folder=$(sed -n "s/^$1 .* //p" jobs)
	echo "elapsed time: 0.5 s" >"$folder/stdout"
	printf 'elapsed_s 20\nexit_status 0\nsignal 0\ntimed_out 0\nstarted 1795402819\nended 1795402839\nend\n' >"$folder/part"
	mv "$folder/part" "$folder/end"
}
under_way() { # N: so many jobs in all, and nothing more is submitted before Slurm is asked
	await grep -q "^$((40 + $1)) " jobs
	: >asked
	await test -s asked
	echo "jobs: $(wc -l <submitted)"
}
"$lemnos" acquire run budget.plan >log 2>&1 &
runner=$!
under_way 1
finish 41
under_way 3
finish 42
finish 43
wait $runner
sed 's/toy.*\///' log | tail -3
