# A power law with exponents that no term has, and an application with a model.
awk -v kind=power -f "$cases/../fixtures/terms/planted.awk" | awk -F, 'NR == 1 || $2 == 1' >power.csv
"$lemnos" ingest power.csv --kb a.kb --app power --machine m --target time --problem n --tunable b --resource nodes=nodes --quiet >ingested 2>&1
"$lemnos" apps suggest power --kb a.kb --output power.conf
echo "exit status $?"
ls power.conf*
"$lemnos" apps suggest sweep3d --machine sp2like --kb "$loaded"
echo "exit status $?"
head -4 power.csv >few.csv
"$lemnos" ingest few.csv --kb b.kb --app few --machine m --target time --problem n --tunable b --resource nodes=nodes --quiet >ingested 2>&1
"$lemnos" apps suggest few --kb b.kb
echo "exit status $?"
