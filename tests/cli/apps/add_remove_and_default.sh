cat >mine.conf <<'CONF'
application = {
  name = "mine";
  title = "my own code";
  problem = ( { name = "n"; min = 1; } );
  resources = ( { name = "nodes"; min = 1; flag = "nodes"; } );
  target = { name = "time"; unit = "s"; };
};
CONF
cp "$loaded" a.kb
"$lemnos" apps add mine.conf --kb a.kb
"$lemnos" apps default mine --kb a.kb
"$lemnos" apps --kb a.kb
"$lemnos" apps default - --kb a.kb
"$lemnos" apps default --kb a.kb
"$lemnos" apps remove mine --kb a.kb
"$lemnos" apps --kb a.kb --format json
"$lemnos" apps remove sweep3d --kb a.kb
# words that look like SQL; a range that leaves out runs that are there is refused, a wider one is not
sed 's/min = 1; }/min = 1; doc = "as in CREATE VIEW run AS of the base"; }/' mine.conf >doc.conf
"$lemnos" apps add doc.conf --kb a.kb
printf 'n,nodes,time\n1,1,2\n5,1,9\n' >runs.csv
"$lemnos" ingest runs.csv --kb a.kb --app mine --machine sp2like --quiet
sed 's/min = 1; doc/min = 2; max = 9; doc/' doc.conf >narrow.conf
"$lemnos" apps add narrow.conf --kb a.kb
sed 's/min = 1; doc/min = 0; max = 9; doc/' doc.conf >wide.conf
"$lemnos" apps add wide.conf --kb a.kb
"$lemnos" status check --kb a.kb
