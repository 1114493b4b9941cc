/**
 * The scopes of the Management API that the screens of the console use. The console requests them at the sign-in, and
 * a user gets those that the user's roles grant.
 */
export const consoleScopes: readonly string[] = [
  "read:users",
  "create:users",
  "update:users",
  "delete:users",
  "create:user_tickets",
  "read:logs",
  "read:sessions",
  "delete:sessions",
  "read:refresh_tokens",
  "delete:refresh_tokens",
  "read:roles",
  "read:organizations",
  "read:grants",
  "delete:grants",
  "read:authentication_methods",
  "delete:authentication_methods",
  "read:clients",
  "create:clients",
  "update:clients",
  "delete:clients",
  "update:client_keys",
  "read:connections",
  "read:email_provider",
  "read:custom_domains",
  "read:tenant_settings",
  "read:tenants",
];
