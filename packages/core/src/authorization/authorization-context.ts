import type { Client } from "../model/clients/client.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import type { ApiOfRequest } from "./resolve-api.ts";

/** An authorization request with its client and its API. */
export interface AuthorizationContext {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly request: AuthorizationRequest;
  readonly api: ApiOfRequest;
}
