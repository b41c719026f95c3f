cp "$mined" a.kb
printf 'it_g,jt_g,kt\n1,2,3\n' >in.csv
"$lemnos" predict --kb a.kb --from in.csv
printf 'it_g,nx,jt_g,kt,npe_i,npe_j,mk,mmi\n1,1,2,3,1,1,3,6\n' >in.csv
"$lemnos" predict --kb a.kb --from in.csv
: >empty.csv
"$lemnos" predict --kb a.kb --from empty.csv
cp "$loaded" b.kb
printf 'it_g,jt_g,kt,npe_i,npe_j,mk,mmi\n100,100,100,4,4,10,3\n' >in.csv
"$lemnos" predict --kb b.kb --from in.csv
