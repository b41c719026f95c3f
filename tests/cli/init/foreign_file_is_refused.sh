echo "not a knowledge base" >a.kb
"$lemnos" init --kb a.kb
code=$?
cat a.kb
exit $code
