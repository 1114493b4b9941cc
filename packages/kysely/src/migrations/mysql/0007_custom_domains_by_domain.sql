-- Lists of custom domains sort by domain.
create index postern_custom_domains_by_domain on postern_custom_domains (tenant_id, domain, id);
