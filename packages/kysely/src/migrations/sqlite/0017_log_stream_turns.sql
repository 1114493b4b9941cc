-- Streams are delivered in turns: the one whose last turn is the longest ago comes first.
alter table postern_log_streams add column served_at integer not null default 0;
create index postern_log_streams_across_status_served_at_tenant_id_id on postern_log_streams (status, served_at, tenant_id, id);
drop index postern_log_streams_across_status_tenant_id_id;
