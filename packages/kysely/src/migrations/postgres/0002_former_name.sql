-- The name of a connection that is being deleted, once another connection may have it.
alter table postern_connections add column former_name varchar(128) collate "C";
