-- The factor that claims to be the first one of the user. The column is null in rows that the previous version writes.
alter table postern_users add column first_factor varbinary(64);
