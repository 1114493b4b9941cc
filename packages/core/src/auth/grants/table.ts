import type { AuditEventType } from "../../model/logs/audit-event-types.ts";
import type { GrantType } from "./grant-types.ts";
import type { Grant } from "./grant.ts";

/** A grant, which is loaded with the first request for it (docs/decisions/0015-loaded-when-asked-for.md). */
export interface ListedGrant<Type extends GrantType = GrantType> {
  /** The audit code of a refusal. */
  readonly failureEvent: AuditEventType;
  load(): Promise<Grant<Type>>;
}

/** Every grant, a file each. */
export const grants: { readonly [Type in GrantType]: ListedGrant<Type> } = {
  client_credentials: {
    failureEvent: "feccft",
    load: async () => (await import("./client-credentials.ts")).clientCredentials,
  },
  authorization_code: {
    failureEvent: "feacft",
    load: async () => (await import("./authorization-code.ts")).authorizationCode,
  },
  refresh_token: {
    failureEvent: "fertft",
    load: async () => (await import("./refresh-token.ts")).refreshToken,
  },
  "urn:ietf:params:oauth:grant-type:token-exchange": {
    failureEvent: "fecte",
    load: async () => (await import("./token-exchange.ts")).tokenExchange,
  },
  "urn:auth0:params:oauth:grant-type:token-exchange:federated-connection-access-token": {
    failureEvent: "fecte",
    load: async () => (await import("./federated-connection-access-token.ts")).federatedConnectionAccessToken,
  },
  password: {
    failureEvent: "fepft",
    load: async () => (await import("./password.ts")).password,
  },
  "http://auth0.com/oauth/grant-type/password-realm": {
    failureEvent: "fepft",
    load: async () => (await import("./password.ts")).passwordRealm,
  },
  "http://auth0.com/oauth/grant-type/passwordless/otp": {
    failureEvent: "fepotpft",
    load: async () => (await import("./one-time-code.ts")).oneTimeCode,
  },
  "http://vendor/oauth/grant-type/passwordless/otp": {
    failureEvent: "fepotpft",
    load: async () => (await import("./one-time-code.ts")).neutralOneTimeCode,
  },
};
