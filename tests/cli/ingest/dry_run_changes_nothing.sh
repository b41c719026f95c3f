cp "$loaded" a.kb
sha256sum a.kb >before
printf 'it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s\n50,50,50,2,2,4,10,3,3.31\n' >runs.csv
"$lemnos" ingest runs.csv --kb a.kb --app sweep3d --machine new --dry-run
sha256sum --check --quiet before
"$lemnos" ingest runs.csv --kb none.kb --app sweep3d --machine new --dry-run
echo "exit status $?"
ls
# what fails leaves no new base behind
printf 'a,b\n1,2\n' >other.csv
"$lemnos" ingest other.csv --kb none.kb --machine new
echo "exit status $?"
"$lemnos" ingest runs.csv --kb none.kb --app sweep3d --machine new --source nosuch
"$lemnos" ingest other.csv runs.csv nosuch.csv --kb folder/some.kb --app sweep3d --machine new
echo "exit status $?"
"$lemnos" ingest runs.csv --kb folder/some.kb --app sweep3d --machine new
ls . folder
