import type { Tenant } from "../../../tenants/tenant.ts";
import type { Client } from "../../../model/clients/client.ts";
import type { AuthorizationRequest } from "../../../authorization/authorization-request.ts";
import type { ApiOfRequest } from "../../../authorization/resolve-api.ts";

/** A request on its way through the checks: what was sent, and what the checks so far made of it. */
export interface Checked {
  readonly tenant: Tenant;
  readonly sent: { readonly [parameter: string]: string };
  /** Parameters that are not a single string, with what is wrong with each. */
  readonly malformed: ReadonlyMap<string, string>;
  client?: Client;
  /** The requested API. Undefined until the audience is checked. */
  api?: ApiOfRequest;
  request: Partial<AuthorizationRequest>;
}

/** One check: fills in what it is about, or refuses. @throws {PosternError} */
export type Check = (checked: Checked) => void | Promise<void>;

/** Returns the client that an earlier check found. */
export function clientOf({ client }: Checked): Client {
  if (client === undefined) throw new Error("the client is checked first");
  return client;
}
