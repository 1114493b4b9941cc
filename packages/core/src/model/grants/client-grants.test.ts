import type * as z from "zod";
import { describe, expect, test } from "vitest";
import type { Row } from "../../store/schema.ts";
import { describeIssue, issueText } from "../issue-text.ts";
import {
  clientGrantSchema,
  createClientGrantSchema,
  fromCreateClientGrant,
  fromUpdateClientGrant,
  widensAccess,
  toClientGrant,
  updateClientGrantSchema,
} from "./client-grants.ts";

const least = { client_id: "app", audience: "https://api.example.com" };

function rowOf(body: z.infer<typeof createClientGrantSchema>): Row<"client_grants"> {
  return { id: "cgr_1", ...fromCreateClientGrant(body), revision: 1, created_at: 0, updated_at: 0, deleting_at: null };
}

function replyOf(row: Row<"client_grants">) {
  return clientGrantSchema.parse(toClientGrant(row));
}

test("a client grant with only the required fields has no scopes and is for the client itself", () => {
  expect(replyOf(rowOf(createClientGrantSchema.parse(least)))).toEqual({
    id: "cgr_1",
    ...least,
    scope: [],
    subject_type: "client",
    allow_any_organization: false,
  });
});

test("the response for a client grant contains every field of the request body", () => {
  const sent = {
    ...least,
    scope: ["read:things", "write:things"],
    subject_type: "user",
    organization_usage: "allow",
    allow_any_organization: true,
    authorization_details_types: ["payment"],
    allow_all_scopes: true,
  };
  expect(replyOf(rowOf(createClientGrantSchema.parse(sent)))).toEqual({ id: "cgr_1", ...sent });
});

test("a repeated scope in a client grant is stored once", () => {
  expect(fromCreateClientGrant({ ...least, scope: ["a", "b", "a"] }).scope).toEqual(["a", "b"]);
});

describe("an update of a client grant", () => {
  const row = rowOf({ ...least, scope: ["a"], organization_usage: "require", allow_any_organization: true, allow_all_scopes: true });

  test("leaves omitted fields unchanged", () => {
    expect(replyOf({ ...row, ...fromUpdateClientGrant(row, {}) })).toEqual(replyOf(row));
    expect(replyOf({ ...row, ...fromUpdateClientGrant(row, { scope: ["b"] }) })).toEqual({ ...replyOf(row), scope: ["b"] });
  });

  test("resets a field that is null", () => {
    const change = updateClientGrantSchema.parse({
      scope: null,
      organization_usage: null,
      allow_any_organization: null,
      allow_all_scopes: null,
    });
    expect(replyOf({ ...row, ...fromUpdateClientGrant(row, change) })).toEqual(replyOf(rowOf(least)));
  });
});

const [none, deny, allow, require] = [null, "deny", "allow", "require"];

test.each([
  [none, false, deny, true, false],
  [deny, true, none, false, false],
  [none, false, allow, false, true],
  [deny, false, require, false, true],
  [deny, true, allow, true, true],
  [allow, false, allow, true, true],
  [allow, true, allow, false, false],
  [allow, true, require, true, false],
  [allow, true, deny, true, false],
  [require, true, allow, true, true],
  [require, true, none, true, true],
  [require, true, require, false, false],
] as const)("changing %s (any: %s) to %s (any: %s) widens the client's access: %s", (before, anyBefore, after, anyAfter, further) => {
  const was = { organization_usage: before, allow_any_organization: anyBefore };
  expect(widensAccess(was, { organization_usage: after, allow_any_organization: anyAfter })).toBe(further);
});

test.each([
  [{ client_id: "app" }, "audience"],
  [{ audience: "a" }, "client_id"],
  [{ ...least, audience: "a".repeat(601) }, "audience"],
  [{ ...least, scope: [""] }, "scope"],
  [{ ...least, scope: ["a".repeat(281)] }, "scope"],
  [{ ...least, organization_usage: "sometimes" }, "organization_usage"],
  [{ ...least, subject_type: "robot" }, "subject_type"],
  [{ ...least, authorization_details_types: [""] }, "authorization_details_types"],
  [{ ...least, default_for: "third_party_clients" }, "default_for"],
])("the client grant %j is rejected, and the message names %s", (body, field) => {
  const [issue] = createClientGrantSchema.safeParse(body, { reportInput: true, error: issueText }).error?.issues ?? [];
  expect(issue && describeIssue(issue)).toMatch(new RegExp(`'${field}(\\[0\\])?'`));
});

test.each(["client_id", "audience", "subject_type", "id"])("an update cannot change the %s of a client grant", (field) => {
  expect(updateClientGrantSchema.safeParse({ [field]: "x" }).error?.issues[0]).toMatchObject({ code: "unrecognized_keys", keys: [field] });
});
