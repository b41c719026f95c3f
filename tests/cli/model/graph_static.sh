set -- --machine sp2 --problem 150x150x150 --grid 4x4 --mk 10 --mmi 3 --wg 0.35us --static
"$lemnos" model graph "$@" --dot static.dot
cat static.dot
"$lemnos" model graph "$@" --format json | head -30
"$lemnos" model graph "$@" --format csv
