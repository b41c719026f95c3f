cp "$loaded" a.kb
"$lemnos" imports undo 1 99 --kb a.kb
code=$?
"$lemnos" imports undo 2 2 --kb a.kb
"$lemnos" imports --kb a.kb --format csv | cut -d , -f 1,10
exit $code
