import { performance } from "node:perf_hooks";
import type { DataAdapter } from "@postern/core";
import { expect } from "vitest";
import { object, text, type Manager } from "../support/api.ts";
import { fakeHasher } from "../support/flow.ts";
import { clientSecret, createTestPostern, managementAudience, type Answer, type TestPostern } from "../support/postern.ts";
import type { Operation } from "./document.ts";
import { undeclared } from "./replies.ts";

/** Milliseconds after which an answer counts as none. */
const patience = 15_000;

/** What is sent to an operation. */
export interface Sent {
  readonly path: string;
  /** Query, with its question mark. */
  readonly query?: string;
  /** The body as it goes over the wire. */
  readonly body?: string;
  readonly headers?: { readonly [name: string]: string };
}

/** A Postern with three tenants, of which the first is the control plane. */
export interface SweptService extends TestPostern {
  /** A token of a tenant's manager, with all scopes or with these. */
  tokenOf(tenantId: string, scopes?: readonly string[]): Promise<string>;
  /** Sends a request and expects what is declared, in time, and no fault. */
  send(operation: Operation, sent: Sent): Promise<Answer>;
  /** Manages a tenant, whatever happens to keys and tokens meanwhile. */
  manager(tenantId: string): Manager;
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
  const manager = (tenantId: string): Manager => {
    let token = "";
    const call: (...sent: Parameters<Manager>) => Promise<Answer> = async (method, path, body, headers = {}) => {
      const ask = async (): Promise<Answer> => service.call(method, path, { token, headers, ...(body !== undefined && { body }) });
      const answer = await ask();
      if (answer.status !== 401) return answer;
      token = await tokenOf(tenantId);
      return ask();
    };
    return Object.assign(call, { create: async (path: string, body: unknown) => object(await call("POST", path, body), 201) });
  };
  return { ...service, tokenOf, send, manager };
}
