cp "$mined" kb
sqlite3 kb 'UPDATE rule_set SET sha256 = NULL; DELETE FROM rule_cost; DELETE FROM rule'
$lemnos rules --kb kb
echo "status $?"
$lemnos rules --format json --kb kb
$lemnos rules export --kb kb
sqlite3 kb 'UPDATE data_profile SET n_configurations = 3, n_cases = 3, n_problems = 3'
$lemnos rules --kb kb
