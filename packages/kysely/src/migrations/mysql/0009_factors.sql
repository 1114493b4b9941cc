-- Second factors and passkeys. The columns are null in rows that the previous version writes.
alter table postern_tenants add column multifactor longtext;
alter table postern_users add column enrolled_factors longtext;
-- A second factor or passkey that a user enrolled. The types of a user's confirmed factors are repeated in the user's row.
create table if not exists postern_factors (
  tenant_id varbinary(64) not null,
  id varbinary(64) not null,
  user_id varbinary(255) not null,
  type varbinary(128) not null,
  name varbinary(256),
  secrets longtext not null,
  seal varbinary(64) not null,
  address varbinary(1280),
  channel varbinary(32),
  code_hash varbinary(64),
  last_step bigint not null,
  credential_hash varbinary(64),
  credential longtext not null,
  sign_count bigint not null,
  revision bigint not null,
  last_used_at bigint,
  confirmed_at bigint,
  created_at bigint not null,
  expires_at bigint,
  primary key (tenant_id, id),
  unique index postern_factors_unique_credential_hash (tenant_id, credential_hash),
  index postern_factors_by_user_id_created_at (tenant_id, user_id, created_at, id),
  index postern_factors_across_expires_at (expires_at),
  index postern_factors_across_seal_tenant_id_id (seal, tenant_id, id)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- A browser in which a user passed a factor and chose not to be asked again for some time.
create table if not exists postern_trusted_browsers (
  tenant_id varbinary(64) not null,
  browser_hash varbinary(64) not null,
  user_id varbinary(255) not null,
  created_at bigint not null,
  last_used_at bigint not null,
  expires_at bigint not null,
  primary key (tenant_id, browser_hash),
  index postern_trusted_browsers_by_user_id (tenant_id, user_id, browser_hash),
  index postern_trusted_browsers_across_expires_at (expires_at)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- A tenant's account at a service that sends codes or notifications for factors: at most one row per service. Secret credentials are encrypted.
create table if not exists postern_factor_providers (
  tenant_id varbinary(64) not null,
  id varbinary(64) not null,
  settings longtext not null,
  secrets longtext not null,
  seal varbinary(64) not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, id),
  index postern_factor_providers_across_seal_tenant_id_id (seal, tenant_id, id)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;
