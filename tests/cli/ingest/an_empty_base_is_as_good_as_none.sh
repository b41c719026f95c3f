head -20 "$data/runs/simulated_sp2like.csv" >runs.csv
: >empty.kb
"$lemnos" ingest runs.csv --kb empty.kb
"$lemnos" apps --kb empty.kb | sed -n 1,5p
