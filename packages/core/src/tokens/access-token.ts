import type { JWTPayload } from "jose";
import type { JsonObject } from "../store/value.ts";
import type { ActorClaim } from "./actor.ts";
import type { KeyBinding } from "./proofs/dpop-proof.ts";
import { maximumTokenLifetime, type ResourceServerSettings } from "../model/apis/resource-servers.ts";

/**
 * The additional time, in milliseconds, for which revocations and session rows are stored, so that they exist for as
 * long as any access token that depends on them: the maximum access token lifetime, plus an hour for authorization
 * codes and requests in progress.
 */
export const accessTokenMemory = maximumTokenLifetime * 1000 + 3_600_000;

/** The type of an access token that every party who has it can use (RFC 6750). */
export const bearerType = "Bearer";

/** The type of an access token that needs a proof of the key that it is bound to (RFC 9449 section 5). */
export const dpopType = "DPoP";

/** How a client presents an access token to an API: the `token_type` of responses (RFC 6749 section 7.1). */
export type TokenType = typeof bearerType | typeof dpopType;

/** The content of an access token, independent of the token dialect. */
export interface AccessTokenContent {
  readonly issuer: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly subject: string;
  /** The identifier of the API in its public form, or several identifiers. */
  readonly audience: string | readonly string[];
  readonly scope: readonly string[];
  /** `permissions`, in the dialects that have the claim. Default: the scopes. */
  readonly permissions?: readonly string[];
  /** The `gty` claim: the grant that issued the token. Set only for the grants for which Auth0 sets the claim. */
  readonly grant?: "client-credentials" | "password" | "refresh_token";
  /** The organization that the user signed in to, or that the client requested. */
  readonly organization?: { readonly id: string; readonly name?: string };
  /** The key that the token is bound to: the claim `cnf` (RFC 7800). */
  readonly key?: KeyBinding;
  /** Seconds since 1970. */
  readonly issuedAt: number;
  /** A unique id: `jti` in dialects that have the claim. */
  readonly id: string;
  /**
   * For a user who authenticated with two factors: the `acr` and `amr` claims (RFC 9068 section 2.2.1). APIs need them
   * for step-up authentication (RFC 9470).
   */
  readonly authentication?: { readonly acr: string; readonly methods: readonly string[] };
  /** When the user authenticated, in seconds since 1970: the `auth_time` claim. */
  readonly authTime?: number;
  /** Custom claims of the host application. They never replace another claim. */
  readonly customClaims?: JsonObject;
  /**
   * For a user token: the session and the grant. If one of them is revoked, the token is rejected before it expires.
   */
  readonly person?: {
    readonly sessionId: string;
    readonly grantId: string;
    readonly exchanged?: true;
    readonly actor?: ActorClaim;
    readonly userinfoClaims?: readonly string[];
  };
}

/** The settings of an API that decide the format of its tokens. */
type TokenFormat = Pick<ResourceServerSettings, "token_dialect" | "token_lifetime" | "enforce_policies">;

/**
 * Returns the claims and the `typ` of an access token in the API's token dialect: Auth0's or RFC 9068. Both dialects
 * contain `tenant_id`.
 */
export function accessTokenClaims(
  content: AccessTokenContent,
  api: TokenFormat,
): { readonly typ: "JWT" | "at+jwt"; readonly claims: JWTPayload } {
  const rfc9068 = api.token_dialect.startsWith("rfc9068");
  const { audience, authentication, organization, person } = content;
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
      ...(content.key && { cnf: { jkt: content.key.jkt } }),
      ...(organization && { org_id: organization.id, ...(organization.name !== undefined && { org_name: organization.name }) }),
      ...(authentication && { acr: authentication.acr, amr: [...authentication.methods] }),
      ...(content.authTime !== undefined && { auth_time: content.authTime }),
      ...(person && { sid: person.sessionId, grant_id: person.grantId }),
      ...(person?.exchanged && { exchanged: true }),
      ...(person?.actor && { act: person.actor }),
      ...(person?.userinfoClaims && { userinfo_claims: [...person.userinfoClaims] }),
      ...(permissions && { permissions: [...(content.permissions ?? content.scope)] }),
    },
  };
}
