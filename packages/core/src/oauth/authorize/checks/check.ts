import type { Tenant } from "../../../tenants/tenant.ts";
import type { Client } from "../../../model/clients/client.ts";
import type { AuthorizationRequest } from "../../../authorization/authorization-request.ts";
import type { ApiOfRequest } from "../../../authorization/resolve-api.ts";

/** The state of the checks: the sent parameters, and the request that the checks so far built from them. */
export interface Checked {
  readonly tenant: Tenant;
  readonly sent: { readonly [parameter: string]: string };
  /** Parameters that are not a single string, with the fault of each. */
  readonly malformed: ReadonlyMap<string, string>;
  client?: Client;
  /** The requested API. Undefined until the audience is checked. */
  api?: ApiOfRequest;
  request: Partial<AuthorizationRequest>;
}

/** A check validates parameters and sets their members of the request. @throws {PosternError} if they are invalid. */
export type AuthorizationCheck = (checked: Checked) => void | Promise<void>;

/** Returns the client that an earlier check found. */
export function clientOf({ client }: Checked): Client {
  if (client === undefined) throw new Error("the client must be checked first");
  return client;
}
