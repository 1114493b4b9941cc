import type { JWTPayload } from "jose";
import type { JsonObject } from "../store/value.ts";
import { longestTokenLifetime, type ResourceServerSettings } from "../model/apis/resource-servers.ts";

/** Milliseconds for which whatever decides about a person's access tokens is kept after the last of them was issued: as long as one may live, and an hour for codes and requests that were under way. */
export const accessTokenMemory = longestTokenLifetime * 1000 + 3_600_000;

/** What an access token says, whoever it is for. */
export interface AccessTokenContent {
  readonly issuer: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly subject: string;
  /** The API's identifier, as callers know it. */
  readonly audience: string | readonly string[];
  readonly scope: readonly string[];
  /** `permissions`, where the dialect has them: left out, they are the scopes. */
  readonly permissions?: readonly string[];
  /** `gty`: how it was got, for the grants where the vendor says so. */
  readonly grant?: "client-credentials" | "password" | "refresh_token";
  /** As a member of which organization, or for which one of the client's. */
  readonly organization?: { readonly id: string; readonly name?: string };
  /** Seconds since 1970. */
  readonly issuedAt: number;
  /** A unique id: `jti` where the dialect has one. */
  readonly id: string;
  /** Claims of the host's own. None of the others gives way to one. */
  readonly customClaims?: JsonObject;
  /** For a person's token: what it can be refused by although it has not expired. */
  readonly person?: {
    readonly sessionId: string;
    readonly grantId: string;
    readonly exchanged?: true;
    readonly userinfoClaims?: readonly string[];
  };
}

/** How an API wants its tokens. */
export type TokenFormat = Pick<ResourceServerSettings, "token_dialect" | "token_lifetime" | "enforce_policies">;

/** The claims of an access token in the API's dialect: the vendor's own, or RFC 9068. `tenant_id` is in both. */
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
