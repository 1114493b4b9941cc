import { errors, jwtVerify, SignJWT } from "jose";
import type { ActionRequest, PostLoginApi } from "../../adapters/actions.ts";
import type { JsonObject } from "../../store/value.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

/** A login during which the user is redirected to a page of the host application and returns from it. */
interface Login {
  readonly tenant: RequestTenant;
  readonly userId: string;
  readonly state: string | undefined;
  readonly request: Pick<ActionRequest, "query" | "body">;
}

type Token<Name extends "encodeToken" | "validateToken"> = Parameters<PostLoginApi["redirect"][Name]>[0];

const encoder = new TextEncoder();

/** The default lifetime of a token for a page, in seconds. */
const defaultLifetime = 900;

/**
 * Returns the signing key for a secret. @throws {TypeError} if the secret is too short to sign with (RFC 7518 section
 * 3.2).
 */
function keyOf(secret: string): Uint8Array {
  const key = encoder.encode(secret);
  if (key.length < 32) throw new TypeError("the secret of a redirect token must have at least 32 characters");
  return key;
}

/** Returns a signed token that passes data to the page to which the user is redirected. */
export async function encodeToken(
  { tenant, userId }: Login,
  { secret, payload, expiresInSeconds = defaultLifetime }: Token<"encodeToken">,
): Promise<string> {
  const now = Math.floor(tenant.now() / 1000);
  return new SignJWT({ ...payload })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setIssuer(tenant.urls.issuer)
    .setSubject(userId)
    .setIssuedAt(now)
    .setExpirationTime(now + expiresInSeconds)
    .sign(keyOf(secret));
}

/**
 * Verifies the token that the page sent back, and returns its claims.
 * @throws {TypeError} with the reason if the token is invalid.
 */
export async function validateToken(
  { tenant, userId, state, request }: Login,
  { secret, tokenParameterName: name = "session_token" }: Token<"validateToken">,
): Promise<JsonObject> {
  const token = request.body[name] ?? request.query[name];
  if (token === undefined) throw new TypeError(`the parameter '${name}' is missing`);
  const currentDate = new Date(tenant.now());
  const { payload } = await jwtVerify<JsonObject>(token, keyOf(secret), {
    algorithms: ["HS256"],
    requiredClaims: ["exp"],
    currentDate,
  }).catch((error: unknown) => {
    throw new TypeError(`'${name}' is invalid: ${error instanceof errors.JOSEError ? error.message : "it cannot be parsed"}`, {
      cause: error,
    });
  });
  if (state === undefined || payload["state"] !== state) throw new TypeError(`'${name}' belongs to another login: its 'state' differs`);
  if (payload.sub !== undefined && payload.sub !== userId) throw new TypeError(`'${name}' was issued for another user`);
  return payload;
}
