cp "$tree"/tests/fixtures/formats/gptune/PDGEQRF.json .
"$lemnos" ingest PDGEQRF.json --kb a.kb --app qr --target r --problem m,n --tunable mb,nb,lg2npernode,p
"$lemnos" ingest PDGEQRF.json --kb a.kb --app qr --target r --unit r=s --problem m,n --tunable mb,nb,lg2npernode,p
"$lemnos" runs export --kb a.kb | cut -d , -f 3-13
