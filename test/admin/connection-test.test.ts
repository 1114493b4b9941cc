import { beforeEach, expect, test } from "vitest";
import { stringMember } from "../support/api.ts";
import { openService, readResult, signInAtLoginPage, type LoginService } from "../support/flow.ts";
import { clientSecret, issuer } from "../support/postern.ts";
import { openConsole, testConsoleUrl, type ConsoleBrowser, type TestConsole } from "./console.ts";

const upstreamIssuer = "https://upstream.example.test/";

let opened: TestConsole;
let provider: LoginService;
let connection: string;
let browser: ConsoleBrowser;

beforeEach(async () => {
  opened = await openConsole({}, { network: { fetch: (request) => provider.postern.fetch(request, { clientAddress: "192.0.2.99" }) } });
  provider = await openService({ issuer: upstreamIssuer, testing: { clock: opened.service.clock } });
  const { clientId } = await provider.register({ secret: true, callbacks: [`${issuer}login/callback`] });
  const options = { issuer: upstreamIssuer, client_id: clientId, client_secret: clientSecret };
  const body = { name: "corporate", display_name: "Staff", strategy: "oidc", options };
  connection = stringMember(await opened.service.manage.create("/api/v2/connections", body), "id");
  browser = await opened.signIn(opened.administrator);
});

const location = (response: Response): string => response.headers.get("location") ?? "";
const start = async (by = browser): Promise<Response> => by.send(`connections/${connection}/try/start`);

/** Signs in at the provider. @returns the URL of the console to which the browser returns. */
async function signInAtProvider(started: Response, by = browser): Promise<string> {
  const atProvider = location(await by.idp.get(location(started)));
  const there = provider.browser();
  const page = await readResult(await there.get(atProvider));
  if (page.kind !== "login") throw new Error("the provider must show its login page");
  const result = await signInAtLoginPage(there, page, provider.ada);
  if (result.kind !== "response") throw new Error("the provider must send the browser back");
  return location(await by.idp.get(`${result.to}?${new URLSearchParams(result.parameters)}`));
}

test("an operator tries a connection, and sees the checks and the user without any token", async () => {
  expect(await browser.page(`connections/${connection}/try`)).toContain(`href="/admin/connections/${connection}/try/start"`);
  const back = await signInAtProvider(await start());
  expect(back).toContain(`${testConsoleUrl}connections/${connection}/try/result?response=main.`);
  const html = await browser.page(back);
  expect(html).toContain("Users can sign in with this connection. Read the warnings.");
  for (const text of ["ada@example.test", "Nonce", "Passed", "corporate|", "Not stored."]) expect(html).toContain(text);
  expect(html).not.toMatch(/eyJ|Not run|Failed/);
  // A reload, the Back button and an old tab show the reason, and send nothing to the provider.
  expect(await browser.page(back, 409)).toContain("was already requested");
  const { body } = await opened.service.manage("GET", "/api/v2/users?q=identities.connection:corporate");
  expect(body).toEqual([]);
});

test("the result belongs to the browser, the user and the tenant that started the test", async () => {
  const back = await signInAtProvider(await start());
  const second = await opened.signIn(opened.administrator);
  expect(await second.page(back, 403)).toContain("another browser");
  const other = await opened.signIn(await opened.addOperator("other@example.test", ["update:connections", "read:connections"]));
  expect(await other.page(back, 403)).toContain("another user");
  expect(await browser.page(back.replace("response=main.", "response=other."), 400)).toContain("Start the test again");
  expect(await browser.page(back.replace(/.$/, ""), 400)).toContain("Start the test again");
  expect(await browser.page(back.replace(/\?.*/, ""), 404)).toContain("Page not found");
  // None of them used the result.
  expect(await browser.page(back)).toContain("ada@example.test");
});

test("a cancelled sign-in is no failure of the connection", async () => {
  const started = await start();
  const state = new URL(location(await browser.idp.get(location(started)))).searchParams.get("state") ?? "";
  const denied = new URLSearchParams({ error: "access_denied", state, iss: upstreamIssuer });
  const html = await browser.page(location(await browser.idp.get(`${issuer}login/callback?${denied}`)));
  expect(html).toContain("was cancelled or denied");
  expect(html).not.toContain("Users cannot sign in");
});

test("a result is not lost to a HEAD request, or if the connection cannot be read", async () => {
  const back = await signInAtProvider(await start());
  expect((await browser.send(back, { method: "HEAD" })).status).toBe(405);
  const before = opened.calls.length;
  await browser.page(back.replace(connection, "con_none"), 404);
  expect(opened.calls.slice(before).map(({ path }) => path)).not.toContain("/api/v2/connections/con_none/test/result");
  expect(await browser.page(back)).toContain("ada@example.test");
});

test("a wrong secret is shown in the words of the provider", async () => {
  const options = { issuer: upstreamIssuer, client_id: "unknown", client_secret: "not-the-secret" };
  const known = await opened.service.manage("GET", `/api/v2/connections/${connection}`);
  expect(known.status).toBe(200);
  const { clientId } = await provider.register({ secret: true, callbacks: [`${issuer}login/callback`] });
  await opened.service.manage("PATCH", `/api/v2/connections/${connection}`, { options: { ...options, client_id: clientId } });
  const html = await browser.page(await signInAtProvider(await start()));
  for (const text of ["Users cannot sign in with this connection.", "invalid_client", "401", "Not run"]) expect(html).toContain(text);
  expect(html).not.toContain("not-the-secret");
});

test("a test needs a sign-in of the last ten minutes, the scope and a provider", async () => {
  const reader = await opened.signIn(await opened.addOperator("reader@example.test", ["read:connections"]));
  expect(await reader.page(`connections/${connection}/try/start`, 403)).toContain("update:connections");
  expect(await reader.page(`connections/${connection}/try/result?response=main.x`, 403)).toContain("update:connections");
  const [database] = (await opened.service.postern.tenant("main").connections.list({ strategy: ["auth0"] })).map(({ id }) => id);
  expect(await browser.page(`connections/${database}/try`)).toContain("there is nothing to test");
  expect((await browser.send(`connections/${database}/try/start`)).status).toBe(400);
  opened.service.clock.advance(11 * 60_000);
  expect(location(await start())).toContain("max_age=600");
});

test("what a provider sends is shown as text", async () => {
  const hostile = "<script>alert(1)</script>";
  await provider.manage("PATCH", `/api/v2/users/${encodeURIComponent(provider.ada.userId)}`, { name: hostile, given_name: hostile });
  const html = await browser.page(await signInAtProvider(await start()));
  expect(html).toContain("&lt;script>alert(1)");
  expect(html).not.toContain("<script>alert");
});
