import { isPublic } from "../model/clients/refresh-token-settings.ts";
import { decodeJwt } from "jose";
import { equalInConstantTime, sha256 } from "../adapters/digest.ts";
import { PosternError } from "../errors.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import { checkAssertion } from "./client-assertion.ts";
import { invalidClient } from "./invalid-client.ts";

/** The credentials of a client at the token endpoint and related endpoints (RFC 6749 section 2.3, RFC 7523). */
interface ClientCredentials {
  readonly clientId: string;
  readonly method: "none" | "client_secret_post" | "client_secret_basic" | "private_key_jwt";
  readonly secret?: string;
  readonly assertion?: string;
}

const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** RFC 7617 section 2 requires a realm. */
const basicChallenge = { "www-authenticate": 'Basic realm="postern"' };

/**
 * Reads the credentials that a client sends.
 * @throws {PosternError} `invalid_client` or `invalid_request`.
 */
export function readClientCredentials(request: Request, body: { readonly [name: string]: unknown }): ClientCredentials {
  const { client_id: bodyId, client_secret: bodySecret, client_assertion: assertion, client_assertion_type: type } = body;
  const basic = readBasic(request.headers.get("authorization"));
  if ([basic, bodySecret, assertion].filter((given) => given !== undefined).length > 1) {
    throw new PosternError("invalid_request", "the client used more than one authentication method (RFC 6749 section 2.3)");
  }
  if (basic !== undefined) {
    if (bodyId !== undefined && bodyId !== basic.clientId)
      throw new PosternError("invalid_request", "the request contains two different client ids");
    return basic;
  }
  if (assertion !== undefined) {
    if (type !== assertionType) throw new PosternError("invalid_request", `'client_assertion_type' must be ${assertionType}`);
    const clientId = typeof assertion === "string" ? assertionSubject(assertion) : undefined;
    if (typeof assertion !== "string" || clientId === undefined || (bodyId !== undefined && bodyId !== clientId)) {
      throw invalidClient("the client assertion is not valid");
    }
    return { clientId, method: "private_key_jwt", assertion };
  }
  if (typeof bodyId !== "string" || bodyId === "") throw new PosternError("invalid_request", "'client_id' is missing");
  if (bodySecret === undefined || bodySecret === "") return { clientId: bodyId, method: "none" };
  if (typeof bodySecret !== "string") throw new PosternError("invalid_request", "'client_secret' must be a string");
  return { clientId: bodyId, method: "client_secret_post", secret: bodySecret };
}

/** Reads HTTP Basic credentials. Both parts are form-encoded before they are joined (RFC 6749 section 2.3.1). */
function readBasic(header: string | null): ClientCredentials | undefined {
  if (header === null || !/^basic(\s|$)/i.test(header)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(header.slice(6).trim()), (character) => character.charCodeAt(0));
    const [, id, secret] = /^([^:]+):(.*)$/s.exec(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) ?? [];
    if (id !== undefined && secret !== undefined) {
      return { clientId: formDecode(id), method: "client_secret_basic", secret: formDecode(secret) };
    }
  } catch {
    // Falls through: credentials that cannot be decoded are rejected like incomplete ones.
  }
  throw invalidClient("the Authorization header is not valid", basicChallenge);
}

function formDecode(text: string): string {
  return decodeURIComponent(text.replaceAll("+", " "));
}

function assertionSubject(assertion: string): string | undefined {
  try {
    return decodeJwt(assertion).sub;
  } catch {
    return undefined;
  }
}

/**
 * Verifies a client's credentials by the method that it is registered with. Public clients send only their ID.
 * @throws {PosternError} `invalid_client`, with the same description for an unknown client and a wrong secret.
 */
export async function authenticateClient(tenant: RequestTenant, credentials: ClientCredentials): Promise<RegisteredClient> {
  const headers = credentials.method === "client_secret_basic" ? basicChallenge : {};
  const client = await tenant.namedClient(credentials.clientId);
  const presented = credentials.secret === undefined ? "" : await sha256(credentials.secret);
  const { secret_hash: expected, token_endpoint_auth_method: method } = client?.record ?? {
    secret_hash: null,
    token_endpoint_auth_method: "",
  };
  if (client === undefined) throw invalidClient("the client is unknown or its credentials are wrong", headers);

  if (method === "private_key_jwt") {
    if (credentials.assertion === undefined) throw invalidClient("this client must authenticate with private_key_jwt");
    await checkAssertion(tenant, client, credentials.assertion);
  } else if (method === "none") {
    if (credentials.method !== "none") throw invalidClient("this client is public and has no credentials", headers);
  } else if (credentials.secret === undefined || expected === null || !equalInConstantTime(presented, expected)) {
    throw invalidClient("the client is unknown or its credentials are wrong", headers);
  }
  return client;
}

/**
 * Returns the client that a public request names. Credentials are optional, because such requests may come from a
 * user's browser. If credentials are sent, they must be valid.
 * @param authenticates whether a client that has credentials must send them.
 * @throws {PosternError} `invalid_client`.
 */
export async function namedClient(
  tenant: RequestTenant,
  request: Request,
  body: { readonly [name: string]: unknown },
  authenticates = false,
): Promise<RegisteredClient> {
  const credentials = readClientCredentials(request, body);
  if (credentials.method !== "none") return authenticateClient(tenant, credentials);
  const client = await tenant.namedClient(credentials.clientId);
  if (client === undefined) throw invalidClient("the client is unknown");
  if (authenticates && !isPublic(client.record.token_endpoint_auth_method)) throw invalidClient("the client must authenticate");
  return client;
}
