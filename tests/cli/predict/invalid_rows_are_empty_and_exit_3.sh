cp "$mined" a.kb
cat >in.csv <<'CSV'
machine,it_g,jt_g,kt,npe_i,npe_j,mk,mmi
sp2like,100,100,100,4,4,10,4
sp2like,100,100,,4,4,10,3
sp2like,100,ten,100,4,4,10,3
nowhere,100,100,100,4,4,10,3
sp2,100,100,100,4,4,10,3
sp2like,100,100
sp2like,100,100,100,4,4,10,3
CSV
"$lemnos" predict --kb a.kb --from in.csv | sed -E 's/[0-9]+\.[0-9]+/N/g'
"$lemnos" predict --kb a.kb --from in.csv --quiet >/dev/null 2>&1
echo "exit status $?"
"$lemnos" predict --kb a.kb --from in.csv --format table 2>/dev/null | sed -E 's/[0-9.]+ m?s  /N  /g'
