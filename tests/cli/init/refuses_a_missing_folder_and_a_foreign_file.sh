LEMNOS_DATADIR=$PWD/nowhere "$lemnos" init --kb a.kb
echo "exit status $?"

echo '--- foreign file is refused'
echo "not a knowledge base" >a.kb
"$lemnos" init --kb a.kb
code=$?
cat a.kb
exit $code
