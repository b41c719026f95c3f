# A picture is there as a whole, or what was there before stays: gnuplot that fails, draws nothing, is cut off by a
# full disk without a word, or cannot be written where it is to be. A limit on the size of files plays the disk.
mkdir bin
gnuplot() { # SCRIPT: the program from now on
	printf '#!/bin/sh\n%s\n' "$1" >bin/gnuplot
	chmod +x bin/gnuplot
}
PATH=$PWD/bin:$PATH
plot() {
	echo before >it.svg
	"$lemnos" model message --machine sp2 --plot it.svg >log
	echo "exit status $?: $(head -c 80 it.svg)"
}
gnuplot 'cat >script; head -1 script'
plot
echo "-- it fails after a part"
gnuplot 'echo "<svg>"; exit 3'
plot
echo "-- it draws nothing"
gnuplot 'cat >/dev/null'
plot
echo "-- the disk is full, and it does not notice"
gnuplot 'trap "" XFSZ; { yes "<line/>" | head -c 200000; } 2>/dev/null; exit 0' # their complaints are not ours
(export LLVM_PROFILE_FILE=/dev/null && ulimit -f 100 && plot) # counts of coverage have no room either
echo "-- the disk is full for the script"
"$lemnos" model message --machine sp2 --plot it.gp >log
(export LLVM_PROFILE_FILE=/dev/null && ulimit -f 0 && exec "$lemnos" model message --machine sp2 --plot it.gp) 2>&1 | tail -1
wc -l <it.gp
ls
