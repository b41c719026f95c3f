"$lemnos" ingest x.csv --kb a.kb --target time --problem m
"$lemnos" ingest x.csv --kb a.kb --app qr --target time --problem m --resource x=y
"$lemnos" ingest x.csv --kb a.kb --app qr --tunable mb
"$lemnos" ingest x.csv --kb a.kb --app qr --target t --problem m,,n
"$lemnos" ingest x.csv --kb a.kb --app qr --target t --problem m --resource nodes=
"$lemnos" ingest x.csv --kb a.kb --app qr --target t --problem m --unit t=parsec
"$lemnos" ingest x.csv y.csv --kb a.kb --rejects bad.csv
"$lemnos" ingest
ls
