cp "$loaded" a.kb
"$lemnos" apps show sweep3d --kb a.kb
"$lemnos" apps show SWEEP3D --kb a.kb --format csv | head -3
"$lemnos" apps show sweep3d --kb a.kb --definition | cmp - "$data/applications/sweep3d.conf"
"$lemnos" apps show sweep --kb a.kb
