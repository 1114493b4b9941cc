-- Lists of audit events sort by id, which begins with the date.
alter table postern_logs
  add index postern_logs_by_type (tenant_id, type, log_id),
  add index postern_logs_by_user_id (tenant_id, user_id, log_id),
  add index postern_logs_by_client_id (tenant_id, client_id, log_id),
  add index postern_logs_by_ip (tenant_id, ip, log_id),
  drop index postern_logs_by_date,
  drop index postern_logs_by_type_date,
  drop index postern_logs_by_user_id_date,
  drop index postern_logs_by_client_id_date,
  drop index postern_logs_by_ip_date;
