# A name that is not ASCII is shown, and the table ends, where the locale is unknown or knows ASCII only.
cat >m.conf <<'END'
machine = { name = "größe"; title = "eine Maschine in Zürich"; cores_per_node = 4; };
END
"$lemnos" init --kb a.kb --quiet
"$lemnos" machines add m.conf --kb a.kb
for locale in C POSIX xx_YY C.UTF-8; do
	LC_ALL=$locale timeout -s KILL 600 "$lemnos" machines --kb a.kb | sed -n 2p
done
