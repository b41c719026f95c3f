cp "$mined" a.kb
next() { "$lemnos" recommend --kb a.kb --problem 280x280x255 --mk 15 --mmi 3 --grid 1x2 "$@"; }
next --objective time --next 3 | grep '^runs that would'
next --deadline 2s --next 3 | grep '^runs that would'
next --deadline 2s --next 3 --format csv
ask() { "$lemnos" recommend --problem 280x280x255 --deadline 1h "$@"; }
ask --kb a.kb --next 0
ask --kb a.kb --next 21
ask --kb a.kb --next many
"$lemnos" init --kb empty.kb --quiet >init.out
ask --kb empty.kb --next 3
