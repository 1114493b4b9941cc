import { beforeAll, expect, test } from "vitest";
import { consoleScopes } from "../../packages/admin/src/console-scopes.ts";
import { jsonBody, stringMember } from "../support/api.ts";
import type { TestAccount } from "../support/flow.ts";
import { openConsole, type ConsoleBrowser, type TestConsole } from "./console.ts";

/**
 * An operator whose permissions come from the organizations of two tenants. The operator's role on the control plane only
 * lists tenants.
 */

let plane: TestConsole;
let operator: TestAccount;
let browser: ConsoleBrowser;

beforeAll(async () => {
  plane = await openConsole({ isControlPlane: true }, { defaultPermissions: consoleScopes });
  const { manage, postern } = plane.service;
  operator = await plane.addOperator("operator@partner.example.test", ["read:tenants"]);
  for (const id of ["initech", "globex", "umbrella"]) {
    jsonBody(await manage("POST", "/tenants", { id, name: id }), 201);
    const connection = "Username-Password-Authentication";
    await postern.tenant(id).users.create({ connection, email: `user@${id}.example.test`, password: "correct horse battery" });
    if (id === "umbrella") continue;
    const organization = stringMember(jsonBody(await manage("GET", `/api/v2/organizations/name/${id}`)), "id");
    await manage("POST", `/api/v2/organizations/${organization}/members`, { members: [operator.userId] });
  }
  browser = await plane.signIn(operator);
});

test("an operator of two tenants works in each, and returns to the list of tenants", async () => {
  for (const [round, id] of ["initech", "globex", "initech"].entries()) {
    const [path, status, html] = await browser.open(`t/${id}/users`);
    expect([path, status]).toEqual([`/admin/t/${id}/users`, 200]);
    expect(["initech", "globex", "umbrella"].filter((other) => html.includes(`user@${other}.example.test`))).toEqual([id]);
    const created = await browser.submit(`t/${id}/roles/new`, { name: `Clerk ${round}`, description: "" });
    expect([id, created.status, created.headers.get("location")]).toEqual([id, 303, expect.stringContaining(`/admin/t/${id}/roles/rol_`)]);
    const [, , tenants] = await browser.open("tenants");
    expect(["initech", "globex", "umbrella"].filter((other) => tenants.includes(`/admin/t/${other}/"`))).toEqual(["initech", "globex"]);
  }
});

test("the start page is the list of tenants", async () => {
  for (const path of ["", "t/main/"]) expect((await browser.open(path)).slice(0, 2)).toEqual(["/admin/tenants", 200]);
});

test("the control plane and a tenant without membership stay closed", async () => {
  await browser.open("t/initech/users");
  expect((await browser.open("t/umbrella/users")).slice(0, 2)).toEqual(["/admin/t/umbrella/users", 403]);
  const [path, status, html] = await browser.open("t/main/users");
  expect([path, status, html.includes("operator@partner.example.test</a>")]).toEqual(["/admin/t/main/users", 403, false]);
});

test("an operator who lost the membership has no access, without a loop of sign-ins", async () => {
  await browser.open("t/globex/users");
  const { manage } = plane.service;
  const organization = stringMember(jsonBody(await manage("GET", "/api/v2/organizations/name/globex")), "id");
  await manage("DELETE", `/api/v2/organizations/${organization}/members`, { members: [operator.userId] });
  const [, status, html] = await browser.open("t/globex/users");
  expect([status, html.includes("user@globex.example.test")]).toEqual([403, false]);
  expect((await browser.open("t/initech/users")).slice(0, 2)).toEqual(["/admin/t/initech/users", 200]);
});

test("a member without permissions sees which one is missing, after one sign-in", async () => {
  const bare = await openConsole({ isControlPlane: true });
  const { manage, addUser } = bare.service;
  operator = await addUser("new@partner.example.test");
  jsonBody(await manage("POST", "/tenants", { id: "initech", name: "initech" }), 201);
  const organization = stringMember(jsonBody(await manage("GET", "/api/v2/organizations/name/initech")), "id");
  await manage("POST", `/api/v2/organizations/${organization}/members`, { members: [operator.userId] });
  browser = await bare.signIn(operator);
  const [, status, html] = await browser.open("t/initech/users");
  expect([status, html.includes("read:users")]).toEqual([403, true]);
});
