"$lemnos" apps check "$data/applications/sweep3d.conf"
cat >bad.conf <<'CONF'
application = {
  name = "bad";
  problem = ( { name = "n"; min = 1; } );
  resources = ( { name = "nodes"; min = 1; } );
  legality = ( { rule = "n <= m"; why = "m is not there"; } );
  target = { name = "time"; unit = "s"; };
};
CONF
"$lemnos" apps check bad.conf
echo 'application = { name = "bad"' >worse.conf
"$lemnos" apps check worse.conf
"$lemnos" apps check missing.conf
