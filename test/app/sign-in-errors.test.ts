import { createSessions, type SignInError } from "@postern/app";
import { toNextSessions } from "@postern/next";
import type { LogEntry } from "@postern/core";
import { expect, test } from "vitest";
import { clientSecret } from "../support/postern.ts";
import { appUrl, openApp, secret, type AppBrowser, type AppWithSessions } from "./app-browser.ts";

const otherSecret = "another-app-secret-0123456789-abcdefgh";

/** The same app in a process with another secret. */
const withOtherSecret = (
  { service, client: { clientId } }: AppWithSessions,
  more: { readonly appUrl?: string; readonly secret?: readonly string[] } = {},
) =>
  createSessions({
    postern: service.postern,
    tenantId: "main",
    clientId,
    clientSecret,
    appUrl,
    secret: otherSecret,
    now: () => service.clock.now(),
    ...more,
  });

const headersOf = ({ cookies }: AppBrowser): Headers =>
  new Headers({ cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "), "sec-fetch-mode": "navigate" });

/** Opens an app whose log is readable. */
async function openLoggedApp() {
  const entries: LogEntry[] = [];
  const app = await openApp({}, undefined, { logger: { log: (entry) => void entries.push(entry) } });
  return { ...app, errors: () => entries.filter(({ event }) => event === "sign_in_failed") };
}

test("a failed sign-in is logged with its code, its reason and the client, and its page shows the code", async () => {
  const app = await openLoggedApp();
  const browser = app.openBrowser();
  const response = await browser.send("/callback?code=c&state=unknown");
  expect(await response.text()).toContain("Error code: expired");
  expect(app.errors()).toEqual([
    {
      level: "warn",
      event: "sign_in_failed",
      tenant_id: "main",
      client_id: app.client.clientId,
      code: "expired",
      detail: "this sign-in was started in another browser, or it has expired",
    },
  ]);
});

test("the page of an error has styles for both color schemes, no scripts, and texts that it escapes", async () => {
  const { openBrowser } = await openApp();
  const browser = openBrowser();
  const state = new URL((await browser.send("/login")).headers.get("location") ?? "").searchParams.get("state") ?? "";
  const response = await browser.send(`/callback?${new URLSearchParams({ error: '<b>"&', state, iss: "https://id.example.test/" })}`);
  const html = await response.text();
  expect(html).toContain("prefers-color-scheme: dark");
  expect(html).toContain("Error code: &lt;b>&quot;&amp;");
  expect(html).not.toContain("<script");
});

test("a process with another secret reports the difference, instead of a redirect to the sign-in", async () => {
  const app = await openLoggedApp();
  const browser = app.openBrowser();
  await browser.signIn(app.service.ada);
  const other = withOtherSecret(app);
  const headers = headersOf(browser);
  const page = await other.requireSession({ url: `${appUrl}private`, headers });
  if (!(page instanceof Response)) throw new Error("signed in");
  expect([page.status, page.headers.get("location"), await page.text()]).toEqual([
    500,
    null,
    expect.stringContaining("Error code: secret_mismatch"),
  ]);
  expect((await other.handle(new Request(`${appUrl}login`, { headers })))?.status).toBe(500);
  expect(app.errors()).toMatchObject([
    { level: "error", code: "secret_mismatch", detail: expect.stringContaining("pass the same 'secret'") },
    { level: "error", code: "secret_mismatch" },
  ]);
});

test("a callback at a process with another secret reports the difference", async () => {
  const app = await openLoggedApp();
  const browser = app.openBrowser();
  const started = await browser.send("/login");
  const callback = await browser.authorize(started.headers.get("location") ?? "", app.service.ada);
  const response = await withOtherSecret(app).handle(new Request(callback, { headers: headersOf(browser) }));
  expect([response?.status, app.errors()]).toEqual([500, [expect.objectContaining({ code: "secret_mismatch" })]]);
});

test("in Next.js, a session of another secret rejects with the error, because a component cannot return a response", async () => {
  const app = await openLoggedApp();
  const browser = app.openBrowser();
  await browser.signIn(app.service.ada);
  const auth = toNextSessions(withOtherSecret(app), appUrl, {
    headers: async () => headersOf(browser),
    cookies: async () => ({ set: () => {} }),
    redirect: (url) => {
      throw new Error(`redirect ${url}`);
    },
  });
  await expect(auth.requireSession("/me")).rejects.toMatchObject({
    name: "SignInError",
    code: "secret_mismatch",
  } satisfies Partial<SignInError>);
});

test("a session of another secret that is older than a minute, or of another app, leads to the sign-in", async () => {
  const app = await openApp();
  const browser = app.openBrowser();
  await browser.signIn(app.service.ada);
  const locationAt = async (other: ReturnType<typeof withOtherSecret>, url: string) => {
    const page = await other.requireSession({ url, headers: headersOf(browser) });
    return page instanceof Response ? page.headers.get("location") : page;
  };
  // Apps on two ports of a host receive each other's cookies.
  const url = "https://app.example.test:8443/";
  expect(await locationAt(withOtherSecret(app, { appUrl: url }), url)).toContain(`${url}login`);
  expect(await locationAt(withOtherSecret(app, { secret: [otherSecret, secret] }), appUrl)).toMatchObject({
    user: { email: "ada@example.test" },
  });
  app.service.clock.advance(61_000);
  expect(await locationAt(withOtherSecret(app), appUrl)).toContain(`${appUrl}login`);
});
