cp "$mined" a.kb
"$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline 1h >a
LEMNOS_KB=a.kb "$recommend" --problem 280x280x255 --deadline 1h >b
cmp a b && head -c 7 a
