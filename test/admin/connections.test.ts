import { beforeEach, describe, expect, test } from "vitest";
import { connectionSearch } from "../../packages/admin/src/screens/name-search.ts";
import { jsonBody, list, stringMember } from "../support/api.ts";
import { openConsole, type ConsoleBrowser, type TestConsole } from "./console.ts";

let opened: TestConsole;
let browser: ConsoleBrowser;
let corporate: string;
beforeEach(async () => {
  opened = await openConsole();
  const options = { client_id: "at-the-provider", client_secret: "the-secret", issuer: "https://idp.example.test" };
  const body = { name: "corporate", display_name: "Staff of Acme", strategy: "oidc", options };
  corporate = stringMember(await opened.service.manage.create("/api/v2/connections", body), "id");
  browser = await opened.signIn(opened.administrator);
});

const location = (response: Response): string | null => response.headers.get("location");
const next = (html: string): string => (/href="([^"]+)" rel="next"/.exec(html)?.[1] ?? "").replaceAll("&amp;", "&");
const readClients = async () =>
  list(await opened.service.manage("GET", `/api/v2/connections/${corporate}/clients`), "clients").map((one) => one["client_id"]);

describe("the list of connections", () => {
  test.each(["corp", "Staff of", "staff"])("finds a connection by %s", async (typed) => {
    for (const path of ["connections", "search"]) {
      const html = await browser.page(`${path}?${new URLSearchParams({ q: typed })}`);
      expect([path, html.includes("Staff of Acme"), html.includes("Username-Password-Authentication")]).toEqual([path, true, false]);
    }
  });

  test("finds a connection by its id, and the search opens the record", async () => {
    expect(await browser.page(`connections?q=${corporate}`)).toContain("Staff of Acme");
    expect(location(await browser.send(`search?q=${corporate}`))).toBe(`/admin/connections/${corporate}`);
  });

  test("is filtered by strategy, and ignores an unknown one", async () => {
    expect(await browser.page("connections?strategy=auth0")).not.toContain("Staff of Acme");
    expect(await browser.page("connections?strategy=oidc")).toContain("Staff of Acme");
    expect(await browser.page("connections?strategy=apple")).toContain("No connection matches");
    expect(await browser.page("connections?strategy=constructor")).toContain("Staff of Acme");
  });

  test.each(["*", "a OR b", "name:corporate", "\\", '"', "(", "con_x"])("accepts %s as text", async (typed) => {
    expect(await browser.page(`connections?${new URLSearchParams({ q: typed })}`)).toContain("No connection matches");
  });

  test("never begins a term with a wildcard", () => {
    for (const typed of ["*a", "?", "a b", "é"]) expect(connectionSearch(typed)).not.toMatch(/:[*?]/);
    expect(connectionSearch("  ")).toBeUndefined();
  });
});

describe("a connection", () => {
  test("has a callback URL if users sign in at an identity provider", async () => {
    expect(await browser.page(`connections/${corporate}`)).toContain(`${opened.service.postern.issuer}login/callback`);
    const [database = ""] = list(await opened.service.manage("GET", "/api/v2/connections?strategy=auth0")).map((one) =>
      stringMember(one, "id"),
    );
    expect(await browser.page(`connections/${database}`)).not.toContain("login/callback");
  });

  test("with a strategy that the service does not support says so", async () => {
    const created = await opened.service.manage.create("/api/v2/connections", { name: "legacy", strategy: "adfs" });
    const html = await browser.page(`connections/${stringMember(created, "id")}`);
    expect([html.includes("Users cannot sign in with it."), html.includes("login/callback")]).toEqual([true, false]);
  });

  test("never shows its secrets", async () => {
    for (const tab of ["", "/apps", "/apps/edit", "/raw"])
      expect(await browser.page(`connections/${corporate}${tab}`)).not.toContain("the-secret");
  });

  test("is enabled and disabled for apps, without a change for other apps", async () => {
    const { web, spa, manage } = opened.service;
    const edit = `connections/${corporate}/apps/edit`;
    await browser.submit(edit, { before: "[]", choice: web.clientId });
    expect(await readClients()).toEqual([web.clientId]);
    // Another operator enables it for a second app before the form is sent.
    await manage("PATCH", `/api/v2/connections/${corporate}/clients`, [{ client_id: spa.clientId, status: true }]);
    const response = await browser.submit(edit, { before: JSON.stringify([web.clientId]) });
    expect(location(response)).toBe(`/admin/connections/${corporate}/apps?done=saved`);
    expect(await readClients()).toEqual([spa.clientId]);
    expect(location(await browser.submit(edit, { before: "[]" }))).toContain("done=unchanged");
    expect((await browser.submit(edit, { before: "[]", choice: "unknown" })).status).toBe(400);
  });

  test("lists every app once over the pages, also in the form", async () => {
    for (let i = 0; i < 60; i++) await opened.service.manage.create("/api/v2/clients", { name: `app ${i}`, app_type: "spa" });
    const { total } = jsonBody(await opened.service.manage("GET", "/api/v2/clients?is_global=false&include_totals=true&per_page=1"));
    const seen: string[] = [];
    const offered: string[] = [];
    for (let path = `connections/${corporate}/apps`; path !== "";) {
      const html = await browser.page(path);
      seen.push(...[...html.matchAll(/href="\/admin\/apps\/([\w-]+)"/g)].map(([, id = ""]) => id));
      const edit = (/href="([^"]+\/apps\/edit[^"]*)"/.exec(html)?.[1] ?? "").replaceAll("&amp;", "&");
      offered.push(...[...(await browser.page(edit)).matchAll(/name="choice" value="([^"]+)"/g)].map(([, id = ""]) => id));
      path = next(html);
    }
    expect([seen.length, new Set(seen).size]).toEqual([total, total]);
    expect(offered).toEqual(seen);
  });

  test("cannot be enabled by an operator who may only read it", async () => {
    const auditor = await opened.signIn(await opened.addOperator("auditor@example.test", ["read:connections", "read:clients"]));
    expect(await auditor.page(`connections/${corporate}/apps`)).not.toContain("Change apps");
    const fields = { before: "[]", choice: opened.service.web.clientId };
    expect((await auditor.submit(`connections/${corporate}/apps/edit`, fields)).status).toBe(403);
    expect(await readClients()).toEqual([]);
  });
});
