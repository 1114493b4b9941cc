/**
 * The grant types of the token endpoint. Discovery and the OpenAPI document list all of them; the table
 * `oauth/token/grants.ts` has a line for each.
 */
export type TokenGrantType =
  | "client_credentials"
  | "authorization_code"
  | "refresh_token"
  | "urn:ietf:params:oauth:grant-type:token-exchange"
  | "urn:auth0:params:oauth:grant-type:token-exchange:federated-connection-access-token"
  | "password"
  | "http://auth0.com/oauth/grant-type/password-realm"
  | "http://auth0.com/oauth/grant-type/passwordless/otp";

/**
 * A grant type that a client can be allowed. RFC 8414 section 2 counts tokens from the authorization endpoint as a
 * grant.
 */
export type GrantType = TokenGrantType | "implicit";

interface GrantTypesHolder {
  /** May contain other identifiers as well: those of grants that Postern does not implement are stored only. */
  readonly grant_types: readonly string[];
}

/** Returns `true` if the client is allowed the grant type. */
export function allowsGrantType({ grant_types: allowed }: GrantTypesHolder, type: GrantType): boolean {
  return allowed.includes(type);
}

const redirectGrantTypes: readonly GrantType[] = ["authorization_code", "implicit"];

/** Returns the client's grant types whose codes or tokens the authorization endpoint sends to a redirect URI. */
export function redirectGrantTypesOf(client: GrantTypesHolder): readonly GrantType[] {
  return redirectGrantTypes.filter((type) => allowsGrantType(client, type));
}
