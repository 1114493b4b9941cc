import { decodeJwt, decodeProtectedHeader, type JWTPayload } from "jose";
import { PosternError } from "../../errors.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { publicClientId } from "../../model/clients/client-id.ts";
import { demandsOn } from "../../model/clients/client-demands.ts";
import { isObject } from "../../store/value.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { maxTokenLength } from "../../tokens/verify.ts";
import { clockTolerance, issuerAudiences, maximumLifetime, verifySignedByClient } from "../verify-signed-by-client.ts";
import type { Checked } from "./checks/check.ts";
import { authorizationParameters } from "./parameters.ts";
import { readAuthorizationParameters } from "./read-parameters.ts";

/** The parameters of an authorization request, as {@link readAuthorizationParameters} returns them. */
type Parameters = Pick<Checked, "sent" | "malformed">;

/** Whether the `typ` of a JWT is that of a request object (RFC 9101 section 10.8). */
export function isRequestObjectType(typ: string | undefined): boolean {
  return typ?.toLowerCase().replace(/^application\//, "") === "oauth-authz-req+jwt";
}

/**
 * Verifies the request object of a request and returns the parameters that count. For OAuth 2.0, a pushed request and a
 * client that must sign its requests, these are the parameters in the object (RFC 9101 section 6.3). A request with the
 * scope `openid` outside the object is an OpenID Connect request: parameters outside count if the object does not contain
 * them (OpenID Connect Core section 6.1). A `response_type` outside the object must always have the same value.
 * @param outer the parameters outside the object. Returned unchanged if they contain no object.
 * @throws {PosternError} `invalid_request_object`; `invalid_request` if the client must sign its requests.
 */
export async function applyRequestObject(
  tenant: RequestTenant,
  client: RegisteredClient,
  outer: Parameters,
  { isPushed }: { readonly isPushed: boolean },
): Promise<Parameters> {
  const { request: object, ...others } = outer.sent;
  const { signedRequest } = demandsOn(client);
  if (object === undefined) {
    if (signedRequest) throw unsignedRequest();
    return outer;
  }
  const inner = toParameters(await verify(tenant, client, object));
  const isOpenIdConnect = others["scope"]?.split(" ").includes("openid") === true;
  const isMerged = !isPushed && !signedRequest && isOpenIdConnect;
  const { response_type: outerType } = others;
  const { response_type: type = outerType } = inner.sent;
  if (outerType === undefined && isMerged) throw invalidObject("'response_type' must also be sent outside the request object");
  if (outerType !== undefined && outerType !== type)
    throw invalidObject("'response_type' must have the same value in the request object and outside it");
  if (!isMerged) return inner;
  return { sent: { ...others, ...inner.sent }, malformed: new Map([...outer.malformed, ...inner.malformed]) };
}

/** Verifies an object. Everything that needs no key is checked first, because keys may have to be fetched. */
async function verify(tenant: RequestTenant, client: RegisteredClient, object: string): Promise<JWTPayload> {
  if (object.length > maxTokenLength) throw invalidObject(`the request object is longer than ${maxTokenLength} characters`);
  const { header, claims } = decode(object);
  const clientId = publicClientId(client.record);
  const { typ, crit } = header;
  if (typ !== undefined && typ.toUpperCase() !== "JWT" && !isRequestObjectType(typ))
    throw invalidObject("'typ' of the request object must be oauth-authz-req+jwt");
  if (crit !== undefined) throw invalidObject("the request object has critical extensions, which are not supported");
  if (claims["request"] !== undefined || claims["request_uri"] !== undefined)
    throw invalidObject("a request object must not contain 'request' or 'request_uri'");
  if (claims["client_id"] !== clientId || claims.iss !== clientId)
    throw invalidObject("'iss' and 'client_id' of the request object must be the client");
  if (claims.sub === clientId) throw invalidObject("'sub' of the request object must not be the client, as in a client assertion");
  const { strictAssertions } = demandsOn(client);
  const now = tenant.now();
  const payload = await verifySignedByClient(tenant, client, storedKeys(client), object, {
    issuer: clientId,
    audience: issuerAudiences(tenant),
    requiredClaims: strictAssertions ? ["exp", "nbf"] : [],
    currentDate: new Date(now),
    clockTolerance,
  }).catch((cause: unknown) => {
    throw invalidObject("the request object is not valid, or the keys of the client could not be read", cause);
  });
  const { exp = 0, nbf = 0 } = payload;
  const seconds = now / 1000;
  if (strictAssertions && (exp > seconds + maximumLifetime || nbf < seconds - maximumLifetime || exp - nbf > maximumLifetime))
    throw invalidObject("'nbf' and 'exp' of the request object must be at most one hour away, and at most one hour apart");
  return payload;
}

/**
 * Returns the keys that an administrator stored for request objects, otherwise those for client assertions. An empty
 * list is not replaced, so that a deleted key does not make other keys valid.
 */
function storedKeys({ settings }: RegisteredClient) {
  return settings.signed_request_object?.credentials ?? settings.client_authentication_methods?.private_key_jwt.credentials;
}

function decode(object: string) {
  try {
    return { header: decodeProtectedHeader(object), claims: decodeJwt(object) };
  } catch (cause) {
    throw invalidObject("the request object is not a signed JWT", cause);
  }
}

/**
 * Returns the parameters in an object. Numbers and objects, such as `max_age` and `claims`, become text. Other claims,
 * which may have any type, are ignored.
 */
function toParameters(payload: JWTPayload): Parameters {
  const members = Object.entries(payload).filter(
    ([name, value]) => authorizationParameters.has(name) && value !== null && value !== undefined,
  );
  return readAuthorizationParameters(Object.fromEntries(members.map(([name, value]) => [name, toText(value)])));
}

function toText(value: unknown): unknown {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return isObject(value) ? JSON.stringify(value) : value;
}

/** Creates the error for a client that must sign its requests. */
export function unsignedRequest(): PosternError {
  return new PosternError("invalid_request", "the client must send its authorization requests in signed request objects");
}

function invalidObject(message: string, cause?: unknown): PosternError {
  return new PosternError("invalid_request_object", message, { cause });
}
