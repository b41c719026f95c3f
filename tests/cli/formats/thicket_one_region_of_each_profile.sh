cp "$tree"/tests/fixtures/formats/thicket/dataframe.csv .
"$lemnos" ingest dataframe.csv --kb a.kb --app lulesh --machine box --region 'solve, "CG"' --target 'Max time/rank' \
	--unit 'Max time/rank=s' --problem problem_size --resource ranks=procs
"$lemnos" runs export --kb a.kb | cut -d , -f 3-9
"$lemnos" ingest dataframe.csv --kb b.kb --app lulesh --machine box --target 'Max time/rank' --problem problem_size
