alter table postern_refresh_tokens add column reissued_at bigint;
