cp "$mined" a.kb
cat >in.csv <<'CSV'
machine,it_g,jt_g,kt,npe_i,npe_j,mk,mmi
sp2like,100,100,100,4,4,10,3
iblike,100,100,100,4,4,10,3
,100,100,100,4,4,10,3
sp2like,100,100,100,4,4,10,3
CSV
"$lemnos" machines default iblike --kb a.kb >/dev/null
"$lemnos" predict --kb a.kb --from in.csv >out
cut -d , -f 1-8,12 out
sed 's/^[^,]*,//' out | sort | uniq -c | sed -E 's/ +([0-9]).*/\1/'
echo '-- what the command line says holds over the column'
"$lemnos" predict --kb a.kb --from in.csv --machine iblike >out
sed 's/^[^,]*,//' out | sort | uniq -c | sed -E 's/ +([0-9]).*/\1/'
