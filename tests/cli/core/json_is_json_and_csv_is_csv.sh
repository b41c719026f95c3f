# Titles with everything that needs quoting come back from both formats as they were.
cat >m.conf <<'CONF'
machine = { name = "m"; title = "say \"hi\", a, b\n2nd line \\ end"; };
CONF
"$lemnos" machines add m.conf --kb a.kb >/dev/null
"$lemnos" machines --kb a.kb --format json
"$lemnos" machines --kb a.kb --format csv
"$lemnos" machines --kb a.kb
