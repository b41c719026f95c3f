# An empty file becomes a base as a missing one does; what brings nothing leaves it as it was.
: >empty.kb
chmod 640 empty.kb
"$lemnos" ingest "$data/runs/simulated_iblike.csv" --app sweep3d --kb empty.kb --dry-run | tail -n 1
stat -c '%s bytes, mode %a' empty.kb
"$lemnos" ingest nowhere.csv --app sweep3d --kb empty.kb
echo "exit status $?"
stat -c '%s bytes, mode %a' empty.kb
ls
"$lemnos" ingest "$data/runs/simulated_iblike.csv" --app sweep3d --kb empty.kb | head -n 1
"$lemnos" status check --kb empty.kb
