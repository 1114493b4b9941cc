-- Second factors and passkeys. The columns are null in rows that the previous version writes.
alter table postern_tenants add column multifactor text collate "C";
alter table postern_users add column enrolled_factors text collate "C";
-- A second factor or passkey that a user enrolled. The types of a user's confirmed factors are repeated in the user's row.
create table postern_factors (
  tenant_id varchar(64) collate "C" not null,
  id varchar(64) collate "C" not null,
  user_id varchar(255) collate "C" not null,
  type varchar(32) collate "C" not null,
  name varchar(64) collate "C",
  secrets text collate "C" not null,
  seal varchar(64) collate "C" not null,
  address varchar(320) collate "C",
  channel varchar(8) collate "C",
  code_hash varchar(64) collate "C",
  last_step bigint not null,
  credential_hash varchar(64) collate "C",
  credential text collate "C" not null,
  sign_count bigint not null,
  revision bigint not null,
  last_used_at bigint,
  confirmed_at bigint,
  created_at bigint not null,
  expires_at bigint,
  primary key (tenant_id, id)
);
create unique index postern_factors_unique_credential_hash on postern_factors (tenant_id, credential_hash);
create index postern_factors_by_user_id_created_at on postern_factors (tenant_id, user_id, created_at, id);
create index postern_factors_across_expires_at on postern_factors (expires_at);
create index postern_factors_across_seal_tenant_id_id on postern_factors (seal, tenant_id, id);

-- A browser in which a user passed a factor and chose not to be asked again for some time.
create table postern_trusted_browsers (
  tenant_id varchar(64) collate "C" not null,
  browser_hash varchar(64) collate "C" not null,
  user_id varchar(255) collate "C" not null,
  created_at bigint not null,
  last_used_at bigint not null,
  expires_at bigint not null,
  primary key (tenant_id, browser_hash)
);
create index postern_trusted_browsers_by_user_id on postern_trusted_browsers (tenant_id, user_id, browser_hash);
create index postern_trusted_browsers_across_expires_at on postern_trusted_browsers (expires_at);

-- A tenant's account at a service that sends codes or notifications for factors: at most one row per service. Secret credentials are encrypted.
create table postern_factor_providers (
  tenant_id varchar(64) collate "C" not null,
  id varchar(64) collate "C" not null,
  settings text collate "C" not null,
  secrets text collate "C" not null,
  seal varchar(64) collate "C" not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, id)
);
create index postern_factor_providers_across_seal_tenant_id_id on postern_factor_providers (seal, tenant_id, id);
