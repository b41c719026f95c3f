unset HOME XDG_DATA_HOME
"$lemnos" status --help | head -1
"$lemnos" --help | tail -2
"$lemnos" status
