-- The log ids of one acknowledged delivery of a log stream, with the dates of its first and last event. Deleted when the log up to the last event is no longer searched for late events.
create table postern_log_stream_deliveries (
  tenant_id varchar(64) collate "C" not null,
  stream_id varchar(64) collate "C" not null,
  id varchar(64) collate "C" not null,
  first_date bigint not null,
  last_date bigint not null,
  log_ids text collate "C" not null,
  expires_at bigint not null,
  primary key (tenant_id, stream_id, id)
);
create index postern_log_stream_deliveries_by_stream_id_last_date on postern_log_stream_deliveries (tenant_id, stream_id, last_date, id);
create index postern_log_stream_deliveries_across_expires_at on postern_log_stream_deliveries (expires_at);
