-- The log ids of one acknowledged delivery of a log stream, with the dates of its first and last event. Deleted when the log up to the last event is no longer searched for late events.
create table postern_log_stream_deliveries (
  tenant_id text not null,
  stream_id text not null,
  id text not null,
  first_date integer not null,
  last_date integer not null,
  log_ids text not null,
  expires_at integer not null,
  primary key (tenant_id, stream_id, id)
) strict;
create index postern_log_stream_deliveries_by_stream_id_last_date on postern_log_stream_deliveries (tenant_id, stream_id, last_date, id);
create index postern_log_stream_deliveries_across_expires_at on postern_log_stream_deliveries (expires_at);
