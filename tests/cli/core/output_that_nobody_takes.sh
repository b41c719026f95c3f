echo "-- a reader that leaves"
mkdir a_reader_that_leaves && cd a_reader_that_leaves || exit
cp "$loaded" lemnos.kb
{ "$lemnos" runs export --kb lemnos.kb; echo $? >status; } | head -1 | cut -c 1-20
cat status
cd ..

echo "-- an answer that is lost is a fault"
mkdir an_answer_that_is_lost_is_a_fault && cd an_answer_that_is_lost_is_a_fault || exit
# Whatever it said, nobody got it: neither the honest no (1) nor refused rows (3).
cp "$mined" a.kb
"$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline 1s >/dev/full
echo "exit status $?"
printf 'it_g,jt_g,kt,npe_i,npe_j,mk,mmi\n100,100,100,4,4,10,4\n' >in.csv
"$lemnos" predict --kb a.kb --from in.csv >/dev/full
echo "exit status $?"
# A command line that is wrong had nothing to lose.
"$lemnos" recommend --kb a.kb >/dev/full
echo "exit status $?"

echo '--- full disk is a fault'
"$lemnos" help >/dev/full
echo "exit status $?"
cd ..
