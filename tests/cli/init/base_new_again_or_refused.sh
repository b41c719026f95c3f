echo "-- with and without data"
mkdir with_and_without_data && cd with_and_without_data || exit
"$lemnos" init --kb a.kb
"$lemnos" apps --kb a.kb
"$lemnos" machines --kb a.kb
"$lemnos" runs --kb a.kb
"$lemnos" init --with-data --kb a.kb
echo "--- loads what ships"
"$lemnos" init --with-data
"$lemnos" machines
"$lemnos" imports --format csv | cut -d , -f 1-4,6-
cd ..

echo "-- again adds nothing"
mkdir again_adds_nothing && cd again_adds_nothing || exit
"$lemnos" init --with-data --kb a.kb >/dev/null
sha256sum a.kb >before
"$lemnos" init --with-data --kb a.kb
sha256sum --check --quiet before

echo '--- keeps a default that was chosen'
"$lemnos" init --with-data --kb a.kb >/dev/null
"$lemnos" machines default iblike --kb a.kb
"$lemnos" init --with-data --kb a.kb
"$lemnos" machines default --kb a.kb
cd ..

echo "-- a missing folder or a foreign file is refused"
mkdir a_missing_folder_or_a_foreign_file_is_refused && cd a_missing_folder_or_a_foreign_file_is_refused || exit
LEMNOS_DATADIR=$PWD/nowhere "$lemnos" init --kb a.kb
echo "exit status $?"

echo '--- foreign file is refused'
echo "not a knowledge base" >a.kb
"$lemnos" init --kb a.kb
echo "exit status $?"
cat a.kb
cd ..
