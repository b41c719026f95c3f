cp "$tree"/tests/fixtures/formats/extrap_jsonl/sweep.jsonl .
"$lemnos" ingest sweep.jsonl --kb a.kb --app sweep --machine box --region main --metric time --target time --unit time=s \
	--problem n --resource p=procs
"$lemnos" runs export --kb a.kb | cut -d , -f 3-10
"$lemnos" ingest sweep.jsonl --kb a.kb --app sweep --machine box --region mein --metric time
"$lemnos" ingest sweep.jsonl --kb a.kb --app sweep --machine box --region main --metric time --dry-run
