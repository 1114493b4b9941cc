import { jwtVerify, type JWTPayload } from "jose";
import { isInvalidToken, issuerAlgorithms, openKeys, type IssuerKeys } from "./issuer-keys.ts";
import { readText } from "./read-text.ts";
import type { ServiceSource } from "./service-source.ts";
import type { SessionSelection, SessionStore } from "./session-store.ts";

/** The member of `events` that makes a JWT a logout token. */
const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";

/** Maximum characters of a request: a logout token with the metadata of a session has a few kilobytes. */
const maximumLength = 64_000;

/** Seconds by which clocks may differ. */
const tolerance = 5;

/** Seconds. A token that was signed earlier is rejected, whatever its expiry. */
const maximumAge = 600;

/** The dependencies of {@link createLogoutTokens}. */
interface LogoutTokenContext {
  readonly postern: ServiceSource;
  readonly tenantId: string;
  readonly clientId: string;
  readonly store: SessionStore;
  /** Milliseconds since 1970. */
  now(): number;
}

/** The reason why a request is rejected. */
class LogoutTokenError extends Error {
  override readonly name = "LogoutTokenError";
}

/**
 * Creates the function that responds to logout tokens (OpenID Connect Back-Channel Logout 1.0, sections 2.6 to 2.8). A
 * valid token deletes the app's sessions that result from the session `sid` at the tenant, or all sessions of the user
 * `sub` if the token names no session. Another delivery of the same token gets the same response.
 *
 * The function rejects if the store or the keys are unavailable, so that the token is sent again.
 */
export function createLogoutTokens({
  postern,
  tenantId,
  clientId,
  store,
  now,
}: LogoutTokenContext): (request: Request) => Promise<Response> {
  let opened: Promise<IssuerKeys> | undefined;
  const keys = (): Promise<IssuerKeys> => {
    opened ??= openKeys(postern, undefined);
    opened.catch(() => (opened = undefined));
    return opened;
  };

  const verify = async (token: string): Promise<SessionSelection> => {
    const { issuer, jwks } = await keys();
    const verified = jwtVerify(token, jwks, {
      issuer,
      audience: clientId,
      algorithms: issuerAlgorithms,
      typ: "logout+jwt",
      clockTolerance: tolerance,
      maxTokenAge: maximumAge,
      currentDate: new Date(now()),
      requiredClaims: ["iat", "exp", "jti"],
    });
    const { payload } = await verified.catch((cause: unknown) => {
      if (!isInvalidToken(cause)) throw cause;
      throw new LogoutTokenError("the logout token is not valid for this app", { cause });
    });
    if (payload["tenant_id"] !== tenantId) throw new LogoutTokenError("the logout token is from another tenant");
    return { tenantId, clientId, ...selectionOf(payload) };
  };

  return async (request) => {
    try {
      await store.deleteWhere(await verify(await readToken(request)));
      return new Response(null, { status: 200, headers: { "cache-control": "no-store" } });
    } catch (error) {
      if (!(error instanceof LogoutTokenError)) throw error;
      const body = { error: "invalid_request", error_description: error.message };
      return Response.json(body, { status: 400, headers: { "cache-control": "no-store" } });
    }
  };
}

/** Returns the token in the form. @throws {LogoutTokenError} if there is not exactly one. */
async function readToken(request: Request): Promise<string> {
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") throw new LogoutTokenError("the body must be a form");
  const body = await readText(request, maximumLength);
  if (body === undefined) throw new LogoutTokenError("the body is too long");
  const [token, ...others] = new URLSearchParams(body).getAll("logout_token");
  if (token === undefined || others.length > 0) throw new LogoutTokenError("the body must contain one logout_token");
  return token;
}

/** Returns the sessions that a token names. @throws {LogoutTokenError} if it is not a logout token. */
function selectionOf({ sid, sub, events, nonce }: JWTPayload): { readonly sid: string } | { readonly sub: string } {
  const event: unknown = typeof events === "object" && events !== null ? Reflect.get(events, logoutEvent) : undefined;
  if (typeof event !== "object" || event === null || Array.isArray(event)) throw new LogoutTokenError("the token is not a logout token");
  if (nonce !== undefined) throw new LogoutTokenError("a logout token must not contain a nonce");
  if (typeof sid === "string" && sid !== "") return { sid };
  if (sid === undefined && typeof sub === "string" && sub !== "") return { sub };
  throw new LogoutTokenError("the logout token names neither a session nor a user");
}
