import type { JWTPayload } from "jose";
import type { JsonObject } from "../store/value.ts";
import { maximumTokenLifetime, type ResourceServerSettings } from "../model/apis/resource-servers.ts";

/**
 * How long, in milliseconds, revocations and session rows outlive the last access token they decide about: the longest
 * access token lifetime, plus an hour for authorization codes and requests in progress.
 */
export const accessTokenMemory = maximumTokenLifetime * 1000 + 3_600_000;

/** The content of an access token, independent of the token dialect. */
export interface AccessTokenContent {
  readonly issuer: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly subject: string;
  /** The identifier of the API that callers use. */
  readonly audience: string | readonly string[];
  readonly scope: readonly string[];
  /** `permissions`, in the dialects that have the claim. Default: the scopes. */
  readonly permissions?: readonly string[];
  /** `gty`: the grant that issued the token, for the grants for which Auth0 sets it. */
  readonly grant?: "client-credentials" | "password" | "refresh_token";
  /** The organization of the user's login, or the one that a client requested. */
  readonly organization?: { readonly id: string; readonly name?: string };
  /** Seconds since 1970. */
  readonly issuedAt: number;
  /** A unique id: `jti` in dialects that have the claim. */
  readonly id: string;
  /** Custom claims of the host application. They never replace another claim. */
  readonly customClaims?: JsonObject;
  /** For a user token: the references by which it can be rejected before it expires. */
  readonly person?: {
    readonly sessionId: string;
    readonly grantId: string;
    readonly exchanged?: true;
    readonly userinfoClaims?: readonly string[];
  };
}

/** The settings of an API that decide the format of its tokens. */
export type TokenFormat = Pick<ResourceServerSettings, "token_dialect" | "token_lifetime" | "enforce_policies">;

/** The claims of an access token in the API's dialect: Auth0's or RFC 9068. `tenant_id` is in both. */
export function accessTokenClaims(
  content: AccessTokenContent,
  api: TokenFormat,
): { readonly typ: "JWT" | "at+jwt"; readonly claims: JWTPayload } {
  const rfc9068 = api.token_dialect.startsWith("rfc9068");
  const { audience, organization, person } = content;
  const permissions = api.enforce_policies && api.token_dialect.endsWith("_authz");
  return {
    typ: rfc9068 ? "at+jwt" : "JWT",
    claims: {
      ...content.customClaims,
      iss: content.issuer,
      sub: content.subject,
      aud: typeof audience === "string" ? audience : [...audience],
      iat: content.issuedAt,
      exp: content.issuedAt + api.token_lifetime,
      ...(content.scope.length > 0 && { scope: content.scope.join(" ") }),
      ...(rfc9068 ? { client_id: content.clientId, jti: content.id } : { azp: content.clientId }),
      ...(!rfc9068 && content.grant !== undefined && { gty: content.grant }),
      tenant_id: content.tenantId,
      ...(organization && { org_id: organization.id, ...(organization.name !== undefined && { org_name: organization.name }) }),
      ...(person && { sid: person.sessionId, grant_id: person.grantId }),
      ...(person?.exchanged && { exchanged: true }),
      ...(person?.userinfoClaims && { userinfo_claims: [...person.userinfoClaims] }),
      ...(permissions && { permissions: [...(content.permissions ?? content.scope)] }),
    },
  };
}
