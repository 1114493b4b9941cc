import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../support/api.ts";
import { apiDescriptions } from "./description.ts";
import { recordsOf, type Records } from "../../packages/testing/src/isolation/records.ts";
import { openSweptService, type SweptService } from "./service.ts";

const operations = apiDescriptions.management.operations.filter(({ scopes }) => scopes.length > 0);
const allScopes = [...new Set(operations.flatMap(({ scopes }) => scopes))];

/** Scopes that an operation requires in addition to one of its alternatives. */
const additionalScopes: { readonly [title: string]: readonly string[] } = {
  "PATCH /api/v2/clients/{client_id}/credentials/{id}": ["update:client_keys"],
  "DELETE /api/v2/clients/{client_id}/credentials/{id}": ["update:client_keys"],
};

/** Operations that require a user's token, because they concern the caller's own account. */
const forUsers: readonly string[] = [
  "POST /api/v2/emails/provider/test",
  "POST /api/v2/connections/{id}/test",
  "POST /api/v2/connections/{id}/test/result",
];

/** The service for requests that change nothing: reads and rejected requests. */
let shared: SweptService;
let sharedRecords: Records;

beforeAll(async () => {
  shared = await openSweptService();
  sharedRecords = newRecords(shared);
});

const newRecords = (service: SweptService): Records => recordsOf(service.managedTenant("main"), apiDescriptions.management);
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test("the document describes every resource", () => {
  expect(operations.length).toBeGreaterThan(100);
  expect(allScopes.length).toBeGreaterThan(50);
});

describe.each(operations)("$title", (operation) => {
  const { scopes, title } = operation;
  const { [title]: more = [] } = additionalScopes;

  test("accepts a token with any one of the operation's scopes, and rejects a token with all other scopes with 403", async () => {
    const otherScopes = await shared.tokenOf(
      "main",
      allScopes.filter((scope) => !scopes.includes(scope)),
    );
    const rejected = await shared.send(operation, { ...(await sharedRecords.request(operation)), headers: bearer(otherScopes) });
    expectError(rejected, 403, "insufficient_scope", `any of: ${scopes.join(",")}$`);
    // An operation that changes data gets a separate service, so that it cannot affect other tests.
    const service = operation.method === "GET" ? shared : await openSweptService();
    for (const scope of scopes) {
      const request = await newRecords(service).request(operation);
      const response = await service.send(operation, { ...request, headers: bearer(await service.tokenOf("main", [scope, ...more])) });
      // A `current_user` scope requires a user's token.
      if (scope.includes("current_user") || forUsers.includes(title)) expectError(response, 403, "forbidden");
      else expect(response.status, JSON.stringify([request, response.body])).toBeLessThan(300);
    }
  });

  test("rejects a request without a token with 401", async () => {
    const request = await sharedRecords.request(operation);
    for (const headers of [{}, { authorization: "Bearer" }, { authorization: "Basic bWFpbjptYWlu" }])
      expectError(await shared.send(operation, { ...request, headers }), 401, "invalid_token");
  });
});
