-- The log ids of one acknowledged delivery of a log stream, with the dates of its first and last event. Deleted when the log up to the last event is no longer searched for late events.
create table if not exists postern_log_stream_deliveries (
  tenant_id varbinary(64) not null,
  stream_id varbinary(64) not null,
  id varbinary(64) not null,
  first_date bigint not null,
  last_date bigint not null,
  log_ids longtext not null,
  expires_at bigint not null,
  primary key (tenant_id, stream_id, id),
  index postern_log_stream_deliveries_by_stream_id_last_date (tenant_id, stream_id, last_date, id),
  index postern_log_stream_deliveries_across_expires_at (expires_at)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;
