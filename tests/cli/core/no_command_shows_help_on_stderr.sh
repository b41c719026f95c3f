"$lemnos" 2>err
echo $?
head -1 err
