/** Every `grant_type` of the token endpoint: what it takes, and what discovery advertises. Each has a grant, which the table of `token.ts` names. */
export const grantTypes = [
  "client_credentials",
  "authorization_code",
  "refresh_token",
  "urn:ietf:params:oauth:grant-type:token-exchange",
  "urn:auth0:params:oauth:grant-type:token-exchange:federated-connection-access-token",
  "password",
  "http://auth0.com/oauth/grant-type/password-realm",
  "http://auth0.com/oauth/grant-type/passwordless/otp",
  "http://vendor/oauth/grant-type/passwordless/otp",
] as const;

/** One of {@link grantTypes}. */
export type GrantType = (typeof grantTypes)[number];
