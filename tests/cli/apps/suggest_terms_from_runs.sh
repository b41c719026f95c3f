# Runs of an HPL whose terms are known; see the generator.
awk -v kind=hpl -f "$cases/../fixtures/terms/planted.awk" >hpl.csv
"$lemnos" ingest hpl.csv --kb a.kb --app hpl --machine m --target time --problem n --tunable nb --grid p,q --quiet >ingested 2>&1
"$lemnos" apps suggest --kb a.kb --output hpl.conf
cat hpl.conf
"$lemnos" apps check hpl.conf
# what is there stays
"$lemnos" apps suggest --kb a.kb --output hpl.conf --quiet >again
echo "exit status $?"
# mining uses them; the same terms are found again, and take the place of the others
"$lemnos" apps add hpl.conf --kb a.kb
"$lemnos" mine --kb a.kb --quiet >mined
"$lemnos" recommend --problem n=20000 --deadline 1h --kb a.kb --quiet >advice
"$lemnos" explain --kb a.kb --quiet | tr '\n' ' ' | tr -s ' ' | grep -o "The definition's terms are used"
"$lemnos" apps suggest hpl --machine m --kb a.kb --format json >suggestion.json
sed -E 's/.*"definition".*/(the definition)/; s/([0-9][.][0-9]{3})[0-9]*/\1/' suggestion.json
jq -j .definition suggestion.json | cmp hpl.conf - && echo the same
