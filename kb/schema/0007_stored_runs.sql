-- Facts: run tables without derived columns, under another name: stored_NAME. What was the table
-- run_NAME is a view over it, with the same columns, which computes the derived ones when they are
-- asked for. The tables themselves are renamed by kb_migrate.c, because they and their
-- views are made from definitions.

UPDATE application SET run_table = 'stored_' || substr(run_table, length('run_') + 1);
