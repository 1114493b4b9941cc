-- A tenant with its settings, its branding, its attack-protection settings and its settings for second factors.
create table if not exists postern_tenants (
  id varbinary(64) not null,
  name varbinary(1020) not null,
  friendly_name varbinary(1020) not null,
  settings longtext not null,
  branding longtext not null,
  attack_protection longtext not null,
  multifactor longtext not null,
  organization_id varbinary(256),
  member_access longtext not null,
  ready_at bigint,
  lease_until bigint not null,
  counted_until bigint not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  deleting_at bigint,
  primary key (id),
  unique index postern_tenants_unique_organization_id (organization_id),
  index postern_tenants_by_name (name, id),
  index postern_tenants_by_created_at (created_at, id),
  index postern_tenants_by_counted_until (counted_until, id),
  index postern_tenants_by_ready_at_deleting_at (ready_at, deleting_at)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- Values that are unique across tenants: client ids, host names and slots in the key set of the shared issuer, each with its tenant. The insert into this collection comes first and decides races.
create table if not exists postern_directory (
  kind varbinary(64) not null,
  value varbinary(1020) not null,
  tenant_id varbinary(64) not null,
  created_at bigint not null,
  primary key (kind, value),
  index postern_directory_by_tenant_id (tenant_id, kind, value)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- A custom domain of a tenant. Each verified one is an issuer. An unverified one expires and does not prevent other tenants from claiming the domain.
create table if not exists postern_custom_domains (
  tenant_id varbinary(64) not null,
  id varbinary(64) not null,
  domain varbinary(1020) not null,
  type varbinary(128) not null,
  status varbinary(128) not null,
  is_default tinyint(1) not null,
  verification longtext not null,
  settings longtext not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  verified_at bigint,
  expires_at bigint,
  primary key (tenant_id, id),
  unique index postern_custom_domains_unique_domain (tenant_id, domain),
  index postern_custom_domains_by_created_at (tenant_id, created_at, id),
  index postern_custom_domains_by_domain (tenant_id, domain, id),
  index postern_custom_domains_across_expires_at (expires_at)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- A key pair with its certificate. The private key is encrypted. The current signing key is computed from the instants when it is used. A published key that a rotation created has one of a few slots.
create table if not exists postern_signing_keys (
  tenant_id varbinary(64) not null,
  kid varbinary(256) not null,
  type varbinary(128) not null,
  alg varbinary(64) not null,
  public_jwk longtext not null,
  private_key longtext not null,
  seal varbinary(64) not null,
  certificate longtext not null,
  created_at bigint not null,
  activates_at bigint not null,
  retires_at bigint,
  revoked_at bigint,
  slot bigint,
  primary key (tenant_id, kid),
  unique index postern_signing_keys_unique_type_slot (tenant_id, type, slot),
  index postern_signing_keys_by_type (tenant_id, type, kid),
  index postern_signing_keys_across_seal_tenant_id_kid (seal, tenant_id, kid)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- The email provider of a tenant that does not use the host's mail sender: at most one per tenant. Its secret credentials are encrypted; `account` contains the ones that the API returns.
create table if not exists postern_email_providers (
  tenant_id varbinary(64) not null,
  id varbinary(64) not null,
  name varbinary(256) not null,
  enabled tinyint(1) not null,
  default_from_address varbinary(1280) not null,
  account longtext not null,
  credentials longtext,
  seal varbinary(64) not null,
  settings longtext not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, id),
  index postern_email_providers_across_seal_tenant_id_id (seal, tenant_id, id)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- A custom email template of a tenant, in Liquid, with Auth0's name.
create table if not exists postern_email_templates (
  tenant_id varbinary(64) not null,
  template varbinary(64) not null,
  settings longtext not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, template)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- A lifecycle operation on a tenant: its creation, an upgrade, its deletion, or the synchronization of shared entities from the control plane.
create table if not exists postern_tenant_operations (
  id varbinary(64) not null,
  tenant_id varbinary(64) not null,
  kind varbinary(128) not null,
  status varbinary(128) not null,
  error longtext,
  input longtext not null,
  position varbinary(256) not null,
  lease_until bigint not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  finished_at bigint,
  expires_at bigint,
  primary key (id),
  index postern_tenant_operations_by_tenant_id_created_at (tenant_id, created_at, id),
  index postern_tenant_operations_by_finished_at (finished_at, id),
  index postern_tenant_operations_across_expires_at (expires_at)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- One step of a tenant operation, in the order in which it was reported.
create table if not exists postern_tenant_operation_events (
  id varbinary(64) not null,
  operation_id varbinary(64) not null,
  step varbinary(512) not null,
  status varbinary(128) not null,
  detail longtext not null,
  created_at bigint not null,
  expires_at bigint,
  primary key (id),
  index postern_tenant_operation_events_by_operation_id (operation_id, id),
  index postern_tenant_operation_events_across_expires_at (expires_at)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- One audit event. Rows are inserted, read and expired, never changed. `date` is the time with which `log_id` begins. `expires_at` is null if the host keeps events forever.
create table if not exists postern_logs (
  tenant_id varbinary(64) not null,
  log_id varbinary(256) not null,
  date bigint not null,
  type varbinary(256) not null,
  description longtext not null,
  client_id varbinary(256) not null,
  client_name varbinary(1020) not null,
  connection varbinary(512) not null,
  connection_id varbinary(256) not null,
  organization_id varbinary(256) not null,
  organization_name varbinary(1020) not null,
  user_id varbinary(255) not null,
  user_name varbinary(1280) not null,
  ip varbinary(256) not null,
  hostname varbinary(1020) not null,
  user_agent longtext not null,
  is_mobile tinyint(1) not null,
  audience varbinary(2400) not null,
  scope longtext not null,
  strategy varbinary(256) not null,
  strategy_type varbinary(128) not null,
  details longtext not null,
  expires_at bigint,
  primary key (tenant_id, log_id),
  index postern_logs_by_type (tenant_id, type, log_id),
  index postern_logs_by_user_id (tenant_id, user_id, log_id),
  index postern_logs_by_client_id (tenant_id, client_id, log_id),
  index postern_logs_by_ip (tenant_id, ip, log_id),
  index postern_logs_across_expires_at (expires_at)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- What happened in a tenant on one day (UTC), counted by `sweep` from the log events. `last_event_id` is the id of the last counted event of the day: it and the counts change in one write, so each event is counted once.
create table if not exists postern_daily_statistics (
  tenant_id varbinary(64) not null,
  date varbinary(32) not null,
  last_event_id varbinary(64) not null,
  logins bigint not null,
  signups bigint not null,
  leaked_passwords bigint not null,
  failures bigint not null,
  failures_by_type longtext not null,
  active_users bigint,
  active_users_at bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, date)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- A destination of a tenant's audit events. All events up to the cursor are delivered. One process at a time delivers: the holder of the lease. The credentials are encrypted.
create table if not exists postern_log_streams (
  tenant_id varbinary(64) not null,
  id varbinary(64) not null,
  name varbinary(1020) not null,
  type varbinary(256) not null,
  status varbinary(64) not null,
  settings longtext not null,
  credentials longtext,
  seal varbinary(64) not null,
  cursor_date bigint not null,
  cursor_id varbinary(256) not null,
  failures bigint not null,
  last_error longtext not null,
  next_at bigint not null,
  leased_until bigint not null,
  served_at bigint not null,
  window_state longtext,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, id),
  index postern_log_streams_by_created_at (tenant_id, created_at, id),
  index postern_log_streams_across_status_served_at_tenant_id_id (status, served_at, tenant_id, id),
  index postern_log_streams_across_seal_tenant_id_id (seal, tenant_id, id)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

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

-- A background job of the Management API. Stored for a day, so that callers can query its result. `details` contains its input and its result.
create table if not exists postern_jobs (
  tenant_id varbinary(64) not null,
  id varbinary(64) not null,
  type varbinary(256) not null,
  status varbinary(128) not null,
  details longtext not null,
  created_at bigint not null,
  expires_at bigint not null,
  primary key (tenant_id, id),
  index postern_jobs_across_expires_at (expires_at)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- A client assertion (RFC 7523 section 3) or a DPoP proof (RFC 9449) that was accepted once, stored until it expires.
create table if not exists postern_used_assertions (
  tenant_id varbinary(64) not null,
  jti_hash varbinary(64) not null,
  expires_at bigint not null,
  primary key (tenant_id, jti_hash),
  index postern_used_assertions_across_expires_at (expires_at)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- A tenant's custom texts for one prompt of the login pages in one language, by screen and key, with Auth0's names.
create table if not exists postern_custom_texts (
  tenant_id varbinary(64) not null,
  language varbinary(16) not null,
  prompt varbinary(64) not null,
  texts longtext not null,
  updated_at bigint not null,
  primary key (tenant_id, language, prompt)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- Settings that are stored for compatibility with Auth0's tools and have no effect in Postern: page templates, partials, the rendering of screens, and accounts at services that send codes or notifications for factors. Secrets are encrypted.
create table if not exists postern_stored_documents (
  tenant_id varbinary(64) not null,
  kind varbinary(32) not null,
  name varbinary(160) not null,
  content longtext not null,
  secrets longtext,
  seal varbinary(64) not null,
  revision bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, kind, name),
  index postern_stored_documents_across_seal_tenant_id_kind_name (seal, tenant_id, kind, name)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- An application that can request tokens (RFC 6749 section 2).
create table if not exists postern_clients (
  tenant_id varbinary(64) not null,
  client_id varbinary(64) not null,
  name varbinary(1020) not null,
  description varbinary(560) not null,
  app_type varbinary(128) not null,
  is_first_party tinyint(1) not null,
  token_endpoint_auth_method varbinary(128) not null,
  secret_hash varbinary(64),
  grant_types longtext not null,
  callbacks longtext not null,
  allowed_logout_urls longtext not null,
  web_origins longtext not null,
  allowed_origins longtext not null,
  organization_usage varbinary(64),
  connections longtext,
  may_administer tinyint(1) not null,
  external_client_id varbinary(120),
  external_metadata_type varbinary(8),
  external_metadata_created_by varbinary(8),
  registration_token_hash varbinary(64),
  unused_since bigint,
  consents_since bigint,
  blocked_at bigint,
  settings longtext not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  deleting_at bigint,
  primary key (tenant_id, client_id),
  index postern_clients_by_name (tenant_id, name, client_id),
  index postern_clients_by_created_at (tenant_id, created_at, client_id),
  index postern_clients_by_external_metadata_type_created_at (tenant_id, external_metadata_type, created_at, client_id),
  index postern_clients_by_unused_since (tenant_id, unused_since, client_id),
  index postern_clients_across_deleting_at_tenant_id_client_id (deleting_at, tenant_id, client_id),
  index postern_clients_across_unused_since_tenant_id_client_id (unused_since, tenant_id, client_id)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- A token that allows its holder to register clients (RFC 7591 section 3). Only its hash is stored.
create table if not exists postern_initial_access_tokens (
  tenant_id varbinary(64) not null,
  id varbinary(64) not null,
  token_hash varbinary(64) not null,
  uses_left bigint not null,
  redirect_hosts longtext not null,
  expires_at bigint not null,
  created_at bigint not null,
  primary key (tenant_id, id),
  unique index postern_initial_access_tokens_unique_token_hash (tenant_id, token_hash),
  index postern_initial_access_tokens_by_created_at (tenant_id, created_at, id),
  index postern_initial_access_tokens_by_expires_at (tenant_id, expires_at, id),
  index postern_initial_access_tokens_across_expires_at (expires_at)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- An API that access tokens are issued for, with its scopes. The Management API is one of them, marked `is_system`.
create table if not exists postern_resource_servers (
  tenant_id varbinary(64) not null,
  id varbinary(64) not null,
  identifier varbinary(2400) not null,
  name varbinary(800) not null,
  is_system tinyint(1) not null,
  origin varbinary(256),
  settings longtext not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  deleting_at bigint,
  primary key (tenant_id, id),
  unique index postern_resource_servers_unique_identifier (tenant_id, identifier),
  unique index postern_resource_servers_unique_origin (tenant_id, origin),
  index postern_resource_servers_by_name (tenant_id, name, id),
  index postern_resource_servers_by_created_at (tenant_id, created_at, id),
  index postern_resource_servers_across_deleting_at_tenant_id_id (deleting_at, tenant_id, id)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- The scopes of an API that a client may receive, for itself or for a user.
create table if not exists postern_client_grants (
  tenant_id varbinary(64) not null,
  id varbinary(64) not null,
  client_id varbinary(64) not null,
  audience varbinary(2400) not null,
  subject_type varbinary(64) not null,
  scope longtext not null,
  organization_usage varbinary(64),
  allow_any_organization tinyint(1) not null,
  settings longtext not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  deleting_at bigint,
  primary key (tenant_id, id),
  unique index postern_client_grants_unique_client_id_audience_subject_type (tenant_id, client_id, audience, subject_type),
  index postern_client_grants_by_client_id_created_at (tenant_id, client_id, created_at, id),
  index postern_client_grants_by_audience_created_at (tenant_id, audience, created_at, id),
  index postern_client_grants_by_created_at (tenant_id, created_at, id),
  index postern_client_grants_across_deleting_at_tenant_id_id (deleting_at, tenant_id, id)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- A source of users: a password database, one-time codes, or an upstream provider. Its secrets are encrypted and separate from its options. Each is named by its path in the options.
create table if not exists postern_connections (
  tenant_id varbinary(64) not null,
  id varbinary(64) not null,
  name varbinary(512) not null,
  strategy varbinary(256) not null,
  display_name varbinary(512) not null,
  options longtext not null,
  secrets longtext not null,
  seal varbinary(64) not null,
  settings longtext not null,
  listed tinyint(1) not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  deleting_at bigint,
  former_name varbinary(512),
  primary key (tenant_id, id),
  unique index postern_connections_unique_name (tenant_id, name),
  index postern_connections_by_name (tenant_id, name, id),
  index postern_connections_by_strategy_created_at (tenant_id, strategy, created_at, id),
  index postern_connections_by_created_at (tenant_id, created_at, id),
  index postern_connections_by_listed_created_at (tenant_id, listed, created_at, id),
  index postern_connections_across_deleting_at_tenant_id_id (deleting_at, tenant_id, id),
  index postern_connections_across_seal_tenant_id_id (seal, tenant_id, id)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- An email domain whose users may sign in with the connection of their company.
create table if not exists postern_connection_domains (
  tenant_id varbinary(64) not null,
  domain varbinary(1024) not null,
  connection_id varbinary(64) not null,
  created_at bigint not null,
  primary key (tenant_id, domain, connection_id),
  index postern_connection_domains_by_connection_id (tenant_id, connection_id, domain)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- One account of one connection. A linked account refers to its primary account, which is never linked itself.
create table if not exists postern_users (
  tenant_id varbinary(64) not null,
  user_id varbinary(255) not null,
  connection varbinary(512) not null,
  provider varbinary(256) not null,
  linked_to varbinary(255) not null,
  linked_count bigint not null,
  email varbinary(1280) not null,
  email_key varbinary(1280),
  email_verified tinyint(1) not null,
  email_proof varbinary(64),
  proven_email varbinary(1280),
  is_unproven_sign_up tinyint(1) not null,
  username varbinary(512),
  username_key varbinary(512),
  phone_number varbinary(128),
  phone_key varbinary(128),
  subject_key varbinary(255),
  phone_verified tinyint(1) not null,
  name varbinary(1200) not null,
  nickname varbinary(1200) not null,
  given_name varbinary(600),
  family_name varbinary(600),
  picture longtext,
  standard_claims longtext,
  blocked tinyint(1) not null,
  app_metadata longtext not null,
  user_metadata longtext not null,
  password_id varbinary(64),
  enrolled_factors longtext,
  factors_changed_at bigint,
  factors_frozen_until bigint,
  password_frozen_until bigint,
  removing_factor varbinary(64),
  first_factor varbinary(64),
  last_password_reset bigint,
  last_ip varbinary(256),
  last_login bigint not null,
  logins_count bigint not null,
  deletes_at bigint,
  deletion_step_at bigint,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  deleting_at bigint,
  primary key (tenant_id, user_id),
  unique index postern_users_unique_connection_email_key (tenant_id, connection, email_key),
  unique index postern_users_unique_connection_username_key (tenant_id, connection, username_key),
  unique index postern_users_unique_connection_phone_key (tenant_id, connection, phone_key),
  unique index postern_users_unique_connection_subject_key (tenant_id, connection, subject_key),
  index postern_users_by_linked_to_created_at (tenant_id, linked_to, created_at, user_id),
  index postern_users_by_linked_to_updated_at (tenant_id, linked_to, updated_at, user_id),
  index postern_users_by_linked_to_email (tenant_id, linked_to, email, user_id),
  index postern_users_by_linked_to_name (tenant_id, linked_to, name, user_id),
  index postern_users_by_linked_to_last_login (tenant_id, linked_to, last_login, user_id),
  index postern_users_by_linked_to_logins_count (tenant_id, linked_to, logins_count, user_id),
  index postern_users_by_linked_to_username (tenant_id, linked_to, username, user_id),
  index postern_users_by_linked_to_phone_number (tenant_id, linked_to, phone_number, user_id),
  index postern_users_by_email (tenant_id, email, user_id),
  index postern_users_by_linked_to_deleting_at (tenant_id, linked_to, deleting_at),
  index postern_users_across_deleting_at_tenant_id_user_id (deleting_at, tenant_id, user_id),
  index postern_users_across_deletion_step_at_tenant_id_user_id (deletion_step_at, tenant_id, user_id)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- A password hash (PHC string). A user row refers to the current one; older ones are the password history.
create table if not exists postern_passwords (
  tenant_id varbinary(64) not null,
  id varbinary(64) not null,
  user_id varbinary(255) not null,
  hash longtext not null,
  set_through varbinary(1280),
  created_at bigint not null,
  primary key (tenant_id, id),
  index postern_passwords_by_user_id_created_at (tenant_id, user_id, created_at, id)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

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
  used_form varbinary(32),
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

-- The encrypted tokens that an identity provider issued for one of its accounts. One row per account.
create table if not exists postern_upstream_tokens (
  tenant_id varbinary(64) not null,
  account_id varbinary(255) not null,
  tokens longtext not null,
  seal varbinary(64) not null,
  refreshing_until bigint not null,
  revision bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, account_id),
  index postern_upstream_tokens_across_seal_tenant_id_account_id (seal, tenant_id, account_id)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- A named set of permissions. `name_folded` is the name in lower case, for searches.
create table if not exists postern_roles (
  tenant_id varbinary(64) not null,
  id varbinary(64) not null,
  name varbinary(1020) not null,
  name_folded varbinary(1020) not null,
  description longtext not null,
  metadata longtext not null,
  is_system tinyint(1) not null,
  origin varbinary(256),
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  deleting_at bigint,
  primary key (tenant_id, id),
  unique index postern_roles_unique_name (tenant_id, name),
  unique index postern_roles_unique_origin (tenant_id, origin),
  index postern_roles_by_name (tenant_id, name, id),
  index postern_roles_by_created_at (tenant_id, created_at, id),
  index postern_roles_across_deleting_at_tenant_id_id (deleting_at, tenant_id, id)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- A permission that a role grants.
create table if not exists postern_role_permissions (
  tenant_id varbinary(64) not null,
  role_id varbinary(64) not null,
  resource_server_id varbinary(64) not null,
  permission_name varbinary(1120) not null,
  created_at bigint not null,
  primary key (tenant_id, role_id, resource_server_id, permission_name),
  index postern_role_permissions_by_resource_server_id (tenant_id, resource_server_id, role_id, permission_name)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- A role that a user has: in the tenant (organization_id '') or inside one organization.
create table if not exists postern_user_roles (
  tenant_id varbinary(64) not null,
  user_id varbinary(255) not null,
  organization_id varbinary(64) not null,
  role_id varbinary(64) not null,
  created_at bigint not null,
  primary key (tenant_id, user_id, organization_id, role_id),
  index postern_user_roles_by_role_id_organization_id (tenant_id, role_id, organization_id, user_id),
  index postern_user_roles_by_organization_id (tenant_id, organization_id, user_id, role_id)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- A permission that a user has directly, without a role.
create table if not exists postern_user_permissions (
  tenant_id varbinary(64) not null,
  user_id varbinary(255) not null,
  resource_server_id varbinary(64) not null,
  permission_name varbinary(1120) not null,
  created_at bigint not null,
  primary key (tenant_id, user_id, resource_server_id, permission_name),
  index postern_user_permissions_by_resource_server_id (tenant_id, resource_server_id, user_id, permission_name)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- A customer of the tenant's applications, with members.
create table if not exists postern_organizations (
  tenant_id varbinary(64) not null,
  id varbinary(64) not null,
  name varbinary(1020) not null,
  display_name varbinary(1020) not null,
  branding longtext not null,
  metadata longtext not null,
  settings longtext not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  deleting_at bigint,
  primary key (tenant_id, id),
  unique index postern_organizations_unique_name (tenant_id, name),
  index postern_organizations_by_name (tenant_id, name, id),
  index postern_organizations_by_display_name (tenant_id, display_name, id),
  index postern_organizations_by_created_at (tenant_id, created_at, id),
  index postern_organizations_across_deleting_at_tenant_id_id (deleting_at, tenant_id, id)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- A user's membership of an organization.
create table if not exists postern_organization_members (
  tenant_id varbinary(64) not null,
  organization_id varbinary(64) not null,
  user_id varbinary(255) not null,
  created_at bigint not null,
  primary key (tenant_id, organization_id, user_id),
  index postern_organization_members_by_user_id (tenant_id, user_id, organization_id),
  index postern_organization_members_by_organization_id_created_at (tenant_id, organization_id, created_at, user_id)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- A connection that members of an organization may sign in with.
create table if not exists postern_organization_connections (
  tenant_id varbinary(64) not null,
  organization_id varbinary(64) not null,
  connection_id varbinary(64) not null,
  assign_membership_on_login tinyint(1) not null,
  show_as_button tinyint(1) not null,
  is_signup_enabled tinyint(1) not null,
  created_at bigint not null,
  primary key (tenant_id, organization_id, connection_id),
  index postern_organization_connections_by_connection_id (tenant_id, connection_id, organization_id)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- A client grant that is assigned to an organization: the client may act for it.
create table if not exists postern_organization_client_grants (
  tenant_id varbinary(64) not null,
  organization_id varbinary(64) not null,
  grant_id varbinary(64) not null,
  client_id varbinary(64) not null,
  audience varbinary(2400) not null,
  created_at bigint not null,
  primary key (tenant_id, organization_id, grant_id),
  index postern_organization_client_grants_by_grant_id (tenant_id, grant_id, organization_id),
  index postern_organization_client_grants_by_client_id (tenant_id, client_id, organization_id, grant_id),
  index postern_organization_client_grants_by_audience (tenant_id, audience, organization_id, grant_id)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- An invitation into an organization.
create table if not exists postern_invitations (
  tenant_id varbinary(64) not null,
  id varbinary(64) not null,
  organization_id varbinary(64) not null,
  ticket_hash varbinary(64) not null,
  ticket longtext not null,
  seal varbinary(64) not null,
  client_id varbinary(64) not null,
  connection_id varbinary(64),
  inviter_name varbinary(1200) not null,
  invitee_email varbinary(1280) not null,
  app_metadata longtext not null,
  user_metadata longtext not null,
  roles longtext not null,
  ttl_sec bigint not null,
  created_at bigint not null,
  expires_at bigint not null,
  accepted_at bigint,
  accepted_by varbinary(255),
  applied_at bigint,
  primary key (tenant_id, id),
  unique index postern_invitations_unique_ticket_hash (tenant_id, ticket_hash),
  index postern_invitations_by_organization_id_created_at (tenant_id, organization_id, created_at, id),
  index postern_invitations_across_seal_tenant_id_id (seal, tenant_id, id)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- A user's SSO session. It is stored longer than every token that refers to it: a token whose session is missing is rejected.
create table if not exists postern_sessions (
  tenant_id varbinary(64) not null,
  id varbinary(64) not null,
  user_id varbinary(255) not null,
  account_id varbinary(255) not null,
  connection_id varbinary(64) not null,
  issuer longtext not null,
  cookie_hash varbinary(64),
  clients longtext not null,
  authentication longtext not null,
  device longtext not null,
  session_metadata longtext not null,
  authenticated_at bigint not null,
  last_interacted_at bigint not null,
  idle_expires_at bigint not null,
  expires_at bigint not null,
  revoked_at bigint,
  logout_initiator varbinary(128),
  logout_at bigint not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  purge_at bigint not null,
  primary key (tenant_id, id),
  unique index postern_sessions_unique_cookie_hash (tenant_id, cookie_hash),
  index postern_sessions_by_user_id_created_at (tenant_id, user_id, created_at, id),
  index postern_sessions_by_created_at (tenant_id, created_at, id),
  index postern_sessions_by_expires_at (tenant_id, expires_at, id),
  index postern_sessions_across_logout_at_tenant_id_id (logout_at, tenant_id, id),
  index postern_sessions_across_purge_at (purge_at)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- A logout token that is to be sent to one logout URL of a client (OpenID Connect Back-Channel Logout 1.0). It is signed when it is sent. Deleted when the client has accepted it.
create table if not exists postern_logout_deliveries (
  tenant_id varbinary(64) not null,
  id varbinary(64) not null,
  client_id varbinary(64) not null,
  url longtext not null,
  session_id varbinary(64) not null,
  user_id varbinary(255) not null,
  issuer longtext not null,
  initiator varbinary(128) not null,
  session_metadata longtext,
  state varbinary(64) not null,
  failures bigint not null,
  last_error longtext not null,
  next_at bigint not null,
  leased_until bigint not null,
  served_at bigint not null,
  expires_at bigint not null,
  revision bigint not null,
  created_at bigint not null,
  purge_at bigint not null,
  primary key (tenant_id, id),
  index postern_logout_deliveries_by_client_id_state_next_at (tenant_id, client_id, state, next_at, id),
  index postern_logout_deliveries_by_created_at (tenant_id, created_at, id),
  index postern_logout_deliveries_across_state_client_id_tenant_id_id (state, client_id, tenant_id, id),
  index postern_logout_deliveries_across_purge_at (purge_at)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- An authorization request that a client sent in advance (RFC 9126), found by the hash of its request URI. A conditional update uses it once.
create table if not exists postern_pushed_requests (
  tenant_id varbinary(64) not null,
  uri_hash varbinary(64) not null,
  client_id varbinary(64) not null,
  parameters longtext not null,
  login_id varbinary(80),
  created_at bigint not null,
  expires_at bigint not null,
  purge_at bigint not null,
  primary key (tenant_id, uri_hash),
  index postern_pushed_requests_across_purge_at (purge_at)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- An authorization code (RFC 6749 section 4.1.2) with everything that the token exchange needs. A conditional update redeems it once.
create table if not exists postern_authorization_codes (
  tenant_id varbinary(64) not null,
  code_hash varbinary(64) not null,
  client_id varbinary(64) not null,
  user_id varbinary(255) not null,
  session_id varbinary(64) not null,
  grant_id varbinary(64) not null,
  redirect_uri longtext,
  code_challenge varbinary(512),
  scope longtext not null,
  audience varbinary(2400),
  organization_id varbinary(64),
  nonce longtext,
  auth_time bigint not null,
  request longtext not null,
  created_at bigint not null,
  expires_at bigint not null,
  consumed_at bigint,
  primary key (tenant_id, code_hash),
  index postern_authorization_codes_by_user_id (tenant_id, user_id, code_hash),
  index postern_authorization_codes_by_grant_id (tenant_id, grant_id, code_hash),
  index postern_authorization_codes_across_expires_at (expires_at)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- A device code and its user code (RFC 8628), and the decision of the user. A conditional update decides it once, and another redeems it once.
create table if not exists postern_device_codes (
  tenant_id varbinary(64) not null,
  code_hash varbinary(64) not null,
  user_code_hash varbinary(64) not null,
  client_id varbinary(64) not null,
  requested longtext not null,
  device longtext not null,
  state varbinary(64) not null,
  interval_seconds bigint not null,
  polled_at bigint not null,
  user_id varbinary(255),
  granted longtext not null,
  created_at bigint not null,
  expires_at bigint not null,
  purge_at bigint not null,
  primary key (tenant_id, code_hash),
  unique index postern_device_codes_unique_user_code_hash (tenant_id, user_code_hash),
  index postern_device_codes_by_user_id (tenant_id, user_id, code_hash),
  index postern_device_codes_across_purge_at (purge_at)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- A refresh token, found by its hash. A token and its successors share a family. All tokens of one login share a grant.
create table if not exists postern_refresh_tokens (
  tenant_id varbinary(64) not null,
  id varbinary(64) not null,
  token_hash varbinary(64) not null,
  family_id varbinary(64) not null,
  grant_id varbinary(64) not null,
  session_id varbinary(64),
  client_id varbinary(64) not null,
  user_id varbinary(255) not null,
  organization_id varbinary(64),
  audience varbinary(2400),
  scope longtext not null,
  claims longtext not null,
  jkt varbinary(64),
  device longtext not null,
  refresh_token_metadata longtext not null,
  rotated_at bigint,
  rotated_to varbinary(64),
  presented_at bigint,
  reissued_at bigint,
  recovered_at bigint,
  revoked_at bigint,
  idle_expires_at bigint,
  expires_at bigint,
  last_exchanged_at bigint,
  auth_time bigint not null,
  created_at bigint not null,
  purge_at bigint,
  primary key (tenant_id, id),
  unique index postern_refresh_tokens_unique_token_hash (tenant_id, token_hash),
  index postern_refresh_tokens_by_user_id_created_at (tenant_id, user_id, created_at, id),
  index postern_refresh_tokens_by_family_id (tenant_id, family_id, id),
  index postern_refresh_tokens_by_session_id (tenant_id, session_id, id),
  index postern_refresh_tokens_by_grant_id (tenant_id, grant_id, id),
  index postern_refresh_tokens_by_client_id (tenant_id, client_id, id),
  index postern_refresh_tokens_by_created_at (tenant_id, created_at, id),
  index postern_refresh_tokens_across_purge_at (purge_at)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- A grant whose access tokens are rejected although they have not expired.
create table if not exists postern_revoked_grants (
  tenant_id varbinary(64) not null,
  grant_id varbinary(64) not null,
  reason varbinary(256) not null,
  created_at bigint not null,
  expires_at bigint not null,
  primary key (tenant_id, grant_id),
  index postern_revoked_grants_across_expires_at (expires_at)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- The scopes of one API that a user granted to a client, and whether the client may act for the user there (`may_act`).
create table if not exists postern_consents (
  tenant_id varbinary(64) not null,
  id varbinary(64) not null,
  user_id varbinary(255) not null,
  client_id varbinary(64) not null,
  audience_hash varbinary(64) not null,
  audience varbinary(2400) not null,
  scope longtext not null,
  may_act tinyint(1) not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, id),
  unique index postern_consents_unique_user_id_client_id_audience_hash (tenant_id, user_id, client_id, audience_hash),
  index postern_consents_by_user_id_created_at (tenant_id, user_id, created_at, id),
  index postern_consents_by_client_id_created_at (tenant_id, client_id, created_at, id),
  index postern_consents_by_audience_hash_created_at (tenant_id, audience_hash, created_at, id),
  index postern_consents_by_created_at (tenant_id, created_at, id)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- A public key that a user registered for a device and a client. It has no effect.
create table if not exists postern_device_credentials (
  tenant_id varbinary(64) not null,
  id varbinary(64) not null,
  user_id varbinary(255) not null,
  client_id varbinary(64) not null,
  device_id varbinary(36) not null,
  device_name varbinary(1020) not null,
  value longtext not null,
  created_at bigint not null,
  primary key (tenant_id, id),
  index postern_device_credentials_by_user_id (tenant_id, user_id, id),
  index postern_device_credentials_by_client_id (tenant_id, client_id, id)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- A login in progress: the request that started it and the progress of its steps. Bound to a browser by the hash of a cookie.
create table if not exists postern_login_sessions (
  tenant_id varbinary(64) not null,
  id varbinary(64) not null,
  browser_hash varbinary(64),
  later_browser_hash varbinary(64),
  client_id varbinary(64) not null,
  request longtext not null,
  progress longtext not null,
  user_id varbinary(255),
  revision bigint not null,
  created_at bigint not null,
  expires_at bigint not null,
  primary key (tenant_id, id),
  index postern_login_sessions_by_user_id (tenant_id, user_id, id),
  index postern_login_sessions_across_expires_at (expires_at)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- A short code sent by email or SMS. `attempts` counts wrong codes; the fifth invalidates it. `used_form` identifies the form that used the code.
create table if not exists postern_one_time_codes (
  tenant_id varbinary(64) not null,
  id varbinary(64) not null,
  purpose varbinary(128) not null,
  identifier_hash varbinary(64) not null,
  code_hash varbinary(64) not null,
  client_id varbinary(64) not null,
  login_id varbinary(64),
  address_hash varbinary(64),
  user_id varbinary(255),
  attempts bigint not null,
  request longtext not null,
  created_at bigint not null,
  expires_at bigint not null,
  consumed_at bigint,
  used_form varbinary(32),
  primary key (tenant_id, id),
  index postern_one_time_codes_by_purpose_identifier_hash_created_at (tenant_id, purpose, identifier_hash, created_at, id),
  index postern_one_time_codes_by_user_id (tenant_id, user_id, id),
  index postern_one_time_codes_across_expires_at (expires_at)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- The recent messages to one email address or phone number, and the attempts at its codes. Changed by compare-and-swap on `revision`.
create table if not exists postern_destination_budgets (
  tenant_id varbinary(64) not null,
  subject_hash varbinary(64) not null,
  recent longtext not null,
  revision bigint not null,
  updated_at bigint not null,
  expires_at bigint not null,
  primary key (tenant_id, subject_hash),
  index postern_destination_budgets_across_expires_at (expires_at)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- The recent messages to new phone numbers: of one user, to one number, to one range of numbers, or of one tenant. Changed by compare-and-swap on `revision`.
create table if not exists postern_message_counts (
  subject_hash varbinary(64) not null,
  recent longtext not null,
  revision bigint not null,
  expires_at bigint not null,
  primary key (subject_hash),
  index postern_message_counts_across_expires_at (expires_at)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- A link that was sent to a user: password reset, email verification. Opening the link changes nothing; submitting its form redeems the ticket.
create table if not exists postern_tickets (
  tenant_id varbinary(64) not null,
  ticket_hash varbinary(64) not null,
  purpose varbinary(128) not null,
  user_id varbinary(255) not null,
  client_id varbinary(64),
  request longtext not null,
  created_at bigint not null,
  expires_at bigint not null,
  consumed_at bigint,
  primary key (tenant_id, ticket_hash),
  index postern_tickets_by_user_id (tenant_id, user_id, ticket_hash),
  index postern_tickets_across_expires_at (expires_at)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- Failed password logins of one account, or of one identifier without an account. Changed by compare-and-swap on `revision`.
create table if not exists postern_login_attempts (
  tenant_id varbinary(64) not null,
  subject_hash varbinary(64) not null,
  attempts longtext not null,
  revision bigint not null,
  updated_at bigint not null,
  expires_at bigint not null,
  primary key (tenant_id, subject_hash),
  index postern_login_attempts_across_expires_at (expires_at)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- The number of tokens that a client or organization with a quota received in the current hour and day (UTC). Counted by a conditional update.
create table if not exists postern_token_counts (
  tenant_id varbinary(64) not null,
  subject varbinary(80) not null,
  hour bigint not null,
  hour_count bigint not null,
  day bigint not null,
  day_count bigint not null,
  expires_at bigint not null,
  primary key (tenant_id, subject),
  index postern_token_counts_across_expires_at (expires_at)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;

-- A session of a host application that passes a session store to `@postern/app`. `content` is encrypted with the app's secret and the id of the session, which only the browser's cookie contains. `sid` is the session at the tenant, `sub` the user.
create table if not exists postern_app_sessions (
  id_hash varbinary(64) not null,
  tenant_id varbinary(64) not null,
  client_id varbinary(64) not null,
  sid varbinary(64) not null,
  sub varbinary(255) not null,
  content longtext not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  expires_at bigint not null,
  primary key (id_hash),
  index postern_app_sessions_by_tenant_id_client_id_sid (tenant_id, client_id, sid, id_hash),
  index postern_app_sessions_by_tenant_id_client_id_sub (tenant_id, client_id, sub, id_hash),
  index postern_app_sessions_across_expires_at (expires_at)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;
