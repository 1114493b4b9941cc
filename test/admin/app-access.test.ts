import { beforeAll, expect, test } from "vitest";
import { list, stringMember } from "../support/api.ts";
import { managementAudience } from "../support/postern.ts";
import { openConsole, type ConsoleBrowser, type TestConsole } from "./console.ts";

/** The tabs of an app with its connections and its APIs. */

let opened: TestConsole;
let browser: ConsoleBrowser;
let app: string;
const audience = "https://orders.example.test";
beforeAll(async () => {
  opened = await openConsole();
  browser = await opened.signIn(opened.administrator);
  const { manage } = opened.service;
  app = stringMember(await manage.create("/api/v2/clients", { name: "Robot", app_type: "non_interactive" }), "client_id");
  const scopes = [{ value: "read:orders" }, { value: "write:orders" }];
  await manage.create("/api/v2/resource-servers", { name: "Orders", identifier: audience, scopes });
});

const grants = async (of = app) => list(await opened.service.manage("GET", `/api/v2/client-grants?client_id=${of}`));
const send = (path: string, before: readonly string[], choices: readonly string[], by = browser) =>
  by.submit(
    path,
    { before: JSON.stringify(before) },
    {},
    choices.map((one) => ["choice", one] as const),
  );

test("an app is allowed an API, its permissions change, and the access is removed", async () => {
  expect(await browser.page(`apps/${app}/apis`)).toContain("The app has no access to an API");
  const add = `apps/${app}/apis/add?${new URLSearchParams({ api: audience })}`;
  expect(await browser.page(add)).toContain("write:orders");
  const added = await send(add, [], ["read:orders"]);
  expect([added.status, added.headers.get("location")]).toEqual([303, `/admin/apps/${app}/apis?done=api-allowed`]);
  const [grant] = await grants();
  expect(grant).toMatchObject({ audience, scope: ["read:orders"] });
  const path = `apps/${app}/apis/${String(grant?.["id"])}`;
  await send(path, ["read:orders"], ["write:orders"]);
  expect(await grants()).toMatchObject([{ scope: ["write:orders"] }]);
  await browser.submit(`${path}/remove`, {});
  expect(await grants()).toEqual([]);
  await browser.page(path, 404);
});

test("a grant of another app is not shown, changed or removed at this app", async () => {
  const { manage, web } = opened.service;
  const other = stringMember(
    await manage.create("/api/v2/client-grants", { client_id: web.clientId, audience, scope: ["read:orders"] }),
    "id",
  );
  const path = `apps/${app}/apis/${other}`;
  for (const page of [path, `${path}/remove`]) {
    const response = await send(page, ["read:orders"], []);
    expect([page, response.status]).toEqual([page, 404]);
  }
  await browser.page(path, 404);
  expect(await grants(web.clientId)).toMatchObject([{ scope: ["read:orders"] }]);
});

test("an operator cannot allow a permission of the Management API that the operator lacks", async () => {
  const scopes = ["read:clients", "read:client_grants", "create:client_grants", "read:resource_servers"];
  const operator = await opened.signIn(await opened.addOperator("apps@example.test", scopes));
  const add = `apps/${app}/apis/add?${new URLSearchParams({ api: managementAudience })}`;
  const refused = await send(add, [], ["delete:users"], operator);
  expect([refused.status, await grants()]).toEqual([403, []]);
  expect((await send(add, [], ["read:clients"], operator)).status).toBe(303);
});

test("the connections of an app lead to the page that chooses apps", async () => {
  expect(await browser.page(`apps/${app}/connections`)).toMatch(/\/admin\/connections\/con_\w+\/apps/);
});

test("an operator without the scopes sees which ones are missing", async () => {
  const reader = await opened.signIn(await opened.addOperator("clients@example.test", ["read:clients"]));
  const html = await reader.page(`apps/${app}/apis`);
  expect([html.includes("read:client_grants"), html.includes("apis/add")]).toEqual([true, false]);
});
