f=$tree/tests/fixtures/formats/sacct/sacct.txt
"$lemnos" ingest "$f" --kb a.kb --machine box --app lu --target Elapsed --problem JobName \
	--resource NNodes=nodes,NTasks=procs
"$lemnos" runs --kb a.kb --app lu --format csv
# known again whether the format is named or not; as a plain table it is another import, and steps are rows
"$lemnos" ingest "$f" --kb a.kb --machine box --app lu --format sacct
"$lemnos" ingest "$f" --kb a.kb --machine box --app lu --input-format csv --dry-run | head -n 4
