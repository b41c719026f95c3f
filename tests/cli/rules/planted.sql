-- Rules that stay the same however mining improves: they take the place of what was mined in the
-- base that the cases start from.
PRAGMA foreign_keys = ON;
DELETE FROM rule;
CREATE TEMP TABLE set_of (machine TEXT, rule_set_id INTEGER);
INSERT INTO set_of SELECT m.name, s.rule_set_id FROM rule_set s LEFT JOIN machine m USING (machine_id);

INSERT INTO rule (rule_set_id, position, rule_id, kind, machine, condition, setting, within, text,
	on_model, coefficient, formula_min, formula_max, weight, n_runs, n_configurations, n_cases,
	n_problems, n_machines, n_measured, n_simulated, n_modelled, coverage, effect, effect_lo,
	effect_hi, versus_others, confidence, p_value, held_out_error, usefulness, overlaps, overlap,
	caveat)
SELECT rule_set_id, 0, 'abcd00000001', 'choice', 'sp2like', 'procs >= 64 and k_blocks <= 10', NULL,
	NULL, '', 0, NULL, NULL, NULL, NULL, 151, 151, 27, 21, 1, 0, 151, 0, 0.265, 1.8, 1.6, 2.1, 1.5,
	0.91, 0.0003, 0.2, 0.4, 'abcd00000002', 0.25,
	'it_g and jt_g move together in these runs: they cannot be told apart'
FROM set_of WHERE machine = 'sp2like'
UNION ALL
SELECT rule_set_id, 1, 'abcd00000002', 'setting', 'sp2like', 'cells_per_proc <= 8000',
	'mk between 5 and 10 and mmi = 3', 0.05, '', 0, NULL, NULL, NULL, NULL, 81, 81, 16, 14, 1, 0, 81,
	0, 0.142, 1.03, 1.01, 1.06, 1.2, 0.88, 0.001, 0.02, 0.3, NULL, NULL, NULL
FROM set_of WHERE machine = 'sp2like'
UNION ALL
SELECT rule_set_id, 2, '7e0000000003', 'time', 'sp2like', '', NULL, NULL, '', 0, 1e-05, 0.001, 5000,
	0, 570, 570, 71, 50, 1, 0, 570, 0, 1, 1, 0.9, 1.1, NULL, 0.7, NULL, 0.3, 0.1, NULL, NULL, NULL
FROM set_of WHERE machine = 'sp2like'
UNION ALL
SELECT rule_set_id, 0, 'abcd00000004', 'choice', NULL, 'procs >= 64 and k_blocks <= 10', NULL, NULL,
	'', 0, NULL, NULL, NULL, NULL, 302, 302, 54, 21, 2, 0, 302, 0, 0.15, 1.7, 1.5, 2, 1.4, 0.9, 0.001,
	0.2, 0.5, NULL, NULL, NULL
FROM set_of WHERE machine IS NULL
UNION ALL
SELECT rule_set_id, 1, 'e00000000005', 'choice', NULL, 'mk = 1', NULL, NULL, '', 0, NULL, NULL, NULL,
	NULL, 100, 90, 20, 10, 3, 60, 40, 0, 0.05, 1.3, 1.1, 1.5, 1.2, 0.8, 0.01, 0.2, 0.2, NULL, NULL,
	NULL
FROM set_of WHERE machine IS NULL;

INSERT INTO rule_term SELECT rule_set_id, 0, '7e0000000003', 'cells_per_proc', 0.9
FROM set_of WHERE machine = 'sp2like';
INSERT INTO rule_term SELECT rule_set_id, 1, '7e0000000003', 'iterations', 1
FROM set_of WHERE machine = 'sp2like';

-- As of before there were digests: one would tell that these were not mined.
UPDATE rule_set SET sha256 = NULL;
