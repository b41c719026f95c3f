# Minutes taken for seconds are 1/60 of what others took: flagged, with the ways to look at them and out.
printf 'size,nodes,time_s\n%s\n' 8,1,3000 8,1,3100 8,1,3050 8,1,2990 8,1,3010 >seconds.csv
printf 'size,nodes,time_s\n8,1,50.5\n' >minutes.csv
ingest() {
	"$lemnos" ingest "$@" --kb a.kb --app code --machine box
}
ingest seconds.csv --target time_s --problem size --resource nodes=nodes --quiet >/dev/null
ingest minutes.csv --dry-run
ingest minutes.csv
# what the note says to type
"$lemnos" runs --kb a.kb --where "import_id = 2 and flag != ''"
"$lemnos" imports undo 2 --kb a.kb
ingest minutes.csv --unit time_s=min
