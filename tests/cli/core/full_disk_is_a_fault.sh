"$lemnos" help >/dev/full
