cp "$loaded" a.kb
"$lemnos" status check --kb a.kb
dd if=/dev/urandom of=a.kb bs=4096 seek=3 count=20 conv=notrunc 2>/dev/null
"$lemnos" status check --kb a.kb >report 2>&1
