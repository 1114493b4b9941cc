import { decodeProtectedHeader, type JWTPayload, type JWTVerifyOptions } from "jose";
import { sha256 } from "../adapters/digest.ts";
import { PosternError } from "../errors.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import { publicClientId } from "../model/clients/client-id.ts";
import { demandsOn } from "../model/clients/client-demands.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import { isRequestObjectType } from "./authorize/request-object.ts";
import { invalidClient } from "./invalid-client.ts";
import { clockTolerance, issuerAudiences, maximumLifetime, verifySignedByClient } from "./verify-signed-by-client.ts";

/** Parameters of authorization requests. A JWT that contains one is a request object, even without the type of one. */
const requestParameters = ["response_type", "redirect_uri", "scope"];

/**
 * Verifies a client assertion (RFC 7523 section 3): the issuer and the subject must be the client, and the audience
 * must be this tenant. The assertion must expire within an hour, and can be used only once.
 */
export async function checkAssertion(tenant: RequestTenant, client: RegisteredClient, assertion: string): Promise<void> {
  const now = tenant.now();
  const { strictAssertions } = demandsOn(client);
  const { issuer } = tenant.urls;
  const clientId = publicClientId(client.record);
  const payload = await verifyAssertion(tenant, client, assertion, {
    issuer: clientId,
    subject: clientId,
    audience: strictAssertions ? issuer : [...issuerAudiences(tenant), tenant.urls.urlFor("/oauth/token")],
    requiredClaims: ["exp", "jti"],
    currentDate: new Date(now),
    clockTolerance,
  });
  if (requestParameters.some((name) => payload[name] !== undefined)) throw invalidClient("a request object is not a client assertion");
  const { exp, jti, aud, iat = 0 } = payload;
  if (strictAssertions && aud !== issuer) throw invalidClient("the audience of the client assertion must be the issuer alone, as text");
  if (strictAssertions && iat * 1000 > now + clockTolerance * 1000) throw invalidClient("the client assertion was issued in the future");
  if (exp === undefined || jti === undefined || exp * 1000 > now + maximumLifetime * 1000) {
    throw invalidClient("the lifetime of the client assertion must be at most one hour");
  }
  const unused = await tenant.data.used_assertions.insert([
    { jti_hash: await sha256(JSON.stringify([clientId, jti])), expires_at: (exp + clockTolerance) * 1000 },
  ]);
  if (!unused) throw invalidClient("the client assertion was used before");
}

/** Verifies an assertion, which must not be a request object: the client sends those through the browser. */
async function verifyAssertion(
  tenant: RequestTenant,
  client: RegisteredClient,
  assertion: string,
  verification: JWTVerifyOptions & { readonly currentDate: Date },
): Promise<JWTPayload> {
  const stored = client.settings.client_authentication_methods?.private_key_jwt.credentials;
  try {
    if (isRequestObjectType(decodeProtectedHeader(assertion).typ)) throw invalidClient("a request object is not a client assertion");
    return await verifySignedByClient(tenant, client, stored, assertion, verification);
  } catch (cause) {
    throw new PosternError("invalid_client", "the client assertion is not valid, or the keys of the client could not be read", { cause });
  }
}
