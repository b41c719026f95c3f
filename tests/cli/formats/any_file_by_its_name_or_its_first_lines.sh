fixtures=$tree/tests/fixtures/formats
hpl='--machine box --cores-per-node 8 --app hpl --target Time --problem N --tunable NB --grid P,Q'
# packed, from a pipe, named: the same content, so known again
gzip -c "$fixtures/hpl/HPL.out" >out.gz
"$lemnos" ingest out.gz --kb a.kb $hpl --quiet | sed -n 1p
"$lemnos" ingest - --kb a.kb $hpl <"$fixtures/hpl/HPL.out"
"$lemnos" ingest "$fixtures/hpl/HPL.out" --kb a.kb $hpl --input-format hpl | tail -n 2
# a word of --input-format may stand behind --format, beside the summary's
"$lemnos" ingest "$fixtures/hpl/HPL.out" --kb b.kb $hpl --format hpl --format csv | cut -d, -f2-
"$lemnos" ingest "$fixtures/hpl/HPL.out" --kb c.kb $hpl --format json --format auto | grep '"note": "read'
# what is not in that format, and no format
for f in sacct swf sweep3d hpl osu; do
	"$lemnos" ingest "$data/runs/measured_local.csv" --kb c.kb --machine box --app hpl --input-format $f \
		2>&1 | sed 's|measured_local.csv:[0-9]*: .*|measured_local.csv:LINE: ...|'
done
"$lemnos" ingest out.gz --kb c.kb --machine box --input-format hpll
"$lemnos" ingest out.gz --kb c.kb --machine box --format hpll
# a delimiter is that of a table
printf 'JobID|JobName|State|Elapsed\n1|n1|COMPLETED|00:00:10\n1.0|x|COMPLETED|00:00:09\n' >jobs.txt
for more in '' '--delimiter |'; do
	"$lemnos" ingest jobs.txt --kb d.kb --machine box --app a --target Elapsed --problem JobName \
		--dry-run $more | head -n 2
done
"$lemnos" ingest jobs.txt --kb d.kb --machine box --app a --input-format sacct --delimiter ';'
# --max-bytes holds for what is held in memory
"$lemnos" ingest "$fixtures/hpl/HPL.out" --kb d.kb $hpl --max-bytes 1kB
echo "exit status $?"
