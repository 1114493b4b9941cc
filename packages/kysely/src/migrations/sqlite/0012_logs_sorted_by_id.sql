-- Lists of audit events sort by id, which begins with the date.
create index if not exists postern_logs_by_type on postern_logs (tenant_id, type, log_id);
create index if not exists postern_logs_by_user_id on postern_logs (tenant_id, user_id, log_id);
create index if not exists postern_logs_by_client_id on postern_logs (tenant_id, client_id, log_id);
create index if not exists postern_logs_by_ip on postern_logs (tenant_id, ip, log_id);
drop index postern_logs_by_date;
drop index postern_logs_by_type_date;
drop index postern_logs_by_user_id_date;
drop index postern_logs_by_client_id_date;
drop index postern_logs_by_ip_date;
