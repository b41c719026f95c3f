cp "$mined" kb
sqlite3 kb <"$cases/rules/planted.sql"
$lemnos rules show 1 --limit 2 --kb kb
echo "---"
$lemnos rules show abcd00000002 --limit 1 --kb kb
echo "---"
$lemnos rules show 7e00 --limit 1 --kb kb
echo "---"
$lemnos rules show 1 --limit 1 --format json --kb kb | jq 'del(.rule)'
$lemnos rules show 2 --format csv --kb kb | wc -l
echo "--- rule 1 counted in another way: configurations, counter-examples, other choices"
sqlite3 kb "WITH slow AS (SELECT procs, k_blocks, problem, wall_s / min(wall_s) OVER c AS ratio,
	count(*) OVER c AS n FROM (SELECT *, it_g || 'x' || jt_g || 'x' || kt || ' ' || iterations ||
	' ' || nodes || ' ' || procs AS problem FROM run_sweep3d WHERE machine_id =
	(SELECT machine_id FROM machine WHERE name = 'sp2like')) WINDOW c AS (PARTITION BY problem)),
compared AS (SELECT *, procs >= 64 AND k_blocks <= 10 AS holds FROM slow WHERE n > 1)
SELECT sum(holds), sum(holds AND ratio <= 1.05),
	sum(NOT holds AND problem IN (SELECT problem FROM compared WHERE holds)) FROM compared"
