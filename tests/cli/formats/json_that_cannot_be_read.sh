# lines and columns are those of the file
printf '{"results": [\n {"command": "a", "mean": 1, "mean": 2}]}' >twice.json
printf '{"results": [\n {"command": "a", "mean": 1, "times": [1.0}]}' >wrong.json
printf '{"results": [\n {"command": "a", "mean": 1, "times": [1.0' >cut_off.json
printf '{"results": [\n {"command": "a", "mean": 1, "times": [%s]}]}' "$(printf '[%.0s' $(seq 70))" >deep.json
printf '{"results": [\n {"command": "a", "mean": 1, "times": [1e999]}]}' >large.json
printf '{"results": {"command": "a", "mean": 1}}' >other.json
for file in twice wrong cut_off deep large other; do
	"$lemnos" ingest $file.json --kb a.kb --app solve --machine box --target time_s
done
"$lemnos" ingest "$tree"/tests/fixtures/formats/hyperfine/threads.json --kb a.kb --max-bytes 100
