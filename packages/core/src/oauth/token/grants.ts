import type { TokenGrantType } from "../../model/clients/grant-types.ts";
import { authorizationCode } from "./authorization-code.ts";
import { clientCredentialsGrant } from "./client-credentials.ts";
import { federatedConnectionAccessToken } from "./federated-connection-access-token.ts";
import { deviceCode } from "./device-code.ts";
import type { TokenGrant } from "./grant.ts";
import { mfaOob } from "./mfa-oob.ts";
import { mfaOtp } from "./mfa-otp.ts";
import { mfaRecoveryCode } from "./mfa-recovery-code.ts";
import { oneTimeCode } from "./one-time-code.ts";
import { passkeyGrant } from "./passkey.ts";
import { passwordRealm } from "./password-realm.ts";
import { passwordGrant } from "./password.ts";
import { refreshToken } from "./refresh-token.ts";
import { tokenExchange } from "./token-exchange.ts";

/**
 * Every grant of the token endpoint, in the order in which discovery and the OpenAPI document list them. To add a
 * grant, add a file, a line here and the grant's name to the model's `TokenGrantType`.
 */
export const tokenGrants: { readonly [type in TokenGrantType]: TokenGrant } = {
  client_credentials: clientCredentialsGrant,
  authorization_code: authorizationCode,
  refresh_token: refreshToken,
  "urn:ietf:params:oauth:grant-type:token-exchange": tokenExchange,
  "urn:auth0:params:oauth:grant-type:token-exchange:federated-connection-access-token": federatedConnectionAccessToken,
  "urn:ietf:params:oauth:grant-type:device_code": deviceCode,
  password: passwordGrant,
  "http://auth0.com/oauth/grant-type/password-realm": passwordRealm,
  "http://auth0.com/oauth/grant-type/passwordless/otp": oneTimeCode,
  "urn:okta:params:oauth:grant-type:webauthn": passkeyGrant,
  "http://auth0.com/oauth/grant-type/mfa-otp": mfaOtp,
  "http://auth0.com/oauth/grant-type/mfa-oob": mfaOob,
  "http://auth0.com/oauth/grant-type/mfa-recovery-code": mfaRecoveryCode,
};

/**
 * A grant, and the identifiers that name it in requests and in the `grant_types` of clients: its grant type, then its
 * aliases.
 */
interface GrantEntry {
  readonly identifiers: readonly [type: string, ...aliases: string[]];
  readonly grant: TokenGrant;
}

const byIdentifier: ReadonlyMap<string, GrantEntry> = new Map(
  Object.entries(tokenGrants).flatMap(([type, grant]) => {
    const identifiers = [type, ...(grant.aliases ?? [])] as const;
    return identifiers.map((identifier) => [identifier, { identifiers, grant }] as const);
  }),
);

/**
 * Returns the grant that a `grant_type` requests, by its grant type or an alias; undefined if Postern has no such
 * grant.
 */
export function findGrant(identifier: string): GrantEntry | undefined {
  return byIdentifier.get(identifier);
}
