-- A tenant with its settings, its branding, its attack-protection settings and its settings for second factors.
create table postern_tenants (
  id varchar(64) collate "C" not null,
  name varchar(255) collate "C" not null,
  friendly_name varchar(255) collate "C" not null,
  settings text collate "C" not null,
  branding text collate "C" not null,
  attack_protection text collate "C" not null,
  multifactor text collate "C" not null,
  organization_id varchar(64) collate "C",
  member_access text collate "C" not null,
  ready_at bigint,
  lease_until bigint not null,
  counted_until bigint not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  deleting_at bigint,
  primary key (id)
);
create unique index postern_tenants_unique_organization_id on postern_tenants (organization_id);
create index postern_tenants_by_name on postern_tenants (name, id);
create index postern_tenants_by_created_at on postern_tenants (created_at, id);
create index postern_tenants_by_counted_until on postern_tenants (counted_until, id);
create index postern_tenants_by_ready_at_deleting_at on postern_tenants (ready_at, deleting_at);

-- Values that are unique across tenants: client ids, host names and slots in the key set of the shared issuer, each with its tenant. The insert into this collection comes first and decides races.
create table postern_directory (
  kind varchar(16) collate "C" not null,
  value varchar(255) collate "C" not null,
  tenant_id varchar(64) collate "C" not null,
  created_at bigint not null,
  primary key (kind, value)
);
create index postern_directory_by_tenant_id on postern_directory (tenant_id, kind, value);

-- A custom domain of a tenant. Each verified one is an issuer. An unverified one expires and does not prevent other tenants from claiming the domain.
create table postern_custom_domains (
  tenant_id varchar(64) collate "C" not null,
  id varchar(64) collate "C" not null,
  domain varchar(255) collate "C" not null,
  type varchar(32) collate "C" not null,
  status varchar(32) collate "C" not null,
  is_default boolean not null,
  verification text collate "C" not null,
  settings text collate "C" not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  verified_at bigint,
  expires_at bigint,
  primary key (tenant_id, id)
);
create unique index postern_custom_domains_unique_domain on postern_custom_domains (tenant_id, domain);
create index postern_custom_domains_by_created_at on postern_custom_domains (tenant_id, created_at, id);
create index postern_custom_domains_by_domain on postern_custom_domains (tenant_id, domain, id);
create index postern_custom_domains_across_expires_at on postern_custom_domains (expires_at);

-- A key pair with its certificate. The private key is encrypted. The current signing key is computed from the instants when it is used. A published key that a rotation created has one of a few slots.
create table postern_signing_keys (
  tenant_id varchar(64) collate "C" not null,
  kid varchar(64) collate "C" not null,
  type varchar(32) collate "C" not null,
  alg varchar(16) collate "C" not null,
  public_jwk text collate "C" not null,
  private_key text collate "C" not null,
  seal varchar(64) collate "C" not null,
  certificate text collate "C" not null,
  created_at bigint not null,
  activates_at bigint not null,
  retires_at bigint,
  revoked_at bigint,
  slot bigint,
  primary key (tenant_id, kid)
);
create unique index postern_signing_keys_unique_type_slot on postern_signing_keys (tenant_id, type, slot);
create index postern_signing_keys_by_type on postern_signing_keys (tenant_id, type, kid);
create index postern_signing_keys_across_seal_tenant_id_kid on postern_signing_keys (seal, tenant_id, kid);

-- The email provider of a tenant that does not use the host's mail sender: at most one per tenant. Its secret credentials are encrypted; `account` contains the ones that the API returns.
create table postern_email_providers (
  tenant_id varchar(64) collate "C" not null,
  id varchar(64) collate "C" not null,
  name varchar(64) collate "C" not null,
  enabled boolean not null,
  default_from_address varchar(320) collate "C" not null,
  account text collate "C" not null,
  credentials text collate "C",
  seal varchar(64) collate "C" not null,
  settings text collate "C" not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, id)
);
create index postern_email_providers_across_seal_tenant_id_id on postern_email_providers (seal, tenant_id, id);

-- A custom email template of a tenant, in Liquid, with Auth0's name.
create table postern_email_templates (
  tenant_id varchar(64) collate "C" not null,
  template varchar(64) collate "C" not null,
  settings text collate "C" not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, template)
);

-- A lifecycle operation on a tenant: its creation, an upgrade, its deletion, or the synchronization of shared entities from the control plane.
create table postern_tenant_operations (
  id varchar(64) collate "C" not null,
  tenant_id varchar(64) collate "C" not null,
  kind varchar(32) collate "C" not null,
  status varchar(32) collate "C" not null,
  error text collate "C",
  input text collate "C" not null,
  position varchar(64) collate "C" not null,
  lease_until bigint not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  finished_at bigint,
  expires_at bigint,
  primary key (id)
);
create index postern_tenant_operations_by_tenant_id_created_at on postern_tenant_operations (tenant_id, created_at, id);
create index postern_tenant_operations_by_finished_at on postern_tenant_operations (finished_at, id);
create index postern_tenant_operations_across_expires_at on postern_tenant_operations (expires_at);

-- One step of a tenant operation, in the order in which it was reported.
create table postern_tenant_operation_events (
  id varchar(64) collate "C" not null,
  operation_id varchar(64) collate "C" not null,
  step varchar(128) collate "C" not null,
  status varchar(32) collate "C" not null,
  detail text collate "C" not null,
  created_at bigint not null,
  expires_at bigint,
  primary key (id)
);
create index postern_tenant_operation_events_by_operation_id on postern_tenant_operation_events (operation_id, id);
create index postern_tenant_operation_events_across_expires_at on postern_tenant_operation_events (expires_at);

-- One audit event. Rows are inserted, read and expired, never changed. `date` is the time with which `log_id` begins. `expires_at` is null if the host keeps events forever.
create table postern_logs (
  tenant_id varchar(64) collate "C" not null,
  log_id varchar(64) collate "C" not null,
  date bigint not null,
  type varchar(64) collate "C" not null,
  description text collate "C" not null,
  client_id varchar(64) collate "C" not null,
  client_name varchar(255) collate "C" not null,
  connection varchar(128) collate "C" not null,
  connection_id varchar(64) collate "C" not null,
  organization_id varchar(64) collate "C" not null,
  organization_name varchar(255) collate "C" not null,
  user_id varchar(255) collate "C" not null,
  user_name varchar(320) collate "C" not null,
  ip varchar(64) collate "C" not null,
  hostname varchar(255) collate "C" not null,
  user_agent text collate "C" not null,
  is_mobile boolean not null,
  audience varchar(600) collate "C" not null,
  scope text collate "C" not null,
  strategy varchar(64) collate "C" not null,
  strategy_type varchar(32) collate "C" not null,
  details text collate "C" not null,
  expires_at bigint,
  primary key (tenant_id, log_id)
);
create index postern_logs_by_type on postern_logs (tenant_id, type, log_id);
create index postern_logs_by_user_id on postern_logs (tenant_id, user_id, log_id);
create index postern_logs_by_client_id on postern_logs (tenant_id, client_id, log_id);
create index postern_logs_by_ip on postern_logs (tenant_id, ip, log_id);
create index postern_logs_across_expires_at on postern_logs (expires_at);

-- What happened in a tenant on one day (UTC), counted by `sweep` from the log events. `last_event_id` is the id of the last counted event of the day: it and the counts change in one write, so each event is counted once.
create table postern_daily_statistics (
  tenant_id varchar(64) collate "C" not null,
  date varchar(32) collate "C" not null,
  last_event_id varchar(64) collate "C" not null,
  logins bigint not null,
  signups bigint not null,
  leaked_passwords bigint not null,
  failures bigint not null,
  failures_by_type text collate "C" not null,
  active_users bigint,
  active_users_at bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, date)
);

-- A destination of a tenant's audit events. All events up to the cursor are delivered. One process at a time delivers: the holder of the lease. The credentials are encrypted.
create table postern_log_streams (
  tenant_id varchar(64) collate "C" not null,
  id varchar(64) collate "C" not null,
  name varchar(255) collate "C" not null,
  type varchar(64) collate "C" not null,
  status varchar(16) collate "C" not null,
  settings text collate "C" not null,
  credentials text collate "C",
  seal varchar(64) collate "C" not null,
  cursor_date bigint not null,
  cursor_id varchar(64) collate "C" not null,
  failures bigint not null,
  last_error text collate "C" not null,
  next_at bigint not null,
  leased_until bigint not null,
  served_at bigint not null,
  window_state text collate "C",
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, id)
);
create index postern_log_streams_by_created_at on postern_log_streams (tenant_id, created_at, id);
create index postern_log_streams_across_status_served_at_tenant_id_id on postern_log_streams (status, served_at, tenant_id, id);
create index postern_log_streams_across_seal_tenant_id_id on postern_log_streams (seal, tenant_id, id);

-- The log ids of one acknowledged delivery of a log stream, with the dates of its first and last event. Deleted when the log up to the last event is no longer searched for late events.
create table postern_log_stream_deliveries (
  tenant_id varchar(64) collate "C" not null,
  stream_id varchar(64) collate "C" not null,
  id varchar(64) collate "C" not null,
  first_date bigint not null,
  last_date bigint not null,
  log_ids text collate "C" not null,
  expires_at bigint not null,
  primary key (tenant_id, stream_id, id)
);
create index postern_log_stream_deliveries_by_stream_id_last_date on postern_log_stream_deliveries (tenant_id, stream_id, last_date, id);
create index postern_log_stream_deliveries_across_expires_at on postern_log_stream_deliveries (expires_at);

-- A background job of the Management API. Stored for a day, so that callers can query its result. `details` contains its input and its result.
create table postern_jobs (
  tenant_id varchar(64) collate "C" not null,
  id varchar(64) collate "C" not null,
  type varchar(64) collate "C" not null,
  status varchar(32) collate "C" not null,
  details text collate "C" not null,
  created_at bigint not null,
  expires_at bigint not null,
  primary key (tenant_id, id)
);
create index postern_jobs_across_expires_at on postern_jobs (expires_at);

-- A client assertion (RFC 7523 section 3) or a DPoP proof (RFC 9449) that was accepted once, stored until it expires.
create table postern_used_assertions (
  tenant_id varchar(64) collate "C" not null,
  jti_hash varchar(64) collate "C" not null,
  expires_at bigint not null,
  primary key (tenant_id, jti_hash)
);
create index postern_used_assertions_across_expires_at on postern_used_assertions (expires_at);

-- A tenant's custom texts for one prompt of the login pages in one language, by screen and key, with Auth0's names.
create table postern_custom_texts (
  tenant_id varchar(64) collate "C" not null,
  language varchar(16) collate "C" not null,
  prompt varchar(64) collate "C" not null,
  texts text collate "C" not null,
  updated_at bigint not null,
  primary key (tenant_id, language, prompt)
);

-- Settings that are stored for compatibility with Auth0's tools and have no effect in Postern: page templates, partials, the rendering of screens, and accounts at services that send codes or notifications for factors. Secrets are encrypted.
create table postern_stored_documents (
  tenant_id varchar(64) collate "C" not null,
  kind varchar(32) collate "C" not null,
  name varchar(160) collate "C" not null,
  content text collate "C" not null,
  secrets text collate "C",
  seal varchar(64) collate "C" not null,
  revision bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, kind, name)
);
create index postern_stored_documents_across_seal_tenant_id_kind_name on postern_stored_documents (seal, tenant_id, kind, name);

-- An application that can request tokens (RFC 6749 section 2).
create table postern_clients (
  tenant_id varchar(64) collate "C" not null,
  client_id varchar(64) collate "C" not null,
  name varchar(255) collate "C" not null,
  description varchar(140) collate "C" not null,
  app_type varchar(32) collate "C" not null,
  is_first_party boolean not null,
  token_endpoint_auth_method varchar(32) collate "C" not null,
  secret_hash varchar(64) collate "C",
  grant_types text collate "C" not null,
  callbacks text collate "C" not null,
  allowed_logout_urls text collate "C" not null,
  web_origins text collate "C" not null,
  allowed_origins text collate "C" not null,
  organization_usage varchar(16) collate "C",
  connections text collate "C",
  may_administer boolean not null,
  external_client_id varchar(120) collate "C",
  external_metadata_type varchar(8) collate "C",
  external_metadata_created_by varchar(8) collate "C",
  registration_token_hash varchar(64) collate "C",
  unused_since bigint,
  consents_since bigint,
  blocked_at bigint,
  settings text collate "C" not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  deleting_at bigint,
  primary key (tenant_id, client_id)
);
create index postern_clients_by_name on postern_clients (tenant_id, name, client_id);
create index postern_clients_by_created_at on postern_clients (tenant_id, created_at, client_id);
create index postern_clients_by_external_metadata_type_created_at on postern_clients (tenant_id, external_metadata_type, created_at, client_id);
create index postern_clients_by_unused_since on postern_clients (tenant_id, unused_since, client_id);
create index postern_clients_across_deleting_at_tenant_id_client_id on postern_clients (deleting_at, tenant_id, client_id);
create index postern_clients_across_unused_since_tenant_id_client_id on postern_clients (unused_since, tenant_id, client_id);

-- A token that allows its holder to register clients (RFC 7591 section 3). Only its hash is stored.
create table postern_initial_access_tokens (
  tenant_id varchar(64) collate "C" not null,
  id varchar(64) collate "C" not null,
  token_hash varchar(64) collate "C" not null,
  uses_left bigint not null,
  redirect_hosts text collate "C" not null,
  expires_at bigint not null,
  created_at bigint not null,
  primary key (tenant_id, id)
);
create unique index postern_initial_access_tokens_unique_token_hash on postern_initial_access_tokens (tenant_id, token_hash);
create index postern_initial_access_tokens_by_created_at on postern_initial_access_tokens (tenant_id, created_at, id);
create index postern_initial_access_tokens_by_expires_at on postern_initial_access_tokens (tenant_id, expires_at, id);
create index postern_initial_access_tokens_across_expires_at on postern_initial_access_tokens (expires_at);

-- An API that access tokens are issued for, with its scopes. The Management API is one of them, marked `is_system`.
create table postern_resource_servers (
  tenant_id varchar(64) collate "C" not null,
  id varchar(64) collate "C" not null,
  identifier varchar(600) collate "C" not null,
  name varchar(200) collate "C" not null,
  is_system boolean not null,
  origin varchar(64) collate "C",
  settings text collate "C" not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  deleting_at bigint,
  primary key (tenant_id, id)
);
create unique index postern_resource_servers_unique_identifier on postern_resource_servers (tenant_id, identifier);
create unique index postern_resource_servers_unique_origin on postern_resource_servers (tenant_id, origin);
create index postern_resource_servers_by_name on postern_resource_servers (tenant_id, name, id);
create index postern_resource_servers_by_created_at on postern_resource_servers (tenant_id, created_at, id);
create index postern_resource_servers_across_deleting_at_tenant_id_id on postern_resource_servers (deleting_at, tenant_id, id);

-- The scopes of an API that a client may receive, for itself or for a user.
create table postern_client_grants (
  tenant_id varchar(64) collate "C" not null,
  id varchar(64) collate "C" not null,
  client_id varchar(64) collate "C" not null,
  audience varchar(600) collate "C" not null,
  subject_type varchar(16) collate "C" not null,
  scope text collate "C" not null,
  organization_usage varchar(16) collate "C",
  allow_any_organization boolean not null,
  settings text collate "C" not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  deleting_at bigint,
  primary key (tenant_id, id)
);
create unique index postern_client_grants_unique_client_id_audience_subject_type on postern_client_grants (tenant_id, client_id, audience, subject_type);
create index postern_client_grants_by_client_id_created_at on postern_client_grants (tenant_id, client_id, created_at, id);
create index postern_client_grants_by_audience_created_at on postern_client_grants (tenant_id, audience, created_at, id);
create index postern_client_grants_by_created_at on postern_client_grants (tenant_id, created_at, id);
create index postern_client_grants_across_deleting_at_tenant_id_id on postern_client_grants (deleting_at, tenant_id, id);

-- A source of users: a password database, one-time codes, or an upstream provider. Its secrets are encrypted and separate from its options. Each is named by its path in the options.
create table postern_connections (
  tenant_id varchar(64) collate "C" not null,
  id varchar(64) collate "C" not null,
  name varchar(128) collate "C" not null,
  strategy varchar(64) collate "C" not null,
  display_name varchar(128) collate "C" not null,
  options text collate "C" not null,
  secrets text collate "C" not null,
  seal varchar(64) collate "C" not null,
  settings text collate "C" not null,
  listed boolean not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  deleting_at bigint,
  former_name varchar(128) collate "C",
  primary key (tenant_id, id)
);
create unique index postern_connections_unique_name on postern_connections (tenant_id, name);
create index postern_connections_by_name on postern_connections (tenant_id, name, id);
create index postern_connections_by_strategy_created_at on postern_connections (tenant_id, strategy, created_at, id);
create index postern_connections_by_created_at on postern_connections (tenant_id, created_at, id);
create index postern_connections_by_listed_created_at on postern_connections (tenant_id, listed, created_at, id);
create index postern_connections_across_deleting_at_tenant_id_id on postern_connections (deleting_at, tenant_id, id);
create index postern_connections_across_seal_tenant_id_id on postern_connections (seal, tenant_id, id);

-- An email domain whose users may sign in with the connection of their company.
create table postern_connection_domains (
  tenant_id varchar(64) collate "C" not null,
  domain varchar(256) collate "C" not null,
  connection_id varchar(64) collate "C" not null,
  created_at bigint not null,
  primary key (tenant_id, domain, connection_id)
);
create index postern_connection_domains_by_connection_id on postern_connection_domains (tenant_id, connection_id, domain);

-- One account of one connection. A linked account refers to its primary account, which is never linked itself.
create table postern_users (
  tenant_id varchar(64) collate "C" not null,
  user_id varchar(255) collate "C" not null,
  connection varchar(128) collate "C" not null,
  provider varchar(64) collate "C" not null,
  linked_to varchar(255) collate "C" not null,
  linked_count bigint not null,
  email varchar(320) collate "C" not null,
  email_key varchar(320) collate "C",
  email_verified boolean not null,
  email_proof varchar(16) collate "C",
  proven_email varchar(320) collate "C",
  is_unproven_sign_up boolean not null,
  username varchar(128) collate "C",
  username_key varchar(128) collate "C",
  phone_number varchar(32) collate "C",
  phone_key varchar(32) collate "C",
  subject_key varchar(255) collate "C",
  phone_verified boolean not null,
  name varchar(300) collate "C" not null,
  nickname varchar(300) collate "C" not null,
  given_name varchar(150) collate "C",
  family_name varchar(150) collate "C",
  picture text collate "C",
  standard_claims text collate "C",
  blocked boolean not null,
  app_metadata text collate "C" not null,
  user_metadata text collate "C" not null,
  password_id varchar(64) collate "C",
  enrolled_factors text collate "C",
  factors_changed_at bigint,
  factors_frozen_until bigint,
  password_frozen_until bigint,
  removing_factor varchar(64) collate "C",
  first_factor varchar(64) collate "C",
  last_password_reset bigint,
  last_ip varchar(64) collate "C",
  last_login bigint not null,
  logins_count bigint not null,
  deletes_at bigint,
  deletion_step_at bigint,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  deleting_at bigint,
  primary key (tenant_id, user_id)
);
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
  tenant_id varchar(64) collate "C" not null,
  id varchar(64) collate "C" not null,
  user_id varchar(255) collate "C" not null,
  hash text collate "C" not null,
  set_through varchar(320) collate "C",
  created_at bigint not null,
  primary key (tenant_id, id)
);
create index postern_passwords_by_user_id_created_at on postern_passwords (tenant_id, user_id, created_at, id);

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
  used_form varchar(32) collate "C",
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

-- The encrypted tokens that an identity provider issued for one of its accounts. One row per account.
create table postern_upstream_tokens (
  tenant_id varchar(64) collate "C" not null,
  account_id varchar(255) collate "C" not null,
  tokens text collate "C" not null,
  seal varchar(64) collate "C" not null,
  refreshing_until bigint not null,
  revision bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, account_id)
);
create index postern_upstream_tokens_across_seal_tenant_id_account_id on postern_upstream_tokens (seal, tenant_id, account_id);

-- A named set of permissions. `name_folded` is the name in lower case, for searches.
create table postern_roles (
  tenant_id varchar(64) collate "C" not null,
  id varchar(64) collate "C" not null,
  name varchar(255) collate "C" not null,
  name_folded varchar(255) collate "C" not null,
  description text collate "C" not null,
  metadata text collate "C" not null,
  is_system boolean not null,
  origin varchar(64) collate "C",
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  deleting_at bigint,
  primary key (tenant_id, id)
);
create unique index postern_roles_unique_name on postern_roles (tenant_id, name);
create unique index postern_roles_unique_origin on postern_roles (tenant_id, origin);
create index postern_roles_by_name on postern_roles (tenant_id, name, id);
create index postern_roles_by_created_at on postern_roles (tenant_id, created_at, id);
create index postern_roles_across_deleting_at_tenant_id_id on postern_roles (deleting_at, tenant_id, id);

-- A permission that a role grants.
create table postern_role_permissions (
  tenant_id varchar(64) collate "C" not null,
  role_id varchar(64) collate "C" not null,
  resource_server_id varchar(64) collate "C" not null,
  permission_name varchar(280) collate "C" not null,
  created_at bigint not null,
  primary key (tenant_id, role_id, resource_server_id, permission_name)
);
create index postern_role_permissions_by_resource_server_id on postern_role_permissions (tenant_id, resource_server_id, role_id, permission_name);

-- A role that a user has: in the tenant (organization_id '') or inside one organization.
create table postern_user_roles (
  tenant_id varchar(64) collate "C" not null,
  user_id varchar(255) collate "C" not null,
  organization_id varchar(64) collate "C" not null,
  role_id varchar(64) collate "C" not null,
  created_at bigint not null,
  primary key (tenant_id, user_id, organization_id, role_id)
);
create index postern_user_roles_by_role_id_organization_id on postern_user_roles (tenant_id, role_id, organization_id, user_id);
create index postern_user_roles_by_organization_id on postern_user_roles (tenant_id, organization_id, user_id, role_id);

-- A permission that a user has directly, without a role.
create table postern_user_permissions (
  tenant_id varchar(64) collate "C" not null,
  user_id varchar(255) collate "C" not null,
  resource_server_id varchar(64) collate "C" not null,
  permission_name varchar(280) collate "C" not null,
  created_at bigint not null,
  primary key (tenant_id, user_id, resource_server_id, permission_name)
);
create index postern_user_permissions_by_resource_server_id on postern_user_permissions (tenant_id, resource_server_id, user_id, permission_name);

-- A customer of the tenant's applications, with members.
create table postern_organizations (
  tenant_id varchar(64) collate "C" not null,
  id varchar(64) collate "C" not null,
  name varchar(255) collate "C" not null,
  display_name varchar(255) collate "C" not null,
  branding text collate "C" not null,
  metadata text collate "C" not null,
  settings text collate "C" not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  deleting_at bigint,
  primary key (tenant_id, id)
);
create unique index postern_organizations_unique_name on postern_organizations (tenant_id, name);
create index postern_organizations_by_name on postern_organizations (tenant_id, name, id);
create index postern_organizations_by_display_name on postern_organizations (tenant_id, display_name, id);
create index postern_organizations_by_created_at on postern_organizations (tenant_id, created_at, id);
create index postern_organizations_across_deleting_at_tenant_id_id on postern_organizations (deleting_at, tenant_id, id);

-- A user's membership of an organization.
create table postern_organization_members (
  tenant_id varchar(64) collate "C" not null,
  organization_id varchar(64) collate "C" not null,
  user_id varchar(255) collate "C" not null,
  created_at bigint not null,
  primary key (tenant_id, organization_id, user_id)
);
create index postern_organization_members_by_user_id on postern_organization_members (tenant_id, user_id, organization_id);
create index postern_organization_members_by_organization_id_created_at on postern_organization_members (tenant_id, organization_id, created_at, user_id);

-- A connection that members of an organization may sign in with.
create table postern_organization_connections (
  tenant_id varchar(64) collate "C" not null,
  organization_id varchar(64) collate "C" not null,
  connection_id varchar(64) collate "C" not null,
  assign_membership_on_login boolean not null,
  show_as_button boolean not null,
  is_signup_enabled boolean not null,
  created_at bigint not null,
  primary key (tenant_id, organization_id, connection_id)
);
create index postern_organization_connections_by_connection_id on postern_organization_connections (tenant_id, connection_id, organization_id);

-- A client grant that is assigned to an organization: the client may act for it.
create table postern_organization_client_grants (
  tenant_id varchar(64) collate "C" not null,
  organization_id varchar(64) collate "C" not null,
  grant_id varchar(64) collate "C" not null,
  client_id varchar(64) collate "C" not null,
  audience varchar(600) collate "C" not null,
  created_at bigint not null,
  primary key (tenant_id, organization_id, grant_id)
);
create index postern_organization_client_grants_by_grant_id on postern_organization_client_grants (tenant_id, grant_id, organization_id);
create index postern_organization_client_grants_by_client_id on postern_organization_client_grants (tenant_id, client_id, organization_id, grant_id);
create index postern_organization_client_grants_by_audience on postern_organization_client_grants (tenant_id, audience, organization_id, grant_id);

-- An invitation into an organization.
create table postern_invitations (
  tenant_id varchar(64) collate "C" not null,
  id varchar(64) collate "C" not null,
  organization_id varchar(64) collate "C" not null,
  ticket_hash varchar(64) collate "C" not null,
  ticket text collate "C" not null,
  seal varchar(64) collate "C" not null,
  client_id varchar(64) collate "C" not null,
  connection_id varchar(64) collate "C",
  inviter_name varchar(300) collate "C" not null,
  invitee_email varchar(320) collate "C" not null,
  app_metadata text collate "C" not null,
  user_metadata text collate "C" not null,
  roles text collate "C" not null,
  ttl_sec bigint not null,
  created_at bigint not null,
  expires_at bigint not null,
  accepted_at bigint,
  accepted_by varchar(255) collate "C",
  applied_at bigint,
  primary key (tenant_id, id)
);
create unique index postern_invitations_unique_ticket_hash on postern_invitations (tenant_id, ticket_hash);
create index postern_invitations_by_organization_id_created_at on postern_invitations (tenant_id, organization_id, created_at, id);
create index postern_invitations_across_seal_tenant_id_id on postern_invitations (seal, tenant_id, id);

-- A user's SSO session. It is stored longer than every token that refers to it: a token whose session is missing is rejected.
create table postern_sessions (
  tenant_id varchar(64) collate "C" not null,
  id varchar(64) collate "C" not null,
  user_id varchar(255) collate "C" not null,
  account_id varchar(255) collate "C" not null,
  connection_id varchar(64) collate "C" not null,
  issuer text collate "C" not null,
  cookie_hash varchar(64) collate "C",
  clients text collate "C" not null,
  authentication text collate "C" not null,
  device text collate "C" not null,
  session_metadata text collate "C" not null,
  authenticated_at bigint not null,
  last_interacted_at bigint not null,
  idle_expires_at bigint not null,
  expires_at bigint not null,
  revoked_at bigint,
  logout_initiator varchar(32) collate "C",
  logout_at bigint not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  purge_at bigint not null,
  primary key (tenant_id, id)
);
create unique index postern_sessions_unique_cookie_hash on postern_sessions (tenant_id, cookie_hash);
create index postern_sessions_by_user_id_created_at on postern_sessions (tenant_id, user_id, created_at, id);
create index postern_sessions_by_created_at on postern_sessions (tenant_id, created_at, id);
create index postern_sessions_by_expires_at on postern_sessions (tenant_id, expires_at, id);
create index postern_sessions_across_logout_at_tenant_id_id on postern_sessions (logout_at, tenant_id, id);
create index postern_sessions_across_purge_at on postern_sessions (purge_at);

-- A logout token that is to be sent to one logout URL of a client (OpenID Connect Back-Channel Logout 1.0). It is signed when it is sent. Deleted when the client has accepted it.
create table postern_logout_deliveries (
  tenant_id varchar(64) collate "C" not null,
  id varchar(64) collate "C" not null,
  client_id varchar(64) collate "C" not null,
  url text collate "C" not null,
  session_id varchar(64) collate "C" not null,
  user_id varchar(255) collate "C" not null,
  issuer text collate "C" not null,
  initiator varchar(32) collate "C" not null,
  session_metadata text collate "C",
  state varchar(16) collate "C" not null,
  failures bigint not null,
  last_error text collate "C" not null,
  next_at bigint not null,
  leased_until bigint not null,
  served_at bigint not null,
  expires_at bigint not null,
  revision bigint not null,
  created_at bigint not null,
  purge_at bigint not null,
  primary key (tenant_id, id)
);
create index postern_logout_deliveries_by_client_id_state_next_at on postern_logout_deliveries (tenant_id, client_id, state, next_at, id);
create index postern_logout_deliveries_by_created_at on postern_logout_deliveries (tenant_id, created_at, id);
create index postern_logout_deliveries_across_state_client_id_tenant_id_id on postern_logout_deliveries (state, client_id, tenant_id, id);
create index postern_logout_deliveries_across_purge_at on postern_logout_deliveries (purge_at);

-- An authorization request that a client sent in advance (RFC 9126), found by the hash of its request URI. A conditional update uses it once.
create table postern_pushed_requests (
  tenant_id varchar(64) collate "C" not null,
  uri_hash varchar(64) collate "C" not null,
  client_id varchar(64) collate "C" not null,
  parameters text collate "C" not null,
  login_id varchar(80) collate "C",
  created_at bigint not null,
  expires_at bigint not null,
  purge_at bigint not null,
  primary key (tenant_id, uri_hash)
);
create index postern_pushed_requests_across_purge_at on postern_pushed_requests (purge_at);

-- An authorization code (RFC 6749 section 4.1.2) with everything that the token exchange needs. A conditional update redeems it once.
create table postern_authorization_codes (
  tenant_id varchar(64) collate "C" not null,
  code_hash varchar(64) collate "C" not null,
  client_id varchar(64) collate "C" not null,
  user_id varchar(255) collate "C" not null,
  session_id varchar(64) collate "C" not null,
  grant_id varchar(64) collate "C" not null,
  redirect_uri text collate "C",
  code_challenge varchar(128) collate "C",
  scope text collate "C" not null,
  audience varchar(600) collate "C",
  organization_id varchar(64) collate "C",
  nonce text collate "C",
  auth_time bigint not null,
  request text collate "C" not null,
  created_at bigint not null,
  expires_at bigint not null,
  consumed_at bigint,
  primary key (tenant_id, code_hash)
);
create index postern_authorization_codes_by_user_id on postern_authorization_codes (tenant_id, user_id, code_hash);
create index postern_authorization_codes_by_grant_id on postern_authorization_codes (tenant_id, grant_id, code_hash);
create index postern_authorization_codes_across_expires_at on postern_authorization_codes (expires_at);

-- A device code and its user code (RFC 8628), and the decision of the user. A conditional update decides it once, and another redeems it once.
create table postern_device_codes (
  tenant_id varchar(64) collate "C" not null,
  code_hash varchar(64) collate "C" not null,
  user_code_hash varchar(64) collate "C" not null,
  client_id varchar(64) collate "C" not null,
  requested text collate "C" not null,
  device text collate "C" not null,
  state varchar(16) collate "C" not null,
  interval_seconds bigint not null,
  polled_at bigint not null,
  user_id varchar(255) collate "C",
  granted text collate "C" not null,
  created_at bigint not null,
  expires_at bigint not null,
  purge_at bigint not null,
  primary key (tenant_id, code_hash)
);
create unique index postern_device_codes_unique_user_code_hash on postern_device_codes (tenant_id, user_code_hash);
create index postern_device_codes_by_user_id on postern_device_codes (tenant_id, user_id, code_hash);
create index postern_device_codes_across_purge_at on postern_device_codes (purge_at);

-- A refresh token, found by its hash. A token and its successors share a family. All tokens of one login share a grant.
create table postern_refresh_tokens (
  tenant_id varchar(64) collate "C" not null,
  id varchar(64) collate "C" not null,
  token_hash varchar(64) collate "C" not null,
  family_id varchar(64) collate "C" not null,
  grant_id varchar(64) collate "C" not null,
  session_id varchar(64) collate "C",
  client_id varchar(64) collate "C" not null,
  user_id varchar(255) collate "C" not null,
  organization_id varchar(64) collate "C",
  audience varchar(600) collate "C",
  scope text collate "C" not null,
  claims text collate "C" not null,
  jkt varchar(64) collate "C",
  device text collate "C" not null,
  refresh_token_metadata text collate "C" not null,
  rotated_at bigint,
  rotated_to varchar(64) collate "C",
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
  primary key (tenant_id, id)
);
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
  tenant_id varchar(64) collate "C" not null,
  grant_id varchar(64) collate "C" not null,
  reason varchar(64) collate "C" not null,
  created_at bigint not null,
  expires_at bigint not null,
  primary key (tenant_id, grant_id)
);
create index postern_revoked_grants_across_expires_at on postern_revoked_grants (expires_at);

-- The scopes of one API that a user granted to a client, and whether the client may act for the user there (`may_act`).
create table postern_consents (
  tenant_id varchar(64) collate "C" not null,
  id varchar(64) collate "C" not null,
  user_id varchar(255) collate "C" not null,
  client_id varchar(64) collate "C" not null,
  audience_hash varchar(64) collate "C" not null,
  audience varchar(600) collate "C" not null,
  scope text collate "C" not null,
  may_act boolean not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, id)
);
create unique index postern_consents_unique_user_id_client_id_audience_hash on postern_consents (tenant_id, user_id, client_id, audience_hash);
create index postern_consents_by_user_id_created_at on postern_consents (tenant_id, user_id, created_at, id);
create index postern_consents_by_client_id_created_at on postern_consents (tenant_id, client_id, created_at, id);
create index postern_consents_by_audience_hash_created_at on postern_consents (tenant_id, audience_hash, created_at, id);
create index postern_consents_by_created_at on postern_consents (tenant_id, created_at, id);

-- A public key that a user registered for a device and a client. It has no effect.
create table postern_device_credentials (
  tenant_id varchar(64) collate "C" not null,
  id varchar(64) collate "C" not null,
  user_id varchar(255) collate "C" not null,
  client_id varchar(64) collate "C" not null,
  device_id varchar(36) collate "C" not null,
  device_name varchar(255) collate "C" not null,
  value text collate "C" not null,
  created_at bigint not null,
  primary key (tenant_id, id)
);
create index postern_device_credentials_by_user_id on postern_device_credentials (tenant_id, user_id, id);
create index postern_device_credentials_by_client_id on postern_device_credentials (tenant_id, client_id, id);

-- A login in progress: the request that started it and the progress of its steps. Bound to a browser by the hash of a cookie.
create table postern_login_sessions (
  tenant_id varchar(64) collate "C" not null,
  id varchar(64) collate "C" not null,
  browser_hash varchar(64) collate "C",
  later_browser_hash varchar(64) collate "C",
  client_id varchar(64) collate "C" not null,
  request text collate "C" not null,
  progress text collate "C" not null,
  user_id varchar(255) collate "C",
  revision bigint not null,
  created_at bigint not null,
  expires_at bigint not null,
  primary key (tenant_id, id)
);
create index postern_login_sessions_by_user_id on postern_login_sessions (tenant_id, user_id, id);
create index postern_login_sessions_across_expires_at on postern_login_sessions (expires_at);

-- A short code sent by email or SMS. `attempts` counts wrong codes; the fifth invalidates it. `used_form` identifies the form that used the code.
create table postern_one_time_codes (
  tenant_id varchar(64) collate "C" not null,
  id varchar(64) collate "C" not null,
  purpose varchar(32) collate "C" not null,
  identifier_hash varchar(64) collate "C" not null,
  code_hash varchar(64) collate "C" not null,
  client_id varchar(64) collate "C" not null,
  login_id varchar(64) collate "C",
  address_hash varchar(64) collate "C",
  user_id varchar(255) collate "C",
  attempts bigint not null,
  request text collate "C" not null,
  created_at bigint not null,
  expires_at bigint not null,
  consumed_at bigint,
  used_form varchar(32) collate "C",
  primary key (tenant_id, id)
);
create index postern_one_time_codes_by_purpose_identifier_hash_created_at on postern_one_time_codes (tenant_id, purpose, identifier_hash, created_at, id);
create index postern_one_time_codes_by_user_id on postern_one_time_codes (tenant_id, user_id, id);
create index postern_one_time_codes_across_expires_at on postern_one_time_codes (expires_at);

-- The recent messages to one email address or phone number, and the attempts at its codes. Changed by compare-and-swap on `revision`.
create table postern_destination_budgets (
  tenant_id varchar(64) collate "C" not null,
  subject_hash varchar(64) collate "C" not null,
  recent text collate "C" not null,
  revision bigint not null,
  updated_at bigint not null,
  expires_at bigint not null,
  primary key (tenant_id, subject_hash)
);
create index postern_destination_budgets_across_expires_at on postern_destination_budgets (expires_at);

-- The recent messages to new phone numbers: of one user, to one number, to one range of numbers, or of one tenant. Changed by compare-and-swap on `revision`.
create table postern_message_counts (
  subject_hash varchar(64) collate "C" not null,
  recent text collate "C" not null,
  revision bigint not null,
  expires_at bigint not null,
  primary key (subject_hash)
);
create index postern_message_counts_across_expires_at on postern_message_counts (expires_at);

-- A link that was sent to a user: password reset, email verification. Opening the link changes nothing; submitting its form redeems the ticket.
create table postern_tickets (
  tenant_id varchar(64) collate "C" not null,
  ticket_hash varchar(64) collate "C" not null,
  purpose varchar(32) collate "C" not null,
  user_id varchar(255) collate "C" not null,
  client_id varchar(64) collate "C",
  request text collate "C" not null,
  created_at bigint not null,
  expires_at bigint not null,
  consumed_at bigint,
  primary key (tenant_id, ticket_hash)
);
create index postern_tickets_by_user_id on postern_tickets (tenant_id, user_id, ticket_hash);
create index postern_tickets_across_expires_at on postern_tickets (expires_at);

-- Failed password logins of one account, or of one identifier without an account. Changed by compare-and-swap on `revision`.
create table postern_login_attempts (
  tenant_id varchar(64) collate "C" not null,
  subject_hash varchar(64) collate "C" not null,
  attempts text collate "C" not null,
  revision bigint not null,
  updated_at bigint not null,
  expires_at bigint not null,
  primary key (tenant_id, subject_hash)
);
create index postern_login_attempts_across_expires_at on postern_login_attempts (expires_at);

-- The number of tokens that a client or organization with a quota received in the current hour and day (UTC). Counted by a conditional update.
create table postern_token_counts (
  tenant_id varchar(64) collate "C" not null,
  subject varchar(80) collate "C" not null,
  hour bigint not null,
  hour_count bigint not null,
  day bigint not null,
  day_count bigint not null,
  expires_at bigint not null,
  primary key (tenant_id, subject)
);
create index postern_token_counts_across_expires_at on postern_token_counts (expires_at);

-- A session of a host application that passes a session store to `@postern/app`. `content` is encrypted with the app's secret and the id of the session, which only the browser's cookie contains. `sid` is the session at the tenant, `sub` the user.
create table postern_app_sessions (
  id_hash varchar(64) collate "C" not null,
  tenant_id varchar(64) collate "C" not null,
  client_id varchar(64) collate "C" not null,
  sid varchar(64) collate "C" not null,
  sub varchar(255) collate "C" not null,
  content text collate "C" not null,
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  expires_at bigint not null,
  primary key (id_hash)
);
create index postern_app_sessions_by_tenant_id_client_id_sid on postern_app_sessions (tenant_id, client_id, sid, id_hash);
create index postern_app_sessions_by_tenant_id_client_id_sub on postern_app_sessions (tenant_id, client_id, sub, id_hash);
create index postern_app_sessions_across_expires_at on postern_app_sessions (expires_at);
