# Equations 1 to 4 on the SP/2; without measurements the sizes are those where the cost changes, and powers of 2.
"$lemnos" model message --machine sp2
# beside a ping-pong, of a file and of the base: the model is its fit there
cat >some.csv <<'END'
message_bytes,roundtrip_us
1024,282
1024,284
1024,290
8192,1000
END
"$lemnos" model message some.csv --machine sp2 --plot some.gp
grep -c -e '^plot' -e 'round trip' some.gp
cp "$mined" a.kb
"$lemnos" model message --machine sp2like --kb a.kb --format csv | cut -d , -f 1,5 | sed -n '11,14p'
"$lemnos" model message --machine sp2like --kb a.kb --bytes 3000,4KiB | tail -n 2
for wrong in '--bytes many' '--plot x.doc' '--machine iblike' 'no.csv'; do
	# shellcheck disable=SC2086
	"$lemnos" model message --machine sp2 $wrong 2>&1
	echo "exit status $?"
done
