cp "$mined" a.kb
"$lemnos" recommend --verbose --kb a.kb --machine local-2core --problem 280x280x255 --grid 4x4 --mk 5 --mmi 3 \
	--deadline 1h --max-nodes 1000000 | grep -E '^(Submit|No |note|chosen from)'
"$lemnos" recommend --verbose --kb a.kb --machine local-2core --problem 280x280x255 --deadline 1s | grep -E '^(No|chosen from)' | sed 's| meets.*||'
