/** The resources of the Management API that have scopes, with the verbs for each resource. */
const verbsOfResource = {
  users: ["read", "create", "update", "delete"],
  users_app_metadata: ["update"],
  user_tickets: ["create"],
  user_idp_tokens: ["read"],
  user_effective_permissions: ["read"],
  user_effective_roles: ["read"],
  user_permission_source_roles: ["read"],
  current_user: ["read", "delete"],
  current_user_metadata: ["update"],
  current_user_identities: ["update"],
  current_user_device_credentials: ["create", "delete"],
  clients: ["read", "create", "update", "delete"],
  client_summary: ["read"],
  client_keys: ["read", "update"],
  grants: ["read", "delete"],
  client_grants: ["read", "create", "update", "delete"],
  connections: ["read", "create", "update", "delete"],
  resource_servers: ["read", "create", "update", "delete"],
  roles: ["read", "create", "update", "delete"],
  role_members: ["read", "create", "delete"],
  tenants: ["read", "create", "update", "delete"],
  tenant_operations: ["read", "create"],
  tenant_settings: ["read", "update"],
  logs: ["read"],
  logs_users: ["read"],
  stats: ["read"],
  log_streams: ["read", "create", "update", "delete"],
  signing_keys: ["read", "create", "update"],
  sessions: ["read", "update", "delete"],
  refresh_tokens: ["read", "update", "delete"],
  device_credentials: ["read", "delete"],
  attack_protection: ["read", "update"],
  guardian_factors: ["read", "update"],
  guardian_enrollments: ["read", "delete"],
  guardian_enrollment_tickets: ["create"],
  mfa_policies: ["read", "update"],
  authentication_methods: ["read", "create", "update", "delete"],
  branding: ["read", "update", "delete"],
  prompts: ["read", "update"],
  custom_domains: ["read", "create", "update", "delete"],
  email_provider: ["read", "create", "update", "delete"],
  email_templates: ["read", "create", "update"],
  client_credentials: ["read", "create", "update", "delete"],
  organizations: ["read", "create", "update", "delete"],
  organizations_summary: ["read"],
  organization_members: ["read", "create", "delete"],
  organization_member_roles: ["read", "create", "delete"],
  organization_connections: ["read", "create", "update", "delete"],
  organization_invitations: ["read", "create", "delete"],
  organization_client_grants: ["read", "create", "delete"],
  organization_clients: ["read"],
  organization_discovery_domains: ["read"],
  actions: ["read"],
  user_attribute_profiles: ["read"],
  connection_profiles: ["read"],
  token_exchange_profiles: ["read"],
  self_service_profiles: ["read"],
  phone_providers: ["read"],
  phone_templates: ["read"],
  forms: ["read"],
  flows: ["read"],
  flows_vault_connections: ["read"],
  network_acls: ["read"],
} as const;

type Verbs = typeof verbsOfResource;

/** A scope of the Management API: `<verb>:<resource>`, as in Auth0. */
export type Scope = { [Resource in keyof Verbs]: `${Verbs[Resource][number]}:${Resource}` }[keyof Verbs];

/** Every scope of the Management API. The description is displayed on consent pages and stored with the API. */
export const managementScopes: readonly { readonly value: string; readonly description: string }[] = Object.entries(
  verbsOfResource,
).flatMap(([resource, verbs]) =>
  verbs.map((verb) => ({ value: `${verb}:${resource}`, description: `${capitalize(verb)} ${resource.replaceAll("_", " ")}` })),
);

/**
 * Scopes that give access only to the user's own account and do not allow any other user to sign in to it.
 * `update:current_user_identities` is not included: the owner of a newly linked account can sign in as this user.
 */
export const ownUserScopes: readonly string[] = [
  "read:current_user",
  "update:current_user_metadata",
  "delete:current_user",
  "create:current_user_device_credentials",
  "delete:current_user_device_credentials",
] satisfies readonly Scope[];

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
