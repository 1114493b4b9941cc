import type { RegisteredClient } from "../model/clients/client.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import type { ApiOfRequest } from "./resolve-api.ts";

/** An authorization request with its client and its API. */
export interface AuthorizationContext {
  readonly tenant: RequestTenant;
  readonly client: RegisteredClient;
  readonly request: AuthorizationRequest;
  readonly api: ApiOfRequest;
}
