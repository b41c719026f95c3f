cp "$tree"/tests/fixtures/formats/hyperfine/threads.json .
"$lemnos" ingest threads.json --kb a.kb --app solve --machine box --target time_s --resource threads=threads
"$lemnos" runs export --kb a.kb | cut -d , -f 3-8
# commands without parameters
printf '{"results": [{"command": "sort -n a", "mean": 1, "times": [1.0]}, {"command": "sort a", "mean": 2, "times": [2.0]}]}' |
	"$lemnos" ingest - --kb b.kb --app sort --machine box --target time_s --problem command
"$lemnos" runs export --kb b.kb | cut -d , -f 3-8
