-- A tenant with its settings, its branding, its attack-protection settings and its settings for second factors.
create table postern_tenants (
  id text not null,
  name text not null,
  friendly_name text not null,
  settings text not null,
  branding text not null,
  attack_protection text not null,
  multifactor text not null,
  organization_id text,
  member_access text not null,
  ready_at integer,
  lease_until integer not null,
  counted_until integer not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  deleting_at integer,
  primary key (id)
) strict;
create unique index postern_tenants_unique_organization_id on postern_tenants (organization_id);
create index postern_tenants_by_name on postern_tenants (name, id);
create index postern_tenants_by_created_at on postern_tenants (created_at, id);
create index postern_tenants_by_counted_until on postern_tenants (counted_until, id);
create index postern_tenants_by_ready_at_deleting_at on postern_tenants (ready_at, deleting_at);

-- Values that are unique across tenants: client ids, host names and slots in the key set of the shared issuer, each with its tenant. The insert into this collection comes first and decides races.
create table postern_directory (
  kind text not null,
  value text not null,
  tenant_id text not null,
  created_at integer not null,
  primary key (kind, value)
) strict, without rowid;
create index postern_directory_by_tenant_id on postern_directory (tenant_id, kind, value);

-- A custom domain of a tenant. Each verified one is an issuer. An unverified one expires and does not prevent other tenants from claiming the domain.
create table postern_custom_domains (
  tenant_id text not null,
  id text not null,
  domain text not null,
  type text not null,
  status text not null,
  is_default integer not null,
  verification text not null,
  settings text not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  verified_at integer,
  expires_at integer,
  primary key (tenant_id, id)
) strict;
create unique index postern_custom_domains_unique_domain on postern_custom_domains (tenant_id, domain);
create index postern_custom_domains_by_created_at on postern_custom_domains (tenant_id, created_at, id);
create index postern_custom_domains_by_domain on postern_custom_domains (tenant_id, domain, id);
create index postern_custom_domains_across_expires_at on postern_custom_domains (expires_at);

-- A key pair with its certificate. The private key is encrypted. The current signing key is computed from the instants when it is used. A published key that a rotation created has one of a few slots.
create table postern_signing_keys (
  tenant_id text not null,
  kid text not null,
  type text not null,
  alg text not null,
  public_jwk text not null,
  private_key text not null,
  seal text not null,
  certificate text not null,
  created_at integer not null,
  activates_at integer not null,
  retires_at integer,
  revoked_at integer,
  slot integer,
  primary key (tenant_id, kid)
) strict;
create unique index postern_signing_keys_unique_type_slot on postern_signing_keys (tenant_id, type, slot);
create index postern_signing_keys_by_type on postern_signing_keys (tenant_id, type, kid);
create index postern_signing_keys_across_seal_tenant_id_kid on postern_signing_keys (seal, tenant_id, kid);

-- The email provider of a tenant that does not use the host's mail sender: at most one per tenant. Its secret credentials are encrypted; `account` contains the ones that the API returns.
create table postern_email_providers (
  tenant_id text not null,
  id text not null,
  name text not null,
  enabled integer not null,
  default_from_address text not null,
  account text not null,
  credentials text,
  seal text not null,
  settings text not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  primary key (tenant_id, id)
) strict;
create index postern_email_providers_across_seal_tenant_id_id on postern_email_providers (seal, tenant_id, id);

-- A custom email template of a tenant, in Liquid, with Auth0's name.
create table postern_email_templates (
  tenant_id text not null,
  template text not null,
  settings text not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  primary key (tenant_id, template)
) strict;

-- A lifecycle operation on a tenant: its creation, an upgrade, its deletion, or the synchronization of shared entities from the control plane.
create table postern_tenant_operations (
  id text not null,
  tenant_id text not null,
  kind text not null,
  status text not null,
  error text,
  input text not null,
  position text not null,
  lease_until integer not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  finished_at integer,
  expires_at integer,
  primary key (id)
) strict;
create index postern_tenant_operations_by_tenant_id_created_at on postern_tenant_operations (tenant_id, created_at, id);
create index postern_tenant_operations_by_finished_at on postern_tenant_operations (finished_at, id);
create index postern_tenant_operations_across_expires_at on postern_tenant_operations (expires_at);

-- One step of a tenant operation, in the order in which it was reported.
create table postern_tenant_operation_events (
  id text not null,
  operation_id text not null,
  step text not null,
  status text not null,
  detail text not null,
  created_at integer not null,
  expires_at integer,
  primary key (id)
) strict;
create index postern_tenant_operation_events_by_operation_id on postern_tenant_operation_events (operation_id, id);
create index postern_tenant_operation_events_across_expires_at on postern_tenant_operation_events (expires_at);

-- One audit event. Rows are inserted, read and expired, never changed. `date` is the time with which `log_id` begins. `expires_at` is null if the host keeps events forever.
create table postern_logs (
  tenant_id text not null,
  log_id text not null,
  date integer not null,
  type text not null,
  description text not null,
  client_id text not null,
  client_name text not null,
  connection text not null,
  connection_id text not null,
  organization_id text not null,
  organization_name text not null,
  user_id text not null,
  user_name text not null,
  ip text not null,
  hostname text not null,
  user_agent text not null,
  is_mobile integer not null,
  audience text not null,
  scope text not null,
  strategy text not null,
  strategy_type text not null,
  details text not null,
  expires_at integer,
  primary key (tenant_id, log_id)
) strict;
create index postern_logs_by_type on postern_logs (tenant_id, type, log_id);
create index postern_logs_by_user_id on postern_logs (tenant_id, user_id, log_id);
create index postern_logs_by_client_id on postern_logs (tenant_id, client_id, log_id);
create index postern_logs_by_ip on postern_logs (tenant_id, ip, log_id);
create index postern_logs_across_expires_at on postern_logs (expires_at);

-- What happened in a tenant on one day (UTC), counted by `sweep` from the log events. `last_event_id` is the id of the last counted event of the day: it and the counts change in one write, so each event is counted once.
create table postern_daily_statistics (
  tenant_id text not null,
  date text not null,
  last_event_id text not null,
  logins integer not null,
  signups integer not null,
  leaked_passwords integer not null,
  failures integer not null,
  failures_by_type text not null,
  active_users integer,
  active_users_at integer not null,
  created_at integer not null,
  updated_at integer not null,
  primary key (tenant_id, date)
) strict;

-- A destination of a tenant's audit events. All events up to the cursor are delivered. One process at a time delivers: the holder of the lease. The credentials are encrypted.
create table postern_log_streams (
  tenant_id text not null,
  id text not null,
  name text not null,
  type text not null,
  status text not null,
  settings text not null,
  credentials text,
  seal text not null,
  cursor_date integer not null,
  cursor_id text not null,
  failures integer not null,
  last_error text not null,
  next_at integer not null,
  leased_until integer not null,
  served_at integer not null,
  window_state text,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  primary key (tenant_id, id)
) strict;
create index postern_log_streams_by_created_at on postern_log_streams (tenant_id, created_at, id);
create index postern_log_streams_across_status_served_at_tenant_id_id on postern_log_streams (status, served_at, tenant_id, id);
create index postern_log_streams_across_seal_tenant_id_id on postern_log_streams (seal, tenant_id, id);

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

-- A background job of the Management API. Stored for a day, so that callers can query its result. `details` contains its input and its result.
create table postern_jobs (
  tenant_id text not null,
  id text not null,
  type text not null,
  status text not null,
  details text not null,
  created_at integer not null,
  expires_at integer not null,
  primary key (tenant_id, id)
) strict;
create index postern_jobs_across_expires_at on postern_jobs (expires_at);

-- A client assertion (RFC 7523 section 3) or a DPoP proof (RFC 9449) that was accepted once, stored until it expires.
create table postern_used_assertions (
  tenant_id text not null,
  jti_hash text not null,
  expires_at integer not null,
  primary key (tenant_id, jti_hash)
) strict, without rowid;
create index postern_used_assertions_across_expires_at on postern_used_assertions (expires_at);

-- A tenant's custom texts for one prompt of the login pages in one language, by screen and key, with Auth0's names.
create table postern_custom_texts (
  tenant_id text not null,
  language text not null,
  prompt text not null,
  texts text not null,
  updated_at integer not null,
  primary key (tenant_id, language, prompt)
) strict;

-- Settings that are stored for compatibility with Auth0's tools and have no effect in Postern: page templates, partials, the rendering of screens, and accounts at services that send codes or notifications for factors. Secrets are encrypted.
create table postern_stored_documents (
  tenant_id text not null,
  kind text not null,
  name text not null,
  content text not null,
  secrets text,
  seal text not null,
  revision integer not null,
  updated_at integer not null,
  primary key (tenant_id, kind, name)
) strict;
create index postern_stored_documents_across_seal_tenant_id_kind_name on postern_stored_documents (seal, tenant_id, kind, name);

-- An application that can request tokens (RFC 6749 section 2).
create table postern_clients (
  tenant_id text not null,
  client_id text not null,
  name text not null,
  description text not null,
  app_type text not null,
  is_first_party integer not null,
  token_endpoint_auth_method text not null,
  secret_hash text,
  grant_types text not null,
  callbacks text not null,
  allowed_logout_urls text not null,
  web_origins text not null,
  allowed_origins text not null,
  organization_usage text,
  connections text,
  may_administer integer not null,
  external_client_id text,
  external_metadata_type text,
  external_metadata_created_by text,
  registration_token_hash text,
  unused_since integer,
  consents_since integer,
  blocked_at integer,
  settings text not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  deleting_at integer,
  primary key (tenant_id, client_id)
) strict;
create index postern_clients_by_name on postern_clients (tenant_id, name, client_id);
create index postern_clients_by_created_at on postern_clients (tenant_id, created_at, client_id);
create index postern_clients_by_external_metadata_type_created_at on postern_clients (tenant_id, external_metadata_type, created_at, client_id);
create index postern_clients_by_unused_since on postern_clients (tenant_id, unused_since, client_id);
create index postern_clients_across_deleting_at_tenant_id_client_id on postern_clients (deleting_at, tenant_id, client_id);
create index postern_clients_across_unused_since_tenant_id_client_id on postern_clients (unused_since, tenant_id, client_id);

-- A token that allows its holder to register clients (RFC 7591 section 3). Only its hash is stored.
create table postern_initial_access_tokens (
  tenant_id text not null,
  id text not null,
  token_hash text not null,
  uses_left integer not null,
  redirect_hosts text not null,
  expires_at integer not null,
  created_at integer not null,
  primary key (tenant_id, id)
) strict;
create unique index postern_initial_access_tokens_unique_token_hash on postern_initial_access_tokens (tenant_id, token_hash);
create index postern_initial_access_tokens_by_created_at on postern_initial_access_tokens (tenant_id, created_at, id);
create index postern_initial_access_tokens_by_expires_at on postern_initial_access_tokens (tenant_id, expires_at, id);
create index postern_initial_access_tokens_across_expires_at on postern_initial_access_tokens (expires_at);

-- An API that access tokens are issued for, with its scopes. The Management API is one of them, marked `is_system`.
create table postern_resource_servers (
  tenant_id text not null,
  id text not null,
  identifier text not null,
  name text not null,
  is_system integer not null,
  origin text,
  settings text not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  deleting_at integer,
  primary key (tenant_id, id)
) strict;
create unique index postern_resource_servers_unique_identifier on postern_resource_servers (tenant_id, identifier);
create unique index postern_resource_servers_unique_origin on postern_resource_servers (tenant_id, origin);
create index postern_resource_servers_by_name on postern_resource_servers (tenant_id, name, id);
create index postern_resource_servers_by_created_at on postern_resource_servers (tenant_id, created_at, id);
create index postern_resource_servers_across_deleting_at_tenant_id_id on postern_resource_servers (deleting_at, tenant_id, id);

-- The scopes of an API that a client may receive, for itself or for a user.
create table postern_client_grants (
  tenant_id text not null,
  id text not null,
  client_id text not null,
  audience text not null,
  subject_type text not null,
  scope text not null,
  organization_usage text,
  allow_any_organization integer not null,
  settings text not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  deleting_at integer,
  primary key (tenant_id, id)
) strict;
create unique index postern_client_grants_unique_client_id_audience_subject_type on postern_client_grants (tenant_id, client_id, audience, subject_type);
create index postern_client_grants_by_client_id_created_at on postern_client_grants (tenant_id, client_id, created_at, id);
create index postern_client_grants_by_audience_created_at on postern_client_grants (tenant_id, audience, created_at, id);
create index postern_client_grants_by_created_at on postern_client_grants (tenant_id, created_at, id);
create index postern_client_grants_across_deleting_at_tenant_id_id on postern_client_grants (deleting_at, tenant_id, id);

-- A source of users: a password database, one-time codes, or an upstream provider. Its secrets are encrypted and separate from its options. Each is named by its path in the options.
create table postern_connections (
  tenant_id text not null,
  id text not null,
  name text not null,
  strategy text not null,
  display_name text not null,
  options text not null,
  secrets text not null,
  seal text not null,
  settings text not null,
  listed integer not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  deleting_at integer,
  former_name text,
  primary key (tenant_id, id)
) strict;
create unique index postern_connections_unique_name on postern_connections (tenant_id, name);
create index postern_connections_by_name on postern_connections (tenant_id, name, id);
create index postern_connections_by_strategy_created_at on postern_connections (tenant_id, strategy, created_at, id);
create index postern_connections_by_created_at on postern_connections (tenant_id, created_at, id);
create index postern_connections_by_listed_created_at on postern_connections (tenant_id, listed, created_at, id);
create index postern_connections_across_deleting_at_tenant_id_id on postern_connections (deleting_at, tenant_id, id);
create index postern_connections_across_seal_tenant_id_id on postern_connections (seal, tenant_id, id);

-- An email domain whose users may sign in with the connection of their company.
create table postern_connection_domains (
  tenant_id text not null,
  domain text not null,
  connection_id text not null,
  created_at integer not null,
  primary key (tenant_id, domain, connection_id)
) strict, without rowid;
create index postern_connection_domains_by_connection_id on postern_connection_domains (tenant_id, connection_id, domain);

-- One account of one connection. A linked account refers to its primary account, which is never linked itself.
create table postern_users (
  tenant_id text not null,
  user_id text not null,
  connection text not null,
  provider text not null,
  linked_to text not null,
  linked_count integer not null,
  email text not null,
  email_key text,
  email_verified integer not null,
  email_proof text,
  proven_email text,
  is_unproven_sign_up integer not null,
  username text,
  username_key text,
  phone_number text,
  phone_key text,
  subject_key text,
  phone_verified integer not null,
  name text not null,
  nickname text not null,
  given_name text,
  family_name text,
  picture text,
  standard_claims text,
  blocked integer not null,
  app_metadata text not null,
  user_metadata text not null,
  password_id text,
  enrolled_factors text,
  factors_changed_at integer,
  factors_frozen_until integer,
  password_frozen_until integer,
  removing_factor text,
  first_factor text,
  last_password_reset integer,
  last_ip text,
  last_login integer not null,
  logins_count integer not null,
  deletes_at integer,
  deletion_step_at integer,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  deleting_at integer,
  primary key (tenant_id, user_id)
) strict;
create unique index postern_users_unique_connection_email_key on postern_users (tenant_id, connection, email_key);
create unique index postern_users_unique_connection_username_key on postern_users (tenant_id, connection, username_key);
create unique index postern_users_unique_connection_phone_key on postern_users (tenant_id, connection, phone_key);
create unique index postern_users_unique_connection_subject_key on postern_users (tenant_id, connection, subject_key);
create index postern_users_by_linked_to_created_at on postern_users (tenant_id, linked_to, created_at, user_id);
create index postern_users_by_linked_to_updated_at on postern_users (tenant_id, linked_to, updated_at, user_id);
create index postern_users_by_linked_to_email on postern_users (tenant_id, linked_to, email, user_id);
create index postern_users_by_linked_to_name on postern_users (tenant_id, linked_to, name, user_id);
create index postern_users_by_linked_to_last_login on postern_users (tenant_id, linked_to, last_login, user_id);
create index postern_users_by_linked_to_logins_count on postern_users (tenant_id, linked_to, logins_count, user_id);
create index postern_users_by_linked_to_username on postern_users (tenant_id, linked_to, username, user_id);
create index postern_users_by_linked_to_phone_number on postern_users (tenant_id, linked_to, phone_number, user_id);
create index postern_users_by_email on postern_users (tenant_id, email, user_id);
create index postern_users_by_linked_to_deleting_at on postern_users (tenant_id, linked_to, deleting_at);
create index postern_users_across_deleting_at_tenant_id_user_id on postern_users (deleting_at, tenant_id, user_id);
create index postern_users_across_deletion_step_at_tenant_id_user_id on postern_users (deletion_step_at, tenant_id, user_id);

-- A password hash (PHC string). A user row refers to the current one; older ones are the password history.
create table postern_passwords (
  tenant_id text not null,
  id text not null,
  user_id text not null,
  hash text not null,
  set_through text,
  created_at integer not null,
  primary key (tenant_id, id)
) strict;
create index postern_passwords_by_user_id_created_at on postern_passwords (tenant_id, user_id, created_at, id);

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
  used_form text,
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

-- The encrypted tokens that an identity provider issued for one of its accounts. One row per account.
create table postern_upstream_tokens (
  tenant_id text not null,
  account_id text not null,
  tokens text not null,
  seal text not null,
  refreshing_until integer not null,
  revision integer not null,
  updated_at integer not null,
  primary key (tenant_id, account_id)
) strict;
create index postern_upstream_tokens_across_seal_tenant_id_account_id on postern_upstream_tokens (seal, tenant_id, account_id);

-- A named set of permissions. `name_folded` is the name in lower case, for searches.
create table postern_roles (
  tenant_id text not null,
  id text not null,
  name text not null,
  name_folded text not null,
  description text not null,
  metadata text not null,
  is_system integer not null,
  origin text,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  deleting_at integer,
  primary key (tenant_id, id)
) strict;
create unique index postern_roles_unique_name on postern_roles (tenant_id, name);
create unique index postern_roles_unique_origin on postern_roles (tenant_id, origin);
create index postern_roles_by_name on postern_roles (tenant_id, name, id);
create index postern_roles_by_created_at on postern_roles (tenant_id, created_at, id);
create index postern_roles_across_deleting_at_tenant_id_id on postern_roles (deleting_at, tenant_id, id);

-- A permission that a role grants.
create table postern_role_permissions (
  tenant_id text not null,
  role_id text not null,
  resource_server_id text not null,
  permission_name text not null,
  created_at integer not null,
  primary key (tenant_id, role_id, resource_server_id, permission_name)
) strict, without rowid;
create index postern_role_permissions_by_resource_server_id on postern_role_permissions (tenant_id, resource_server_id, role_id, permission_name);

-- A role that a user has: in the tenant (organization_id '') or inside one organization.
create table postern_user_roles (
  tenant_id text not null,
  user_id text not null,
  organization_id text not null,
  role_id text not null,
  created_at integer not null,
  primary key (tenant_id, user_id, organization_id, role_id)
) strict, without rowid;
create index postern_user_roles_by_role_id_organization_id on postern_user_roles (tenant_id, role_id, organization_id, user_id);
create index postern_user_roles_by_organization_id on postern_user_roles (tenant_id, organization_id, user_id, role_id);

-- A permission that a user has directly, without a role.
create table postern_user_permissions (
  tenant_id text not null,
  user_id text not null,
  resource_server_id text not null,
  permission_name text not null,
  created_at integer not null,
  primary key (tenant_id, user_id, resource_server_id, permission_name)
) strict, without rowid;
create index postern_user_permissions_by_resource_server_id on postern_user_permissions (tenant_id, resource_server_id, user_id, permission_name);

-- A customer of the tenant's applications, with members.
create table postern_organizations (
  tenant_id text not null,
  id text not null,
  name text not null,
  display_name text not null,
  branding text not null,
  metadata text not null,
  settings text not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  deleting_at integer,
  primary key (tenant_id, id)
) strict;
create unique index postern_organizations_unique_name on postern_organizations (tenant_id, name);
create index postern_organizations_by_name on postern_organizations (tenant_id, name, id);
create index postern_organizations_by_display_name on postern_organizations (tenant_id, display_name, id);
create index postern_organizations_by_created_at on postern_organizations (tenant_id, created_at, id);
create index postern_organizations_across_deleting_at_tenant_id_id on postern_organizations (deleting_at, tenant_id, id);

-- A user's membership of an organization.
create table postern_organization_members (
  tenant_id text not null,
  organization_id text not null,
  user_id text not null,
  created_at integer not null,
  primary key (tenant_id, organization_id, user_id)
) strict, without rowid;
create index postern_organization_members_by_user_id on postern_organization_members (tenant_id, user_id, organization_id);
create index postern_organization_members_by_organization_id_created_at on postern_organization_members (tenant_id, organization_id, created_at, user_id);

-- A connection that members of an organization may sign in with.
create table postern_organization_connections (
  tenant_id text not null,
  organization_id text not null,
  connection_id text not null,
  assign_membership_on_login integer not null,
  show_as_button integer not null,
  is_signup_enabled integer not null,
  created_at integer not null,
  primary key (tenant_id, organization_id, connection_id)
) strict, without rowid;
create index postern_organization_connections_by_connection_id on postern_organization_connections (tenant_id, connection_id, organization_id);

-- A client grant that is assigned to an organization: the client may act for it.
create table postern_organization_client_grants (
  tenant_id text not null,
  organization_id text not null,
  grant_id text not null,
  client_id text not null,
  audience text not null,
  created_at integer not null,
  primary key (tenant_id, organization_id, grant_id)
) strict, without rowid;
create index postern_organization_client_grants_by_grant_id on postern_organization_client_grants (tenant_id, grant_id, organization_id);
create index postern_organization_client_grants_by_client_id on postern_organization_client_grants (tenant_id, client_id, organization_id, grant_id);
create index postern_organization_client_grants_by_audience on postern_organization_client_grants (tenant_id, audience, organization_id, grant_id);

-- An invitation into an organization.
create table postern_invitations (
  tenant_id text not null,
  id text not null,
  organization_id text not null,
  ticket_hash text not null,
  ticket text not null,
  seal text not null,
  client_id text not null,
  connection_id text,
  inviter_name text not null,
  invitee_email text not null,
  app_metadata text not null,
  user_metadata text not null,
  roles text not null,
  ttl_sec integer not null,
  created_at integer not null,
  expires_at integer not null,
  accepted_at integer,
  accepted_by text,
  applied_at integer,
  primary key (tenant_id, id)
) strict;
create unique index postern_invitations_unique_ticket_hash on postern_invitations (tenant_id, ticket_hash);
create index postern_invitations_by_organization_id_created_at on postern_invitations (tenant_id, organization_id, created_at, id);
create index postern_invitations_across_seal_tenant_id_id on postern_invitations (seal, tenant_id, id);

-- A user's SSO session. It is stored longer than every token that refers to it: a token whose session is missing is rejected.
create table postern_sessions (
  tenant_id text not null,
  id text not null,
  user_id text not null,
  account_id text not null,
  connection_id text not null,
  issuer text not null,
  cookie_hash text,
  clients text not null,
  authentication text not null,
  device text not null,
  session_metadata text not null,
  authenticated_at integer not null,
  last_interacted_at integer not null,
  idle_expires_at integer not null,
  expires_at integer not null,
  revoked_at integer,
  logout_initiator text,
  logout_at integer not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  purge_at integer not null,
  primary key (tenant_id, id)
) strict;
create unique index postern_sessions_unique_cookie_hash on postern_sessions (tenant_id, cookie_hash);
create index postern_sessions_by_user_id_created_at on postern_sessions (tenant_id, user_id, created_at, id);
create index postern_sessions_by_created_at on postern_sessions (tenant_id, created_at, id);
create index postern_sessions_by_expires_at on postern_sessions (tenant_id, expires_at, id);
create index postern_sessions_across_logout_at_tenant_id_id on postern_sessions (logout_at, tenant_id, id);
create index postern_sessions_across_purge_at on postern_sessions (purge_at);

-- A logout token that is to be sent to one logout URL of a client (OpenID Connect Back-Channel Logout 1.0). It is signed when it is sent. Deleted when the client has accepted it.
create table postern_logout_deliveries (
  tenant_id text not null,
  id text not null,
  client_id text not null,
  url text not null,
  session_id text not null,
  user_id text not null,
  issuer text not null,
  initiator text not null,
  session_metadata text,
  state text not null,
  failures integer not null,
  last_error text not null,
  next_at integer not null,
  leased_until integer not null,
  served_at integer not null,
  expires_at integer not null,
  revision integer not null,
  created_at integer not null,
  purge_at integer not null,
  primary key (tenant_id, id)
) strict;
create index postern_logout_deliveries_by_client_id_state_next_at on postern_logout_deliveries (tenant_id, client_id, state, next_at, id);
create index postern_logout_deliveries_by_created_at on postern_logout_deliveries (tenant_id, created_at, id);
create index postern_logout_deliveries_across_state_client_id_tenant_id_id on postern_logout_deliveries (state, client_id, tenant_id, id);
create index postern_logout_deliveries_across_purge_at on postern_logout_deliveries (purge_at);

-- An authorization request that a client sent in advance (RFC 9126), found by the hash of its request URI. A conditional update uses it once.
create table postern_pushed_requests (
  tenant_id text not null,
  uri_hash text not null,
  client_id text not null,
  parameters text not null,
  login_id text,
  created_at integer not null,
  expires_at integer not null,
  purge_at integer not null,
  primary key (tenant_id, uri_hash)
) strict;
create index postern_pushed_requests_across_purge_at on postern_pushed_requests (purge_at);

-- An authorization code (RFC 6749 section 4.1.2) with everything that the token exchange needs. A conditional update redeems it once.
create table postern_authorization_codes (
  tenant_id text not null,
  code_hash text not null,
  client_id text not null,
  user_id text not null,
  session_id text not null,
  grant_id text not null,
  redirect_uri text,
  code_challenge text,
  scope text not null,
  audience text,
  organization_id text,
  nonce text,
  auth_time integer not null,
  request text not null,
  created_at integer not null,
  expires_at integer not null,
  consumed_at integer,
  primary key (tenant_id, code_hash)
) strict;
create index postern_authorization_codes_by_user_id on postern_authorization_codes (tenant_id, user_id, code_hash);
create index postern_authorization_codes_by_grant_id on postern_authorization_codes (tenant_id, grant_id, code_hash);
create index postern_authorization_codes_across_expires_at on postern_authorization_codes (expires_at);

-- A device code and its user code (RFC 8628), and the decision of the user. A conditional update decides it once, and another redeems it once.
create table postern_device_codes (
  tenant_id text not null,
  code_hash text not null,
  user_code_hash text not null,
  client_id text not null,
  requested text not null,
  device text not null,
  state text not null,
  interval_seconds integer not null,
  polled_at integer not null,
  user_id text,
  granted text not null,
  created_at integer not null,
  expires_at integer not null,
  purge_at integer not null,
  primary key (tenant_id, code_hash)
) strict;
create unique index postern_device_codes_unique_user_code_hash on postern_device_codes (tenant_id, user_code_hash);
create index postern_device_codes_by_user_id on postern_device_codes (tenant_id, user_id, code_hash);
create index postern_device_codes_across_purge_at on postern_device_codes (purge_at);

-- A refresh token, found by its hash. A token and its successors share a family. All tokens of one login share a grant.
create table postern_refresh_tokens (
  tenant_id text not null,
  id text not null,
  token_hash text not null,
  family_id text not null,
  grant_id text not null,
  session_id text,
  client_id text not null,
  user_id text not null,
  organization_id text,
  audience text,
  scope text not null,
  claims text not null,
  jkt text,
  device text not null,
  refresh_token_metadata text not null,
  rotated_at integer,
  rotated_to text,
  presented_at integer,
  reissued_at integer,
  recovered_at integer,
  revoked_at integer,
  idle_expires_at integer,
  expires_at integer,
  last_exchanged_at integer,
  auth_time integer not null,
  created_at integer not null,
  purge_at integer,
  primary key (tenant_id, id)
) strict;
create unique index postern_refresh_tokens_unique_token_hash on postern_refresh_tokens (tenant_id, token_hash);
create index postern_refresh_tokens_by_user_id_created_at on postern_refresh_tokens (tenant_id, user_id, created_at, id);
create index postern_refresh_tokens_by_family_id on postern_refresh_tokens (tenant_id, family_id, id);
create index postern_refresh_tokens_by_session_id on postern_refresh_tokens (tenant_id, session_id, id);
create index postern_refresh_tokens_by_grant_id on postern_refresh_tokens (tenant_id, grant_id, id);
create index postern_refresh_tokens_by_client_id on postern_refresh_tokens (tenant_id, client_id, id);
create index postern_refresh_tokens_by_created_at on postern_refresh_tokens (tenant_id, created_at, id);
create index postern_refresh_tokens_across_purge_at on postern_refresh_tokens (purge_at);

-- A grant whose access tokens are rejected although they have not expired.
create table postern_revoked_grants (
  tenant_id text not null,
  grant_id text not null,
  reason text not null,
  created_at integer not null,
  expires_at integer not null,
  primary key (tenant_id, grant_id)
) strict, without rowid;
create index postern_revoked_grants_across_expires_at on postern_revoked_grants (expires_at);

-- The scopes of one API that a user granted to a client, and whether the client may act for the user there (`may_act`).
create table postern_consents (
  tenant_id text not null,
  id text not null,
  user_id text not null,
  client_id text not null,
  audience_hash text not null,
  audience text not null,
  scope text not null,
  may_act integer not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  primary key (tenant_id, id)
) strict;
create unique index postern_consents_unique_user_id_client_id_audience_hash on postern_consents (tenant_id, user_id, client_id, audience_hash);
create index postern_consents_by_user_id_created_at on postern_consents (tenant_id, user_id, created_at, id);
create index postern_consents_by_client_id_created_at on postern_consents (tenant_id, client_id, created_at, id);
create index postern_consents_by_audience_hash_created_at on postern_consents (tenant_id, audience_hash, created_at, id);
create index postern_consents_by_created_at on postern_consents (tenant_id, created_at, id);

-- A public key that a user registered for a device and a client. It has no effect.
create table postern_device_credentials (
  tenant_id text not null,
  id text not null,
  user_id text not null,
  client_id text not null,
  device_id text not null,
  device_name text not null,
  value text not null,
  created_at integer not null,
  primary key (tenant_id, id)
) strict;
create index postern_device_credentials_by_user_id on postern_device_credentials (tenant_id, user_id, id);
create index postern_device_credentials_by_client_id on postern_device_credentials (tenant_id, client_id, id);

-- A login in progress: the request that started it and the progress of its steps. Bound to a browser by the hash of a cookie.
create table postern_login_sessions (
  tenant_id text not null,
  id text not null,
  browser_hash text,
  later_browser_hash text,
  client_id text not null,
  request text not null,
  progress text not null,
  user_id text,
  revision integer not null,
  created_at integer not null,
  expires_at integer not null,
  primary key (tenant_id, id)
) strict;
create index postern_login_sessions_by_user_id on postern_login_sessions (tenant_id, user_id, id);
create index postern_login_sessions_across_expires_at on postern_login_sessions (expires_at);

-- A short code sent by email or SMS. `attempts` counts wrong codes; the fifth invalidates it. `used_form` identifies the form that used the code.
create table postern_one_time_codes (
  tenant_id text not null,
  id text not null,
  purpose text not null,
  identifier_hash text not null,
  code_hash text not null,
  client_id text not null,
  login_id text,
  address_hash text,
  user_id text,
  attempts integer not null,
  request text not null,
  created_at integer not null,
  expires_at integer not null,
  consumed_at integer,
  used_form text,
  primary key (tenant_id, id)
) strict;
create index postern_one_time_codes_by_purpose_identifier_hash_created_at on postern_one_time_codes (tenant_id, purpose, identifier_hash, created_at, id);
create index postern_one_time_codes_by_user_id on postern_one_time_codes (tenant_id, user_id, id);
create index postern_one_time_codes_across_expires_at on postern_one_time_codes (expires_at);

-- The recent messages to one email address or phone number, and the attempts at its codes. Changed by compare-and-swap on `revision`.
create table postern_destination_budgets (
  tenant_id text not null,
  subject_hash text not null,
  recent text not null,
  revision integer not null,
  updated_at integer not null,
  expires_at integer not null,
  primary key (tenant_id, subject_hash)
) strict;
create index postern_destination_budgets_across_expires_at on postern_destination_budgets (expires_at);

-- The recent messages to new phone numbers: of one user, to one number, to one range of numbers, or of one tenant. Changed by compare-and-swap on `revision`.
create table postern_message_counts (
  subject_hash text not null,
  recent text not null,
  revision integer not null,
  expires_at integer not null,
  primary key (subject_hash)
) strict;
create index postern_message_counts_across_expires_at on postern_message_counts (expires_at);

-- A link that was sent to a user: password reset, email verification. Opening the link changes nothing; submitting its form redeems the ticket.
create table postern_tickets (
  tenant_id text not null,
  ticket_hash text not null,
  purpose text not null,
  user_id text not null,
  client_id text,
  request text not null,
  created_at integer not null,
  expires_at integer not null,
  consumed_at integer,
  primary key (tenant_id, ticket_hash)
) strict;
create index postern_tickets_by_user_id on postern_tickets (tenant_id, user_id, ticket_hash);
create index postern_tickets_across_expires_at on postern_tickets (expires_at);

-- Failed password logins of one account, or of one identifier without an account. Changed by compare-and-swap on `revision`.
create table postern_login_attempts (
  tenant_id text not null,
  subject_hash text not null,
  attempts text not null,
  revision integer not null,
  updated_at integer not null,
  expires_at integer not null,
  primary key (tenant_id, subject_hash)
) strict;
create index postern_login_attempts_across_expires_at on postern_login_attempts (expires_at);

-- The number of tokens that a client or organization with a quota received in the current hour and day (UTC). Counted by a conditional update.
create table postern_token_counts (
  tenant_id text not null,
  subject text not null,
  hour integer not null,
  hour_count integer not null,
  day integer not null,
  day_count integer not null,
  expires_at integer not null,
  primary key (tenant_id, subject)
) strict, without rowid;
create index postern_token_counts_across_expires_at on postern_token_counts (expires_at);

-- A session of a host application that passes a session store to `@postern/app`. `content` is encrypted with the app's secret and the id of the session, which only the browser's cookie contains. `sid` is the session at the tenant, `sub` the user.
create table postern_app_sessions (
  id_hash text not null,
  tenant_id text not null,
  client_id text not null,
  sid text not null,
  sub text not null,
  content text not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  expires_at integer not null,
  primary key (id_hash)
) strict;
create index postern_app_sessions_by_tenant_id_client_id_sid on postern_app_sessions (tenant_id, client_id, sid, id_hash);
create index postern_app_sessions_by_tenant_id_client_id_sub on postern_app_sessions (tenant_id, client_id, sub, id_hash);
create index postern_app_sessions_across_expires_at on postern_app_sessions (expires_at);
