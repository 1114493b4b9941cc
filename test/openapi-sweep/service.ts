import { performance } from "node:perf_hooks";
import type { DataAdapter } from "@postern/core/adapter";
import { expect } from "vitest";
import type { Operation } from "../../packages/testing/src/isolation/document.ts";
import type { Asked } from "../../packages/testing/src/isolation/records.ts";
import { openParty, type Party } from "../../packages/testing/src/isolation/tenant-access.ts";
import { object, text } from "../support/api.ts";
import { fakeHasher } from "../support/flow.ts";
import { clientSecret, createTestPostern, issuer, managementAudience, type Answer, type TestPostern } from "../support/postern.ts";
import { undeclared } from "./replies.ts";

/** Milliseconds after which an answer counts as none. */
const patience = 15_000;

/** What is sent to an operation. */
export interface Sent extends Asked {
  readonly headers?: { readonly [name: string]: string };
}

/** A Postern with three tenants, of which the first is the control plane. */
export interface SweptService extends TestPostern {
  /** A token of a tenant's manager, with all scopes or with these. */
  tokenOf(tenantId: string, scopes?: readonly string[]): Promise<string>;
  /** Sends a request and expects what is declared, in time, and no fault. */
  send(operation: Operation, sent: Sent): Promise<Answer>;
  /** A tenant, which is managed whatever happens to keys and tokens meanwhile. */
  party(tenantId: string): Party;
}

/** Makes a {@link SweptService}, by default in memory. */
export async function openSweptService(data?: DataAdapter): Promise<SweptService> {
  const service = await createTestPostern({
    crypto: { hasher: fakeHasher },
    messages: { mail: { send: async () => {} } },
    ...(data && { data }),
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
    return text(object(await service.call("POST", "/oauth/token", { body })), "access_token");
  };
  const send = async (operation: Operation, { path, query = "", body, headers = {} }: Sent): Promise<Answer> => {
    const { method } = operation;
    const request = `${method} ${path}${query} ${body ?? ""}`.slice(0, 2000);
    const faults = service.faults.length;
    const began = performance.now();
    const answer = await service.call(method, path + query, { headers, ...(body !== undefined && { body }) });
    expect.soft(performance.now() - began, `${request}: milliseconds`).toBeLessThan(patience);
    expect.soft(service.faults.slice(faults), request).toEqual([]);
    expect.soft(undeclared(operation, answer), request).toBeUndefined();
    return answer;
  };
  const party = (tenantId: string): Party =>
    openParty({ id: tenantId, issuer, headers: { "tenant-id": tenantId }, token: () => tokenOf(tenantId) }, (request) =>
      service.postern.fetch(request, { clientAddress: "192.0.2.1" }),
    );
  return { ...service, tokenOf, send, party };
}
