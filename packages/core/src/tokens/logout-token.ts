import type { JWTPayload } from "jose";
import type { JsonObject } from "../store/value.ts";

/** The member of `events` that makes a JWT a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.4). */
const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";

/** Seconds. The token is signed when it is sent, so it needs to be valid only for the request. */
const lifetime = 120;

/** The content of a logout token. */
interface LogoutTokenContent {
  readonly issuer: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly userId: string;
  readonly sessionId: string;
  /** A random id. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly issuedAt: number;
  /** Null if the client does not want it. */
  readonly sessionMetadata: JsonObject | null;
}

/** Returns the claims of a logout token. It never has a nonce, so that it cannot be used as an ID token. */
export function logoutTokenClaims(content: LogoutTokenContent): JWTPayload {
  return {
    iss: content.issuer,
    aud: content.clientId,
    iat: content.issuedAt,
    exp: content.issuedAt + lifetime,
    jti: content.id,
    sub: content.userId,
    sid: content.sessionId,
    // Tenants may share an issuer.
    tenant_id: content.tenantId,
    events: { [logoutEvent]: {} },
    ...(content.sessionMetadata !== null && { session_metadata: content.sessionMetadata }),
  };
}
