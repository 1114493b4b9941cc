/**
 * The grant types that the token endpoint supports. Discovery and the OpenAPI document list all of them. The table
 * `oauth/token/grants.ts` has an entry for each.
 */
export type TokenGrantType =
  | "client_credentials"
  | "authorization_code"
  | "refresh_token"
  | "urn:ietf:params:oauth:grant-type:token-exchange"
  | "urn:auth0:params:oauth:grant-type:token-exchange:federated-connection-access-token"
  | typeof deviceCodeGrantType
  | "password"
  | "http://auth0.com/oauth/grant-type/password-realm"
  | "http://auth0.com/oauth/grant-type/passwordless/otp"
  | typeof passkeyGrantType
  | MfaGrantType;

/** The grant type of devices without a keyboard (RFC 8628). A client needs it for `/oauth/device/code`. */
export const deviceCodeGrantType = "urn:ietf:params:oauth:grant-type:device_code";

/** The grant type for a sign-in or a sign-up with a passkey. A client needs it for `/passkey/register` and `/passkey/challenge`. */
export const passkeyGrantType = "urn:okta:params:oauth:grant-type:webauthn";

/** The grant types that continue a sign-in with a second factor. */
export type MfaGrantType = (typeof mfaGrantTypes)[number];

/** The grant types that continue a sign-in with a second factor. A client needs one of them for the MFA API. */
export const mfaGrantTypes = [
  "http://auth0.com/oauth/grant-type/mfa-otp",
  "http://auth0.com/oauth/grant-type/mfa-oob",
  "http://auth0.com/oauth/grant-type/mfa-recovery-code",
] as const;

/**
 * A grant type that can be allowed for a client. RFC 8414 section 2 also counts tokens from the authorization endpoint
 * as a grant type (`implicit`).
 */
export type GrantType = TokenGrantType | "implicit";

interface GrantTypesHolder {
  /** May also contain other grant types. Grant types that Postern does not implement are stored only. */
  readonly grant_types: readonly string[];
}

/** Returns `true` if the grant type is allowed for the client. */
export function allowsGrantType({ grant_types: allowed }: GrantTypesHolder, type: GrantType): boolean {
  return allowed.includes(type);
}

const redirectGrantTypes: readonly GrantType[] = ["authorization_code", "implicit"];

/** Returns the client's grant types for which the authorization endpoint sends codes or tokens to a redirect URI. */
export function redirectGrantTypesOf(client: GrantTypesHolder): readonly GrantType[] {
  return redirectGrantTypes.filter((type) => allowsGrantType(client, type));
}
