# What is wrong with a task's description or with what is asked for: exit status and message.
try() {
	"$lemnos" model task "$@" 2>&1
	echo "exit $?"
}
block='--it 10 --jt 10 --kt 10 --mk 5 --mmi 3 --mm 3'
try
try sweep-guess $block
try ./none.ted $block
try sweep-trace --it 11
try sweep-trace --it 0
try sweep-trace --set nx=3
try sweep-database --it 10 --jt 10
try sweep-database --it 1000 --jt 10 --mk 5 --mmi 3
printf 'task = {\n  name = "x";\n  method = "guess";\n};\n' >x.ted
try x.ted
printf 'task = { name = "\033[31mx"; method = "measure"; run = { program = "./n\033[0m"; output = "t"; }; };\n' >x.ted
try x.ted | cat -v
"$lemnos" model run loggp --machine sp2 --problem 60x40x10 --grid 3x2 --mk 5 --mmi 3 --wg ted:none
echo "exit $?"
