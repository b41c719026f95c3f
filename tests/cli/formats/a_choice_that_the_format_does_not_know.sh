cp "$tree"/tests/fixtures/formats/*/threads.json "$tree"/tests/fixtures/formats/*/training.patterns .
printf 'n,time\n1,2\n' >runs.csv
for file in threads.json runs.csv; do
	"$lemnos" ingest $file --kb a.kb --app solve --machine box --target time_s --region main
	"$lemnos" ingest $file --kb a.kb --app solve --machine box --target time_s --metric time
	"$lemnos" ingest $file --kb a.kb --app solve --machine box --target time_s --patterns training.patterns \
		--input-format csv
done
