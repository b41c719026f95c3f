"$lemnos" status
"$lemnos" init --kb d.kb >/dev/null
"$lemnos" status --kb d.kb | tail -1
cp "$loaded" b.kb
"$lemnos" status --kb b.kb | sed '1s/[0-9.]* MB/N MB/; 1s/schema [0-9]*/schema N/'
cp "$mined" c.kb
"$lemnos" status --kb c.kb | tail -1
"$lemnos" runs exclude 1 --why "a test" --kb c.kb >/dev/null
"$lemnos" status --kb c.kb --format csv | cut -d , -f 1-4
echo "--- json"
cp "$loaded" d.kb
"$lemnos" status --kb d.kb --format json | sed 's/\(schema\|size_bytes\)": [0-9]*/\1": N/'
