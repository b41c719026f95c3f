# Whoever writes a ping-pong file into a pipe may take long: others change the base meanwhile.
cp "$loaded" a.kb
mkfifo pipe
"$lemnos" calibrate --kb a.kb --machine new --pingpong pipe --format csv &
exec 3>pipe # waits until the other end is open
head -n 2 "$data/runs/pingpong_sp2like.csv" >&3
"$lemnos" machines default sp2like --kb a.kb # the reader waits for more; it would be in vain if that were with a lock
echo "exit status $?"
tail -n +3 "$data/runs/pingpong_sp2like.csv" >&3
exec 3>&-
wait $!
