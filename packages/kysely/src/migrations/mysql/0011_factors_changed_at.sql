-- When the factors of a user last changed. The column is null in rows that the previous version writes.
alter table postern_users add column factors_changed_at bigint;
