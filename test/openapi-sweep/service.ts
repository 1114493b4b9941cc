import { performance } from "node:perf_hooks";
import type { DataAdapter } from "@postern/core/adapter";
import { expect } from "vitest";
import type { ApiOperation } from "../../packages/testing/src/isolation/document.ts";
import type { OperationRequest } from "../../packages/testing/src/isolation/records.ts";
import { connectTenant, type ConnectedTenant } from "../../packages/testing/src/isolation/tenant-access.ts";
import { jsonBody, stringMember } from "../support/api.ts";
import { fakeHasher } from "../support/flow.ts";
import {
  clientSecret,
  createTestPostern,
  issuer,
  managementAudience,
  type ApiResponse,
  type TestOptions,
  type TestPostern,
} from "../support/postern.ts";
import { undeclaredPart } from "./replies.ts";

/** Maximum duration of a request, in milliseconds. */
const timeout = 15_000;

/** A request to an operation. */
export interface SweptRequest extends OperationRequest {
  readonly headers?: { readonly [name: string]: string };
}

/** A service with three tenants. The first one is the control plane. */
export interface SweptService extends TestPostern {
  /** Returns a Management API token for a tenant, with the given scopes or with all scopes. */
  tokenOf(tenantId: string, scopes?: readonly string[]): Promise<string>;
  /** Sends a request. Requires a declared response within the timeout, and no logged error. */
  send(operation: ApiOperation, sent: SweptRequest): Promise<ApiResponse>;
  /** Returns a tenant for the isolation suite. The tenant requests a new token when a key or token becomes invalid. */
  managedTenant(tenantId: string): ConnectedTenant;
}

/** Creates a {@link SweptService}, by default in memory. @param options more options of the service. */
export async function openSweptService(data?: DataAdapter, options: TestOptions = {}): Promise<SweptService> {
  const service = await createTestPostern({
    crypto: { hasher: fakeHasher },
    messages: { mail: { send: async () => {} } },
    network: { fetch: async ({ url }) => Response.json({ client_id: url, redirect_uris: ["https://sample.example.test/callback"] }) },
    ...(data && { data }),
    ...options,
  });
  const settings = { name: "Manager", app_type: "non_interactive" } as const;
  await service.postern.seed({
    tenantId: "third",
    clients: [{ clientId: "third-manager", secret: clientSecret, settings, managesTenant: true }],
  });

  const tokenOf = async (tenantId: string, scopes?: readonly string[]): Promise<string> => {
    const body = {
      grant_type: "client_credentials",
      client_id: `${tenantId}-manager`,
      client_secret: clientSecret,
      audience: managementAudience,
      ...(scopes && { scope: scopes.join(" ") }),
    };
    return stringMember(jsonBody(await service.call("POST", "/oauth/token", { body })), "access_token");
  };
  // An enrollment ticket requires a factor that the tenant enables.
  for (const tenantId of ["main", "other", "third"]) {
    const headers = { authorization: `Bearer ${await tokenOf(tenantId)}`, "tenant-id": tenantId };
    jsonBody(await service.call("PUT", "/api/v2/guardian/factors/otp", { headers, body: { enabled: true } }), 200);
  }
  const send = async (operation: ApiOperation, { path, query = "", body, headers = {} }: SweptRequest): Promise<ApiResponse> => {
    const { method } = operation;
    const request = `${method} ${path}${query} ${body ?? ""}`.slice(0, 2000);
    const faults = service.faults.length;
    const startedAt = performance.now();
    const response = await service.call(method, path + query, { headers, ...(body !== undefined && { body }) });
    expect.soft(performance.now() - startedAt, `${request}: milliseconds`).toBeLessThan(timeout);
    expect.soft(service.faults.slice(faults), request).toEqual([]);
    expect.soft(undeclaredPart(operation, response), request).toBeUndefined();
    return response;
  };
  const managedTenant = (tenantId: string): ConnectedTenant =>
    connectTenant({ id: tenantId, issuer, headers: { "tenant-id": tenantId }, token: () => tokenOf(tenantId) }, (request) =>
      service.postern.fetch(request, { clientAddress: "192.0.2.1" }),
    );
  return { ...service, tokenOf, send, managedTenant };
}
