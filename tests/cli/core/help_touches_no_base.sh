# A pipe is no base, which whoever looks at it says; a folder that is missing would be made.
mkfifo pipe
LEMNOS_KB=$PWD/pipe "$lemnos" --help | head -1
LEMNOS_KB=$PWD/pipe "$lemnos" recommend --help | head -1
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
"$lemnos" status --help | head -1
"$lemnos" --help | tail -2
"$lemnos" status
