# A search on three processors: who has found it first tells, and the fourth goes on. Found after 3, 1 and 2 s,
# told 0.5 s later; going on takes 4 s: 5.5 s with the first, 6.5 s when two have found it, 7.5 s with all.
for fires in any 2 all; do
	cat >search.txt <<END
task-graph 1
task a proc=0 time=3
task b proc=1 time=1
task c proc=2 time=2
task go proc=3 time=4 fires=$fires
edge a go time=500ms
edge b go time=500ms
edge c go time=500ms
END
	"$lemnos" model graph search.txt --format json | jq -c '.graph | [.time_s, .critical_path_s]'
done
sed -i 's/fires=all/fires=2/' search.txt
"$lemnos" model graph search.txt --write again.txt --dot search.dot 2>&1 | tail -n 4
grep fires again.txt search.dot
# As a static graph: a rule that the text computes.
cat >static.txt <<'END'
static-task-graph 1
let n = 3
for p = 0 .. n - 1
    task s{p} proc={p} time={p + 1}
    edge s{p} go
end
task go proc={n} time=4 fires={n - 1}
END
"$lemnos" model graph static.txt --format json | jq -c '.graph | [.time_s, .critical_path_s]'
sed 's/fires=2/fires=4/' search.txt | "$lemnos" model graph -
sed 's/fires=2/fires=0/' search.txt | "$lemnos" model graph -
sed 's/proc=. //' search.txt | "$lemnos" model graph - --processors 4
