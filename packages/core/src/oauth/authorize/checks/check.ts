import type { RequestTenant } from "../../../tenants/tenant.ts";
import type { RegisteredClient } from "../../../model/clients/client.ts";
import type { AuthorizationRequest } from "../../../authorization/authorization-request.ts";
import type { ApiOfRequest } from "../../../authorization/resolve-api.ts";

/**
 * The state of the checks: the parameters that were sent, and the request that the checks have built from them so far.
 */
export interface Checked {
  readonly tenant: RequestTenant;
  /** The check of a pushed request replaces the parameters of the browser. */
  sent: { readonly [parameter: string]: string };
  /** Parameters that are not a single string, each with the end of its error message. */
  malformed: ReadonlyMap<string, string>;
  client?: RegisteredClient;
  /** The requested API. Undefined until the audience is checked. */
  api?: ApiOfRequest;
  request: Partial<AuthorizationRequest>;
}

/** Validates parameters and stores them in `request`. @throws {PosternError} if a parameter is invalid. */
export type AuthorizationCheck = (checked: Checked) => void | Promise<void>;

/** Returns the client that an earlier check found. */
export function clientOf({ client }: Checked): RegisteredClient {
  if (client === undefined)
    throw new Error("this check of an authorization request needs the client, but the check of client_id has not run yet");
  return client;
}
