import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../support/api.ts";
import { descriptions } from "./description.ts";
import { recordsOf, type Records } from "../../packages/testing/src/isolation/records.ts";
import { openSweptService, type SweptService } from "./service.ts";

const operations = descriptions.management.operations.filter(({ scopes }) => scopes.length > 0);
const allScopes = [...new Set(operations.flatMap(({ scopes }) => scopes))];

/** What an operation takes besides one of its scopes. */
const besides: { readonly [title: string]: readonly string[] } = {
  "PATCH /api/v2/clients/{client_id}/credentials/{id}": ["update:client_keys"],
  "DELETE /api/v2/clients/{client_id}/credentials/{id}": ["update:client_keys"],
};

/** For what changes nothing: reading, and what is refused. */
let shared: SweptService;
let sharedRecords: Records;

beforeAll(async () => {
  shared = await openSweptService();
  sharedRecords = newRecords(shared);
});

const newRecords = (service: SweptService): Records => recordsOf(service.party("main"), descriptions.management);
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test("the description tells of every resource", () => {
  expect(operations.length).toBeGreaterThan(100);
  expect(allScopes.length).toBeGreaterThan(50);
});

describe.each(operations)("$title", (operation) => {
  const { scopes, title } = operation;
  const { [title]: more = [] } = besides;

  test("answers a success to who has one of its scopes alone, and 403 to who has all but these", async () => {
    const others = await shared.tokenOf(
      "main",
      allScopes.filter((scope) => !scopes.includes(scope)),
    );
    const refused = await shared.send(operation, { ...(await sharedRecords.request(operation)), headers: bearer(others) });
    expectError(refused, 403, "insufficient_scope", `any of: ${scopes.join(",")}$`);
    // Whatever an operation does to the tenants harms no other test.
    const service = operation.method === "GET" ? shared : await openSweptService();
    for (const scope of scopes) {
      const request = await newRecords(service).request(operation);
      const answer = await service.send(operation, { ...request, headers: bearer(await service.tokenOf("main", [scope, ...more])) });
      // What a person may do to their own account needs a person.
      if (scope.includes("current_user")) expectError(answer, 403, "forbidden");
      else expect(answer.status, JSON.stringify([request, answer.body])).toBeLessThan(300);
    }
  });

  test("answers 401 to who has no token", async () => {
    const request = await sharedRecords.request(operation);
    for (const headers of [{}, { authorization: "Bearer" }, { authorization: "Basic bWFpbjptYWlu" }])
      expectError(await shared.send(operation, { ...request, headers }), 401, "invalid_token");
  });
});
