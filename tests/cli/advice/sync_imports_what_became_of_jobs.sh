# Promised against happened, once: completed, failed, out of memory, cut by its limit, cancelled, still waiting.
. "$cases/advice/fake_slurm"
for n in 20 30 40 50 60 70; do
	submit --problem n=$n >/dev/null
	cp name name.$n
done
name() {
	cat "name.$1"
}
cat >sacct <<END
41|COMPLETED|22|60|1795402819|1795402821|1795402843|1|0:0|lemnos|$(name 20)
41.batch|COMPLETED|22||1795402819|1795402821|1795402843|1|0:0|lemnos|batch
42|FAILED|5|60|1795402819|1795402821|1795402826|1|3:0|lemnos|$(name 30)
43|OUT_OF_MEMORY|6|60|1795402819|1795402821|1795402827|1|0:125|lemnos|$(name 40)
44|TIMEOUT|65|1|1795402819|1795402821|1795402886|1|0:0|lemnos|$(name 50)
45|CANCELLED by 1000|0|60|1795402819|Unknown|1795402830|0|0:0|lemnos|$(name 60)
46|PENDING|0|60|1795402819|Unknown|Unknown|1|0:0|lemnos|$(name 70)
END
printf 'began 1795402821.500000000\nended 1795402842.750000000 0\n' >"$(name 20).time"
printf 'began 1795402822.000000000\n' >"$(name 50).time"
"$lemnos" advice sync --format csv >first.csv
cut -d, -f2,6,7,8,18 first.csv
echo "--- the runs"
sqlite3 -header a.kb "SELECT r.n, r.source, r.status, r.wall_s, r.repeat, j.timed_by, j.elapsed_s, j.command_s,
	j.exit_status, j.exit_signal FROM runs_nap AS r JOIN import AS i USING (import_id)
	JOIN advice_job AS j ON j.import_sha256 = i.sha256 ORDER BY r.n"
sqlite3 a.kb "SELECT extra FROM run_nap WHERE n = 20 AND extra IS NOT NULL" | hide
"$lemnos" imports --kb a.kb --format csv | tail -n 4 | cut -d, -f2 | hide
echo "--- once more: one job waits, nothing is imported twice"
"$lemnos" advice sync --format csv | cut -d, -f2,6,8
"$lemnos" runs --app nap --format csv --limit 0 2>/dev/null | wc -l
echo "--- for people, of two recommendations"
"$lemnos" advice sync $(sqlite3 a.kb "SELECT advice_id FROM advice_job WHERE slurm_id IN ('41', '44') ORDER BY 1") >out
sed -E 's/ +/ /g' out | hide | sed 's/^[0-9a-f]* 4/ID 4/' | sort
echo "--- it has begun"
sed -i '/^46/s/.*/46|RUNNING|3|60|1795402819|1795402900|Unknown|1|0:0|lemnos|NAME/' sacct
"$lemnos" advice sync --format json | jq -c '.jobs[] | [.slurm_id, .state, .settled, .started_at != null, .run_id]'
echo "--- list and show"
"$lemnos" advice list --format csv | awk -F, 'NR > 1 { print $(NF - 1), $NF }' | sort
"$lemnos" explain "$(sqlite3 a.kb "SELECT advice_id FROM advice_job WHERE slurm_id = '44'")" | grep "^submitted"
"$lemnos" explain "$(sqlite3 a.kb "SELECT advice_id FROM advice_job WHERE slurm_id = '41'")" --format json |
	jq -c '.jobs | map([.slurm_id, .state, .wall_s, .in_time])'
"$lemnos" status check
