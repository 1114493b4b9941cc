-- Changes of factors. The columns are null in rows that the previous version writes.
alter table postern_users add column factors_frozen_until bigint;
alter table postern_users add column removing_factor varchar(64) collate "C";
