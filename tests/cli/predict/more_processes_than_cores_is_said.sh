cp "$mined" a.kb
"$lemnos" predict --kb a.kb --problem 100x100x100 --mk 10 --mmi 3 --grid 16x16 --nodes 1 | grep note
"$lemnos" predict --kb a.kb --problem 100x100x100 --mk 10 --mmi 3 --grid 16x17 | grep note
