"$lemnos" model components >all
grep -c '^[a-z]' all
sed -n 1,3p all
