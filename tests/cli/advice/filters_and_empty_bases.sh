echo "--- empty"
"$lemnos" init --kb e.kb --quiet >/dev/null
"$lemnos" advice --kb e.kb
"$lemnos" advice --kb e.kb --format csv
"$lemnos" advice --kb e.kb --format json
"$lemnos" advice calibration --kb e.kb
"$lemnos" advice calibration --kb e.kb --format json
"$lemnos" advice show 0123 --kb e.kb
. "$cases/advice/planted_base"
echo "--- filters"
"$lemnos" advice --app QR --machine M --limit 1 --format csv | cut -d , -f 1-6
"$lemnos" advice --app sweep3d
"$lemnos" advice --app nosuch
"$lemnos" advice --machine "it's \"m\""
"$lemnos" advice --limit -1
"$lemnos" advice nosuch
echo "--- read-only, in a folder that is"
mkdir locked && cp b.kb locked/ && chmod 500 locked && chmod 400 locked/b.kb
"$lemnos" advice --kb locked/b.kb --limit 2 | cut -c 1-60
"$lemnos" advice show 1001 --kb locked/b.kb | sed -n 1,4p
chmod 700 locked
echo "--- one that cannot be read does not hide the others"
sqlite3 b.kb "UPDATE advice SET answer = 'no json' WHERE advice_id = '1014000000000000'"
"$lemnos" advice --limit 1 --format csv | cut -d , -f 1-2
