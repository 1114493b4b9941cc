import { beforeEach, describe, expect, test } from "vitest";
import { jsonBody, list, stringMember } from "../support/api.ts";
import { testConsoleUrl, openConsole, type ConsoleBrowser, type TestConsole } from "./console.ts";

let opened: TestConsole;
let browser: ConsoleBrowser;
let bobPath: string;
beforeEach(async () => {
  opened = await openConsole();
  browser = await opened.signIn(opened.administrator);
  bobPath = `users/${encodeURIComponent(opened.service.bob.userId)}`;
});

const readBob = async (): Promise<unknown> =>
  (await opened.service.manage("GET", `/api/v2/users/${encodeURIComponent(opened.service.bob.userId)}`)).body;
const changes = (): number => opened.calls.filter(({ method }) => method !== "GET").length;
const location = (response: Response): string | null => response.headers.get("location");

describe("actions on a user", () => {
  test("block and unblock", async () => {
    const blocked = await browser.submit(bobPath, { action: "block" });
    expect([blocked.status, location(blocked)]).toEqual([303, `/admin/${bobPath}?done=blocked`]);
    expect(await readBob()).toMatchObject({ blocked: true });
    expect(await browser.page(`${bobPath}?done=blocked`)).toContain("The user is blocked");
    const events = await opened.service.postern.tenant("main").logs.list({ q: "type:sapi AND client_id:console" });
    expect(events).toMatchObject([{ client_name: "Console", user_id: opened.administrator.userId }]);
    await browser.submit(bobPath, { action: "unblock" });
    expect(await readBob()).not.toHaveProperty("blocked", true);
  });

  test("verify the address, and create a reset link that is shown once", async () => {
    await opened.service.manage("PATCH", `/api/v2/${bobPath}`, { email_verified: false });
    expect(await browser.page(bobPath)).toContain("Mark email as verified");
    await browser.submit(bobPath, { action: "verify" });
    expect(await readBob()).toMatchObject({ email_verified: true });
    const html = await (await browser.submit(bobPath, { action: "reset" })).text();
    expect(html).toMatch(/<code id="shown-once">https:\/\/id\.example\.test\//);
  });

  test("edit only the fields that the operator changed", async () => {
    await opened.service.manage("PATCH", `/api/v2/${bobPath}`, { user_metadata: { theme: "dark", old: 1 } });
    const before = { before_name: "bob", before_user_metadata: '{"theme":"dark","old":1}', before_app_metadata: "{}", app_metadata: "{}" };
    // Another operator changes the nickname meanwhile, which the form still shows as it was.
    await opened.service.manage("PATCH", `/api/v2/${bobPath}`, { nickname: "bobby" });
    const fields = { ...before, name: "Robert", user_metadata: '{"theme":"light","new":[1]}' };
    const response = await browser.submit(`${bobPath}/edit`, { before_email: "bob@example.test", email: "bob@example.test", ...fields });
    expect(location(response)).toBe(`/admin/${bobPath}?done=saved`);
    expect(await readBob()).toMatchObject({ name: "Robert", nickname: "bobby", user_metadata: { theme: "light", new: [1] } });
    expect(await readBob()).not.toHaveProperty("user_metadata.old");
  });

  test("show the form again with what was typed if a field is invalid", async () => {
    const response = await browser.submit(`${bobPath}/edit`, { name: "Typed", user_metadata: "[]", app_metadata: "{}" });
    const html = await response.text();
    expect([response.status, html.includes("User metadata is not a JSON object."), html.includes('value="Typed"')]).toEqual([
      400,
      true,
      true,
    ]);
    const taken = {
      before_email: "bob@example.test",
      email: "ada@example.test",
      user_metadata: "{}",
      app_metadata: "{}",
      before_user_metadata: "{}",
    };
    const refused = await browser.submit(`${bobPath}/edit`, taken);
    expect([refused.status, (await refused.text()).includes("Nothing was saved.")]).toEqual([400, true]);
  });

  test("assign and remove roles", async () => {
    const { manage } = opened.service;
    const role = stringMember(await manage.create("/api/v2/roles", { name: "Reader" }), "id");
    expect(await browser.page(`${bobPath}/roles/edit`)).toContain("Reader");
    await browser.submit(`${bobPath}/roles/edit`, { before: "[]", choice: role });
    expect(list(await manage("GET", `/api/v2/${bobPath}/roles`))).toMatchObject([{ name: "Reader" }]);
    await browser.submit(`${bobPath}/roles/edit`, { before: JSON.stringify([role]) });
    expect(list(await manage("GET", `/api/v2/${bobPath}/roles`))).toEqual([]);
  });

  test("show that a user has more sessions and refresh tokens than the lists", async () => {
    for (let i = 0; i < 50; i++) await opened.signInToApp(opened.service.bob);
    expect(await browser.page(`${bobPath}/sessions`)).not.toContain("the user has more");
    await opened.signInToApp(opened.service.bob);
    const html = await browser.page(`${bobPath}/sessions`);
    expect(html).toContain("This list shows 50 sessions, and the user has more.");
    expect(html).toContain("This list shows 50 refresh tokens, and the user has more.");
  });

  test("end one session, and all", async () => {
    for (let i = 0; i < 3; i++) await opened.signInToApp(opened.service.bob);
    const sessions = async (): Promise<readonly string[]> =>
      [...(await browser.page(`${bobPath}/sessions`)).matchAll(/name="session" value="([^"]+)"/g)].map(([, id = ""]) => id);
    const [first = ""] = await sessions();
    await browser.submit(`${bobPath}/sessions`, { action: "end", session: first });
    expect(await sessions()).toHaveLength(2);
    expect(await sessions()).not.toContain(first);
    const tokens = async (): Promise<readonly string[]> =>
      [...(await browser.page(`${bobPath}/sessions`)).matchAll(/name="token" value="([^"]+)"/g)].map(([, id = ""]) => id);
    const [token = ""] = await tokens();
    expect(await tokens()).toHaveLength(2);
    const revoked = await browser.submit(`${bobPath}/sessions`, { action: "revoke", token });
    expect(revoked.headers.get("location")).toContain("done=token-revoked");
    expect(await tokens()).toHaveLength(1);
    expect(await tokens()).not.toContain(token);
    expect(await sessions()).toHaveLength(2);
    await browser.submit(`${bobPath}/sessions`, { action: "revoke-all" });
    expect(await tokens()).toEqual([]);
    expect((await browser.submit(`${bobPath}/sessions`, { action: "unknown" })).status).toBe(404);
    await browser.submit(`${bobPath}/sessions`, { action: "end-all" });
    expect(await browser.page(`${bobPath}/sessions`)).toContain("This user has no session.");
  });

  test("delete, after a confirmation", async () => {
    expect(await browser.page(`${bobPath}/delete`)).toContain("This cannot be undone.");
    const response = await browser.submit(`${bobPath}/delete`, {});
    expect(location(response)).toBe("/admin/users?done=user-deleted");
    expect(await browser.page(bobPath, 404)).toContain("Page not found");
  });

  test("create a user with a link or a password", async () => {
    const fields = { connection: "Username-Password-Authentication", email: "new@example.test", name: "New" };
    const linked = await browser.submit("users/new", { ...fields, credential: "link" });
    expect(await linked.text()).toContain('<code id="shown-once">https://');
    const weak = await browser.submit("users/new", { ...fields, email: "weak@example.test", credential: "password", password: "a" });
    expect([weak.status, (await weak.text()).includes("weak@example.test")]).toEqual([400, true]);
    const created = await browser.submit("users/new", {
      ...fields,
      email: "two@example.test",
      credential: "password",
      password: "a longer password 9",
    });
    expect(location(created)).toMatch(/^\/admin\/users\/Username-Password-Authentication%7C\w+\?done=saved$/);
  });
});

describe("apps", () => {
  const readApp = async (id: string) => jsonBody(await opened.service.manage("GET", `/api/v2/clients/${id}`));

  test("are created, changed and deleted, and a secret is shown once", async () => {
    const created = await browser.submit("apps/new", {
      name: "Shop",
      app_type: "regular_web",
      callbacks: "https://shop.example.test/cb\n",
    });
    const html = await created.text();
    const [, secret = ""] = /<code id="shown-once">([^<]+)</.exec(html) ?? [];
    const [, id = ""] = /href="\/admin\/apps\/(\w+)"/.exec(html) ?? [];
    expect(secret).toMatch(/^[\w-]{40,}$/);
    for (const tab of ["", "/secret", "/raw", "/quickstart"]) expect(await browser.page(`apps/${id}${tab}`)).not.toContain(secret);
    expect(await readApp(id)).toMatchObject({ name: "Shop", callbacks: ["https://shop.example.test/cb"] });

    const before = { before_name: "Shop", before_callbacks: "https://shop.example.test/cb", before_grant_types: "x", grant_types: "x" };
    await browser.submit(`apps/${id}`, {
      ...before,
      name: "Shop 2",
      callbacks: "https://shop.example.test/cb\r\nhttps://shop.example.test/2",
    });
    expect(await readApp(id)).toMatchObject({ name: "Shop 2", callbacks: ["https://shop.example.test/cb", "https://shop.example.test/2"] });
    const invalid = await browser.submit(`apps/${id}`, { before_callbacks: "", callbacks: "no url", name: "x", before_name: "x" });
    expect([invalid.status, (await invalid.text()).includes("no url")]).toEqual([400, true]);

    const rotated = await (await browser.submit(`apps/${id}/rotate`, {})).text();
    expect(rotated).toMatch(/<code id="shown-once">[\w-]{40,}</);
    expect(rotated).not.toContain(secret);
    await browser.submit(`apps/${id}/delete`, {});
    await browser.page(`apps/${id}`, 404);
  });
});

describe("a form is rejected without any change", () => {
  test.each([
    ["from another site", { "sec-fetch-site": "cross-site" }],
    ["from another host of the site", { "sec-fetch-site": "same-site" }],
  ])("%s", async (_, headers) => {
    const response = await browser.submit(bobPath, { action: "block" }, headers);
    expect([response.status, changes()]).toEqual([403, 0]);
  });

  test("with the Origin of another site in an old browser", async () => {
    const html = await browser.page(bobPath);
    const [, token = ""] = /name="form_token" value="([^"]+)"/.exec(html) ?? [];
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const send = (origin: string): Promise<Response> =>
      opened.admin.fetch(
        new Request(new URL(bobPath, testConsoleUrl), {
          method: "POST",
          headers: { cookie, origin, "content-type": "application/x-www-form-urlencoded" },
          body: new URLSearchParams({ form_token: token, action: "block" }).toString(),
        }),
      );
    expect([(await send("https://evil.example.test")).status, (await send("null")).status, changes()]).toEqual([403, 403, 0]);
    expect((await send("https://console.example.test")).status).toBe(303);
  });

  test.each([
    ["without a token", ""],
    ["with an invalid token", "AAAA"],
    ["with text that is no token", "%%%"],
  ])("%s", async (_, token) => {
    const response = await browser.submit(bobPath, { form_token: token, action: "block" });
    expect([response.status, changes()]).toEqual([403, 0]);
  });

  test("with the token of another session", async () => {
    const other = await opened.signIn(await opened.addOperator("other@example.test", ["read:users"]));
    const [, token = ""] = /name="form_token" value="([^"]+)"/.exec(await other.page("users")) ?? [];
    const response = await browser.submit(bobPath, { form_token: token, action: "block" });
    expect([response.status, changes()]).toEqual([403, 0]);
  });

  test("as JSON, as a file upload, or if it is too large", async () => {
    const [, token = ""] = /name="form_token" value="([^"]+)"/.exec(await browser.page(bobPath)) ?? [];
    const send = (body: BodyInit, type?: string): Promise<Response> =>
      browser.send(bobPath, { method: "POST", body, headers: type === undefined ? {} : { "content-type": type } });
    const upload = new FormData();
    upload.set("form_token", token);
    upload.set("action", "block");
    const large = `form_token=${token}&action=block&x=${"x".repeat(1_000_001)}`;
    const statuses = [
      (await send(JSON.stringify({ form_token: token, action: "block" }), "application/json")).status,
      (await send(upload)).status,
      (await send(large, "application/x-www-form-urlencoded")).status,
    ];
    expect([...statuses, changes()]).toEqual([403, 403, 403, 0]);
  });

  test("for an unknown action, and on a page without a form", async () => {
    expect((await browser.submit(bobPath, { action: "promote" })).status).toBe(404);
    expect((await browser.submit("shortcuts", { action: "x" })).status).toBe(405);
    expect(changes()).toBe(0);
  });

  test("for ids that would lead to another endpoint", async () => {
    await browser.submit(`${bobPath}/sessions`, { action: "end", session: ".." });
    await browser.submit(`${bobPath}/consents`, { consent: "../users" });
    const paths = opened.calls.filter(({ method }) => method !== "GET").map(({ path }) => path);
    expect(paths).toEqual(["/api/v2/sessions/%00/revoke", "/api/v2/grants/..%2Fusers"]);
  });

  test("if the operator lacks the scope, although the page shows no button", async () => {
    const support = await opened.signIn(await opened.addOperator("support@example.test", ["read:users"]));
    expect(await support.page(bobPath)).not.toContain("Block user");
    const response = await support.submit(bobPath, { action: "block" });
    expect([response.status, (await response.text()).includes("update:users")]).toEqual([403, true]);
    expect(await readBob()).not.toMatchObject({ blocked: true });
  });
});
