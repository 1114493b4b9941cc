import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { PosternError } from "@postern/core";
import { UnavailableError, type Collection, type Collections, type DataAdapter } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { sendAuthorization, successParameters, login, openService, errorParameters, type LoginService } from "../support/flow.ts";

/** The error that the next statement on a collection throws. */
let fault: { readonly on: string; readonly error: Error } | undefined;

/** Wraps an adapter so that its statements throw the error that a test sets. */
function failingAdapter(inner: DataAdapter): DataAdapter {
  const guarded = (name: string, collection: Collection): Collection => {
    const run = async <T>(statement: () => Promise<T>): Promise<T> => {
      if (fault?.on === name) throw fault.error;
      return statement();
    };
    return {
      ...(collection.filters !== undefined && { filters: collection.filters }),
      find: (query) => run(() => collection.find(query)),
      count: (where, filter) => run(() => collection.count(where, filter)),
      insert: (rows) => run(() => collection.insert(rows)),
      update: (where, change) => run(() => collection.update(where, change)),
      delete: (where) => run(() => collection.delete(where)),
    };
  };
  const all = Object.entries(inner.collections as unknown as { readonly [name: string]: Collection });
  // Each entry keeps its name, and therefore the type of its rows.
  const collections = Object.fromEntries(all.map(([name, each]) => [name, guarded(name, each)])) as unknown as Collections;
  return { ...inner, collections };
}

let service: LoginService;
beforeAll(async () => {
  service = await openService({ data: failingAdapter(createMemoryAdapter({ strict: true })), logger: { log: () => {} } });
});
beforeEach(() => {
  fault = undefined;
});

describe("a data store error at /authorize", () => {
  test.each([
    ["query", () => service.web],
    ["form_post", () => service.web],
    ["fragment", () => service.web],
    ["web_message", () => service.spa],
  ] as const)(
    "is returned to the client by %s if the redirect URI was validated before (RFC 6749 section 4.1.2.1)",
    async (response_mode, pick) => {
      const browser = service.browser();
      const app = pick();
      await login(browser, app, service.ada);
      for (const [error, code] of [
        [new Error("a secret of the database"), "server_error"],
        // Opening a second service can throw this. The message describes the host's configuration, so only the host may
        // see it.
        [new PosternError("configuration_error", "a secret of the database"), "server_error"],
        [new UnavailableError("the database is unavailable"), "temporarily_unavailable"],
      ] as const) {
        fault = { on: "authorization_codes", error };
        const result = await sendAuthorization(browser, app, { response_mode, prompt: "none" });
        expect(result).toMatchObject({ kind: "response", mode: response_mode });
        expect(errorParameters(result)).toMatchObject({ error: code, state: "st-1", iss: service.postern.issuer });
        expect(JSON.stringify(result)).not.toMatch(/secret of the database|away/);
      }
      fault = undefined;
      successParameters(await sendAuthorization(browser, app, { response_mode, prompt: "none" }));
    },
  );

  test("is not reported as a missing session", async () => {
    const browser = service.browser();
    await login(browser, service.web, service.ada);
    for (const on of ["sessions", "users"]) {
      fault = { on, error: new UnavailableError("away") };
      expect(errorParameters(await sendAuthorization(browser, service.web, { prompt: "none" }))["error"]).toBe("temporarily_unavailable");
    }
  });
});

test("results in an error page with only a request id if the redirect URI was not validated yet", async () => {
  service.clock.advance("10s");
  fault = { on: "clients", error: new Error("a secret of the database") };
  const result = await sendAuthorization(service.browser(), service.web);
  expect(result).toMatchObject({ kind: "page", status: 500 });
  expect(JSON.stringify(result)).not.toContain("secret of the database");
});

test("is logged for the operator with the id of the request", async () => {
  const logged: object[] = [];
  const own = await openService({ data: failingAdapter(createMemoryAdapter()), logger: { log: (entry) => void logged.push(entry) } });
  const browser = own.browser();
  await login(browser, own.web, own.ada);
  fault = { on: "authorization_codes", error: new Error("the disk is full") };
  errorParameters(await sendAuthorization(browser, own.web));
  expect(logged).toContainEqual({ level: "error", event: "fault", request_id: expect.any(String), error: fault.error });
});
