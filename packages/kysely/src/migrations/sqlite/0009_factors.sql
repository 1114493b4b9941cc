-- Second factors and passkeys. The columns are null in rows that the previous version writes.
alter table postern_tenants add column multifactor text;
alter table postern_users add column enrolled_factors text;
-- A second factor or passkey that a user enrolled. The types of a user's confirmed factors are repeated in the user's row.
create table postern_factors (
  tenant_id text not null,
  id text not null,
  user_id text not null,
  type text not null,
  name text,
  secrets text not null,
  seal text not null,
  address text,
  channel text,
  code_hash text,
  last_step integer not null,
  credential_hash text,
  credential text not null,
  sign_count integer not null,
  revision integer not null,
  last_used_at integer,
  confirmed_at integer,
  created_at integer not null,
  expires_at integer,
  primary key (tenant_id, id)
) strict;
create unique index postern_factors_unique_credential_hash on postern_factors (tenant_id, credential_hash);
create index postern_factors_by_user_id_created_at on postern_factors (tenant_id, user_id, created_at, id);
create index postern_factors_across_expires_at on postern_factors (expires_at);
create index postern_factors_across_seal_tenant_id_id on postern_factors (seal, tenant_id, id);

-- A browser in which a user passed a factor and chose not to be asked again for some time.
create table postern_trusted_browsers (
  tenant_id text not null,
  browser_hash text not null,
  user_id text not null,
  created_at integer not null,
  last_used_at integer not null,
  expires_at integer not null,
  primary key (tenant_id, browser_hash)
) strict, without rowid;
create index postern_trusted_browsers_by_user_id on postern_trusted_browsers (tenant_id, user_id, browser_hash);
create index postern_trusted_browsers_across_expires_at on postern_trusted_browsers (expires_at);

-- A tenant's account at a service that sends codes or notifications for factors: at most one row per service. Secret credentials are encrypted.
create table postern_factor_providers (
  tenant_id text not null,
  id text not null,
  settings text not null,
  secrets text not null,
  seal text not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  primary key (tenant_id, id)
) strict;
create index postern_factor_providers_across_seal_tenant_id_id on postern_factor_providers (seal, tenant_id, id);
