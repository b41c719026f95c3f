-- Recommendations about the application qr on machine m, as `recommend` would have stored them:
-- n-th one: problem m = n, 1 node, nb 32, 10 s (8 to 12), in time for 11 s with p.
CREATE TEMP VIEW planted AS
WITH RECURSIVE k(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k WHERE n < 20)
SELECT n, printf('%04x%012x', 4096 + n, 0) AS id, printf('2026-03-%02dT10:00:00Z', n) AS given_at,
	json_object('app', 'qr', 'machine', 'm', 'problem', json_object('m', n),
		'workload', json_object(), 'assumed', json_array(), 'fixed', json_object(),
		'deadline_s', 11.0, 'confidence', 0.9, 'objective', 'nodes', 'max_nodes', NULL)
		AS request,
	json_object('nodes', 1, 'ppn', 8, 'procs', 8, 'nb', 32, 'predicted_s', 10.0, 'lo_s', 8.0,
		'hi_s', 12.0, 'p_meet', iif(n <= 15, 0.9, 0.25), 'node_hours', 0.01,
		'support', 'inside') AS choice
FROM k;
INSERT INTO advice (advice_id, given_at, request, answer, snapshot, first_run_id)
SELECT id, given_at, request, json_object('format_version', 1, 'id', id,
	'feasible', json(iif(n <= 15, 'true', 'false')), 'request', json(request),
	iif(n <= 15, 'recommendation', 'best_effort'), json(choice), 'alternatives', json_array(),
	'evidence', json_object()), 's', 1
FROM planted;
