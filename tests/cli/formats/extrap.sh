echo "-- JSON Lines"
mkdir json_lines && cd json_lines || exit
cp "$tree"/tests/fixtures/formats/extrap_jsonl/sweep.jsonl .
"$lemnos" ingest sweep.jsonl --kb a.kb --app sweep --machine box --region main --metric time --target time --unit time=s \
	--problem n --resource p=procs
"$lemnos" runs export --kb a.kb | cut -d , -f 3-10
"$lemnos" ingest sweep.jsonl --kb a.kb --app sweep --machine box --region mein --metric time
"$lemnos" ingest sweep.jsonl --kb a.kb --app sweep --machine box --region main --metric time --dry-run
cd ..

echo "-- text: one region is the run"
mkdir text_one_region_is_the_run && cd text_one_region_is_the_run || exit
cp "$tree"/tests/fixtures/formats/extrap/*.txt .
"$lemnos" ingest sweep.txt --kb a.kb --app sweep --machine box --target time --problem n --resource p=procs
"$lemnos" ingest sweep.txt --kb a.kb --app sweep --machine box --region main --target time --problem n --resource p=procs
"$lemnos" ingest sweep.txt --kb a.kb --app sweep --machine box --region main --metric time --target time --problem n --resource p=procs
"$lemnos" ingest sweep.txt --kb a.kb --app sweep --machine box --region main --metric time --target time --unit time=s \
	--problem n --resource p=procs
"$lemnos" runs export --kb a.kb | cut -d , -f 3-10
# rows of all regions, told apart by a column
"$lemnos" ingest sweep.txt --kb b.kb --app sweep --machine box --region '*' --metric time --target time --unit time=ms \
	--problem n,region --resource p=procs
"$lemnos" runs export --kb b.kb | cut -d , -f 3-10
# neither a metric nor a region: the values of points have no name of their own
"$lemnos" ingest one_region.txt --kb c.kb --app one --machine box --target value --unit value=s --problem n
"$lemnos" runs export --kb c.kb | cut -d , -f 3-8
cd ..
