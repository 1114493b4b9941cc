import { equalInConstantTime, sha256 } from "../../adapters/digest.ts";
import type { PosternError } from "../../errors.ts";
import type { RegistrationContext } from "../../model/clients/registration.ts";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import { invalidToken, readBearerToken } from "../../tenants/callers/bearer-token.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { listedAlgorithms } from "../listed-algorithms.ts";

/** A registration that a request may read and change. */
export interface ManagedRegistration {
  readonly row: Row<"clients">;
  /** The registration access token of the request. */
  readonly token: string;
}

/**
 * Authenticates a request that manages a registration (RFC 7592 section 2). The error is the same for a wrong token and
 * for a client that does not exist, is blocked or did not register itself.
 * @throws {PosternError} `invalid_token`.
 */
export async function findRegistration(tenant: RequestTenant, clientId: string, request: Request): Promise<ManagedRegistration> {
  const token = readBearerToken(request, undefined);
  const [hash, row] = await Promise.all([sha256(token), findOne(tenant.data.clients, { client_id: clientId })]);
  if (row !== undefined && row.blocked_at === null && equalInConstantTime(hash, row.registration_token_hash ?? "")) return { row, token };
  throw noRegistrationFor();
}

/** Creates the error for a registration access token that does not belong to the client. */
export function noRegistrationFor(): PosternError {
  return invalidToken("the registration access token is not valid for this client");
}

/**
 * Returns the URL at which a client manages its registration. It names the tenant if the host does not, because a client
 * sends no `tenant-id` header.
 */
export function registrationUri({ urls, tenantParameter }: RequestTenant, clientId: string): string {
  const parameters = new URLSearchParams(tenantParameter).toString();
  return urls.urlFor(`/oidc/register/${clientId}`) + (parameters === "" ? "" : `?${parameters}`);
}

/** Returns the defaults and the algorithms for the metadata of a client that registers itself. */
export async function registrationContext(tenant: RequestTenant, clientId: string): Promise<RegistrationContext> {
  return {
    defaultName: clientId,
    defaultMethod: "client_secret_basic",
    signingAlgorithm: tenant.config.signingAlgorithm,
    allowedAlgorithms: await listedAlgorithms(tenant),
  };
}

/** Whether a client authenticates with a secret. */
export function usesSecret({ token_endpoint_auth_method: method }: Pick<Row<"clients">, "token_endpoint_auth_method">): boolean {
  return method === "client_secret_basic" || method === "client_secret_post";
}
