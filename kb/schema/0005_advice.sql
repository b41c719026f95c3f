-- Judgement: when a recommendation was given, as exactly as ids can tell (dates have whole seconds).

-- Runs of this id and above were loaded after it. NULL: not known, because it was given before this
-- was kept, or in another base.
ALTER TABLE advice ADD COLUMN first_run_id INTEGER;
