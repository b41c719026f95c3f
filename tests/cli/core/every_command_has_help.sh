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
