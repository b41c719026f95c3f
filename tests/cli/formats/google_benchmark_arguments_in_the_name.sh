cp "$tree"/tests/fixtures/formats/google_benchmark/sort.json .
"$lemnos" ingest sort.json --kb a.kb --app sort --machine box --target real_time_s --problem name,n --tunable arg1 \
	--resource threads=threads
"$lemnos" runs export --kb a.kb | cut -d , -f 3-12
