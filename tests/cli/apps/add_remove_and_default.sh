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
