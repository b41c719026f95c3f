# A pipe is no base, which whoever looks at it says; a folder that is missing would be made.
mkfifo pipe
LEMNOS_KB=$PWD/pipe "$lemnos" --help | sed -n 1p
LEMNOS_KB=$PWD/pipe "$lemnos" recommend --help | sed -n 1p
LEMNOS_KB=$PWD/pipe "$lemnos" --version | sed -n '1s/ .*//p'
LEMNOS_KB=$PWD/missing/a.kb "$lemnos" --help >/dev/null
unset LEMNOS_KB
"$lemnos" --help >/dev/null
find . | sort
LEMNOS_KB=$PWD/pipe "$lemnos" status
echo "exit status $?"

echo '--- no command shows help on stderr'
"$lemnos" 2>err
echo $?
head -1 err

echo '--- help needs no base and no home'
unset HOME XDG_DATA_HOME
"$lemnos" status --help | sed -n 1p
"$lemnos" --help | tail -2
"$lemnos" status
echo "exit status $?"

echo '--- every command has help'
mkdir walk
cd walk || exit
# Walk the command table: -h, --help and help NAME say the same, and an unknown option is exit 2.
for command in $("$lemnos" help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
	"$lemnos" "$command" -h >h || echo "$command -h: exit $?"
	"$lemnos" "$command" --help >help || echo "$command --help: exit $?"
	"$lemnos" help "$command" >long || echo "help $command: exit $?"
	cmp h help && cmp h long
	grep -q '^usage: lemnos' h || echo "$command: no usage"
	"$lemnos" "$command" --quiet= >/dev/null 2>err
	[ $? = 2 ] || echo "$command --quiet=: not exit 2"
	grep -q "lemnos $command: --quiet takes no value" err || cat err
	"$lemnos" "$command" -x >/dev/null 2>&1
	[ $? = 2 ] || echo "$command -x: not exit 2"
done
ls # no command made a file
