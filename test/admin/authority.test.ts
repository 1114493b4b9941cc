import { beforeAll, describe, expect, test } from "vitest";
import { consoleScopes } from "../../packages/admin/src/console-scopes.ts";
import { jsonBody, list, stringMember } from "../support/api.ts";
import { attemptedFields, changedBy } from "./change-attempts.ts";
import { openConsole, type TestConsole } from "./console.ts";
import { fillConsoleTenant } from "./filled-tenant.ts";

/** Every screen shows, and lets change, only records for which the operator has the scopes. */

const marker = "Confidential value";
const supportScopes = ["read:users", "update:users", "read:logs", "read:sessions", "delete:sessions", "create:user_tickets"];
const readScopes = consoleScopes.filter((scope) => scope.startsWith("read:"));

let opened: TestConsole;
let paths: readonly string[];
beforeAll(async () => {
  opened = await openConsole();
  paths = await fillConsoleTenant(opened, marker);
});

describe("an auditor with every read scope", () => {
  test("opens every screen, and changes nothing with any form", async () => {
    const browser = await opened.signIn(await opened.addOperator("auditor@example.test", readScopes));
    for (const path of paths) {
      const { status } = await browser.send(path);
      expect([path, status]).toEqual([path, 200]);
    }
    opened.calls.length = 0;
    // The preview and the test of a domain are requests with POST that store nothing.
    expect((await changedBy(opened, browser, paths)).filter((path) => !/\/(preview|test)$/.test(path))).toEqual([]);
  });
});

test("a member of the support staff changes users, and nothing else", async () => {
  const browser = await opened.signIn(await opened.addOperator("support@example.test", supportScopes));
  const allowed = await changedBy(opened, browser, paths);
  expect(allowed.length).toBeGreaterThan(0);
  expect(allowed.filter((path) => !path.startsWith("users/"))).toEqual([]);
});

test("a user without a role sees no record on any screen, and changes nothing", async () => {
  const stranger = await opened.service.addUser("stranger@example.test");
  const browser = await opened.signIn(stranger);
  for (const path of paths) {
    const response = await browser.send(path);
    const html = await response.text();
    expect([path, response.status, html.includes(marker)]).toEqual([
      path,
      expect.toSatisfy((one: number) => [200, 403].includes(one)),
      false,
    ]);
  }
  expect(await changedBy(opened, browser, paths)).toEqual([]);
});

test("a visitor with an expired session sees no screen, and changes nothing", async () => {
  const expired = await openConsole();
  const browser = await expired.signIn(expired.administrator);
  const [, token = ""] = /name="form_token" value="([^"]+)"/.exec(await browser.page("users")) ?? [];
  expired.service.clock.advance(60 * 86_400_000);
  expired.calls.length = 0;
  for (const path of paths) {
    const [page, form] = [
      await browser.send(path),
      await browser.send(path, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ form_token: token, ...attemptedFields }).toString(),
      }),
    ];
    const framed = path.endsWith("preview");
    expect([path, page.status, form.status]).toEqual([path, framed ? 401 : 303, 401]);
  }
  expect(expired.calls).toEqual([]);
});

test("an administrator of another tenant opens no screen of this one", async () => {
  const plane = await openConsole({ isControlPlane: true }, { defaultPermissions: ["read:users"] });
  const { manage } = plane.service;
  for (const id of ["acme", "globex"]) jsonBody(await manage("POST", "/tenants", { id, name: id }), 201);
  const acme = stringMember(jsonBody(await manage("GET", "/api/v2/organizations/name/acme")), "id");
  const operator = await plane.addOperator("acme-admin@example.test", ["read:users"]);
  const user = encodeURIComponent(operator.userId);
  const roles = list(await manage("GET", `/api/v2/users/${user}/roles`)).map((role) => stringMember(role, "id"));
  await manage("POST", `/api/v2/organizations/${acme}/members`, { members: [operator.userId] });
  await manage("POST", `/api/v2/organizations/${acme}/members/${user}/roles`, { roles });
  const browser = await plane.signIn(operator);
  await browser.page("t/acme/users");
  plane.calls.length = 0;
  for (const path of paths) {
    await browser.page(`t/globex/${path}`, 403);
    expect([path, (await browser.submit(`t/globex/${path}`, attemptedFields)).status]).toEqual([path, 403]);
  }
  expect(plane.calls).toEqual([]);
});
