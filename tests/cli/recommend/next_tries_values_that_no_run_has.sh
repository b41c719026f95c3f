# Time falls with the block size as far as that was run, 64; runs have 1, 2, 4 and 8 nodes. p and q
# always change together, the variant is one of 1, 2, 3: nothing is tried of those.
awk 'BEGIN {
	print "n,nodes,nb,p,q,variant,time_s"
	for (n = 1000; n <= 4000; n *= 2)
		for (nodes = 1; nodes <= 8; nodes *= 2)
			for (nb = 8; nb <= 64; nb *= 2)
				for (p = 1; p <= 8; p *= 2)
					for (v = 1; v <= 3; v++) {
						k++
						if (k % 3 == 0)
							continue
						t = 1e-5 * n * n / nodes ^ 0.9 * (1 + 4 / nb) * (1 + 0.05 * p) * (1 + 0.02 * v)
						t *= 1 + 0.06 * sin(37 * k)
						printf "%d,%d,%d,%d,%d,%d,%.5g\n", n, nodes, nb, p, 8 / p, v, t
					}
}' >runs.csv
"$lemnos" ingest runs.csv --kb kb --app toy --machine m --target time_s --problem n \
	--tunable nb,p,q,variant --resource nodes=nodes --quiet >ingest.out
"$lemnos" mine --kb kb --quiet >mine.out
next() { "$lemnos" recommend --kb kb --problem 3000 --objective time --next 6 "$@"; }
next >said
"$lemnos" explain --kb kb "$(sed -n 's/^all behind this answer: lemnos explain \([0-9a-f]*\).*/\1/p' said)" --format json >e.json
sqlite3 :memory: "SELECT json_extract(readfile('e.json'), '\$.answer')" >a.json
echo "--- new values that are named, of nb alone; never more nodes than there are"
sqlite3 :memory: "CREATE TABLE run AS SELECT value AS v FROM json_each(readfile('a.json'), '\$.next');
SELECT DISTINCT u.value, CASE u.value WHEN 'nb' THEN v ->> 'nb' END
FROM run, json_each(run.v, '\$.unseen') AS u ORDER BY 1;
SELECT max(v ->> 'nodes') <= 8, min(v ->> 'p' * (v ->> 'q')) = 8, max(v ->> 'variant') <= 3 FROM run;
SELECT count(*) > 0 FROM run WHERE v ->> 'kind' = 'new value';
SELECT min(v ->> 'why' LIKE '%It costs about % node-hours and takes the chance of a wrong decision from %')
FROM run"
echo "--- in a sentence, its figures aside"
grep -A 3 '^  1\. ' said | tr '\n' ' ' | sed -E 's/  +/ /g; s/[0-9.]+ (s|%|node-hours)/N \1/g; s/below N/N/g'
echo
echo "--- none of a tunable that is fixed"
next --set nb=64 --format json >b.json
sqlite3 :memory: "SELECT count(*) FROM json_each(readfile('b.json'), '\$.next') WHERE value ->> 'kind' = 'new value'"
