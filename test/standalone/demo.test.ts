import { expect, test } from "vitest";
import { formFields } from "../support/browser.ts";
import { createFormBrowser, type PageView } from "./form-browser.ts";
import { managementToken, startExample, temporaryFolder, type ReadyLine } from "./start.ts";

/** Returns the JSON blocks on the page: the claims of the ID token, then the response of /userinfo. */
function jsonBlocks({ html }: PageView): unknown[] {
  return [...html.matchAll(/<pre[^>]*>({.*?})<\/pre>/gs)].map(([, text = ""]) => JSON.parse(text.replaceAll("&#34;", '"')) as unknown);
}

/** Returns the last characters of the refresh tokens: the current one first, then the earlier ones. */
function refreshTokens({ html }: PageView): string[] {
  return [...html.matchAll(/<code>(…[^<]+)<\/code>/g)].map(([, ending = ""]) => ending);
}

async function startDemo(variables: { readonly [name: string]: string } = {}): Promise<ReadyLine> {
  return (await startExample(temporaryFolder(), { DATABASE_URL: "memory:", ...variables })).ready;
}

test("a user signs in, sees the claims, rotates the refresh token, signs in silently and signs out", async () => {
  const ready = await startDemo();
  const ada = createFormBrowser(ready);
  const login = await ada.press("sign-in?client=spa");
  expect(login.path).toMatch(/^u\/login\?state=/);

  const home = await ada.signIn(login);
  expect({ path: home.path, status: home.status }).toEqual({ path: "", status: 200 });
  const [claims, userinfo] = jsonBlocks(home);
  expect(claims).toMatchObject({
    iss: ready.issuer,
    aud: ready.spa_client.client_id,
    email: ready.user.email,
    nonce: expect.any(String) as string,
  });
  expect(userinfo).toMatchObject({ email: ready.user.email, email_verified: true });
  // An access token is valid for a day, so the page contains the date of its expiry as well as the time.
  const [, until = ""] = /valid until <time datetime="([^"]+)">\d+ \w+ \d{4}, /.exec(home.html) ?? [];
  expect(Date.parse(until) - Date.now()).toBeGreaterThan(23 * 3600_000);
  const [first] = refreshTokens(home);
  expect(first).toMatch(/^….{8}$/);

  const refreshed = await ada.press("refresh");
  expect(refreshTokens(refreshed)).toEqual([expect.not.stringContaining(first ?? ""), first]);
  expect(refreshTokens(await ada.press("refresh"))).toHaveLength(3);

  const again = await ada.press("sign-in?client=spa&silent");
  expect(again.path).toBe("");
  expect(refreshTokens(again)).toHaveLength(1);
  // The page does not contain earlier tokens from the former session.
  expect(again.html).toContain("Sign out");

  const signedOut = await ada.press("sign-out");
  expect(signedOut.path).toBe("?state=signed-out");
  expect(signedOut.html).toContain("You are signed out");
  // Postern's session ended too: the login page asks for the identifier again.
  expect((await ada.press("sign-in?client=spa")).path).toMatch(/^u\/login/);
});

test("the demo offers second factors and passkeys, and a later start keeps what an administrator disabled", async () => {
  const folder = temporaryFolder();
  const { ready, stop } = await startExample(folder);
  const ada = createFormBrowser(ready);
  const asked = await ada.signIn(await ada.press("sign-in?client=spa&mfa"));
  expect(asked.path).toMatch(/^u\/login/);
  expect(asked.html).toContain("screen-add-factor");

  // Without the request for a second factor, the password alone signs in, and no page offers a passkey.
  const bea = createFormBrowser(ready);
  const login = await bea.press("sign-in?client=spa");
  expect(login.html).toContain("passkey");
  const home = await bea.signIn(login);
  expect(home.path).toBe("");
  expect(home.html).toContain(`href="${ready.issuer}u/account/security"`);

  const call = async (server: ReadyLine, method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${await managementToken(server)}`, "content-type": "application/json" };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return (await fetch(`${server.url}api/v2/guardian/${path}`, init)).json() as Promise<unknown>;
  };
  expect(await call(ready, "GET", "policies")).toEqual([]);
  await call(ready, "PUT", "factors/otp", { enabled: false });
  await stop();
  const again = await startExample(folder);
  const factors = await call(again.ready, "GET", "factors");
  expect(factors).toContainEqual(expect.objectContaining({ name: "otp", enabled: false }));
  expect(factors).toContainEqual(expect.objectContaining({ name: "sms", enabled: true }));
});

test("a user signs in with the confidential client, and a refresh does not rotate its refresh token", async () => {
  const ready = await startDemo();
  const ada = createFormBrowser(ready);
  const home = await ada.signIn(await ada.press("sign-in?client=web"));
  expect(jsonBlocks(home)[0]).toMatchObject({ aud: ready.web_client.client_id });
  expect(refreshTokens(await ada.press("refresh"))).toEqual(refreshTokens(home));
});

test("if the issuer has https and a path, cookies are limited to the path and all redirects stay below the issuer", async () => {
  const ready = await startDemo({ ISSUER: "https://example.test/auth/", DEV_PAGES: "public" });
  const ada = createFormBrowser(ready);
  const signInStart = await ada.send("POST", "dev/demo/sign-in", undefined, { origin: "https://example.test" });
  expect(signInStart.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Secure-postern_demo_browser=\S+; Path=\/auth\/; HttpOnly; SameSite=Lax; Secure; Max-Age=3600$/),
  ]);
  expect(signInStart.headers.get("location")).toMatch(/^https:\/\/example\.test\/auth\/authorize\?/);

  const home = await ada.signIn(await ada.press("sign-in"));
  expect(jsonBlocks(home)).toHaveLength(2);
  expect(home.html).toContain('action="https://example.test/auth/dev/demo/sign-out"');
  expect((await ada.press("sign-out")).html).toContain("You are signed out");
});

test("sign-ins that start in two tabs both succeed", async () => {
  const ready = await startDemo();
  const ada = createFormBrowser(ready);
  const [one, two] = [await ada.press("sign-in"), await ada.press("sign-in?client=web")];
  expect(jsonBlocks(await ada.signIn(one))[0]).toMatchObject({ aud: ready.spa_client.client_id });
  // When the second tab is opened again, the user already has a session.
  expect(jsonBlocks(await ada.open(two.path))[0]).toMatchObject({ aud: ready.web_client.client_id });
});

test("the demo accepts a code only in the browser that requested it, and only once", async () => {
  const ready = await startDemo();
  const [ada, mallory] = [createFormBrowser(ready), createFormBrowser(ready)];
  await mallory.signIn(await mallory.press("sign-in"));
  const signInStart = await mallory.send("POST", "dev/demo/sign-in?silent");
  const answer = await mallory.send("GET", new URL(signInStart.headers.get("location") ?? "").href.slice(ready.issuer.length));
  const callback = (answer.headers.get("location") ?? "").slice(ready.issuer.length);
  expect(callback).toMatch(/^\?code=/);

  // Mallory's code does not sign Ada in, whether or not her browser has started a sign-in.
  for (const path of [callback, "?code=x", "?error=access_denied&error_description=Call+us"]) {
    const page = await ada.open(path);
    expect(page.html).toContain("started in another browser");
    expect(page.html).not.toContain("Call us");
    expect(jsonBlocks(page)).toEqual([]);
  }
  await ada.press("sign-in");
  expect((await ada.open(callback)).html).toContain("started in another browser");

  expect((await mallory.send("HEAD", callback)).status).toBe(200);
  expect(jsonBlocks(await mallory.open(callback))).toHaveLength(2);
  expect((await mallory.open(callback)).html).toContain("Something went wrong");
});

test("the home page explains that the session was revoked elsewhere", async () => {
  const ready = await startDemo();
  const ada = createFormBrowser(ready);
  const home = await ada.signIn(await ada.press("sign-in"));
  const { sub } = jsonBlocks(home)[0] as { readonly sub: string };
  const headers = { authorization: `Bearer ${await managementToken(ready)}` };
  const users = `${ready.url}api/v2/users/${encodeURIComponent(sub)}`;
  expect((await fetch(`${users}/sessions`, { method: "DELETE", headers })).ok).toBe(true);

  expect((await ada.open("")).html).toContain("no longer accepts the access token");
  const silent = await ada.press("sign-in?silent");
  expect([silent.path, silent.html]).toEqual(["?notice=no-session", expect.stringContaining("Silent sign-in failed")]);
  const ended = await ada.press("refresh");
  expect([ended.path, ended.html]).toEqual(["?notice=refresh-ended", expect.stringContaining("no longer valid")]);
  expect((await ada.press("refresh")).path).toBe("?notice=no-refresh");
});

test("a user whose page was loaded before a restart can still sign out, after a confirmation", async () => {
  const ready = await startDemo();
  const ada = createFormBrowser(ready);
  await ada.signIn(await ada.press("sign-in"));
  // A restart loses only the demo's session. Postern's session is in the database.
  ada.cookies.delete("postern_demo");
  const confirmation = await ada.press("sign-out");
  expect(confirmation.path).toMatch(/^oidc\/logout/);
  expect((await ada.press("sign-in?silent")).html, "no session has ended yet").toContain("Sign out");
  await ada.fill(confirmation, {});
  expect((await ada.press("sign-in")).path).toMatch(/^u\/login/);
});

test("a page of another origin can neither sign out nor refresh, and no query parameter puts text on the page", async () => {
  const ready = await startDemo();
  const ada = createFormBrowser(ready);
  await ada.signIn(await ada.press("sign-in"));
  for (const action of ["sign-out", "refresh"]) {
    for (const headers of [{ origin: "https://evil.test" }, { origin: "null" }, {}]) {
      expect((await ada.send("POST", `dev/demo/${action}`, undefined, headers)).status).toBe(403);
    }
    expect((await ada.send("GET", `dev/demo/${action}`)).status).toBe(405);
  }
  expect((await ada.send("POST", "dev/demo/constructor")).status).toBe(405);
  expect(jsonBlocks(await ada.open("?notice=toString&state=<b>evil"))).toHaveLength(2);
  expect((await ada.open("?notice=<b>evil")).html).not.toContain("evil");
});

test("without a configured identity provider, one client offers a demo provider that only this machine can use", async () => {
  const ready = await startDemo();
  const ada = createFormBrowser(ready);
  expect((await ada.open("")).html).toContain("Try a social login");
  const login = await ada.press("sign-in?client=social");
  expect(formFields(login.html)).toHaveProperty("identifier");
  const providerPage = await ada.fill(login, { action: "continue-with", connection: "demo-provider" });
  expect(providerPage.path).toMatch(/^dev\/provider\/authorize\?/);
  const fields = { ...formFields(providerPage.html), sub: "ada" };
  const origin = new URL(ready.issuer).origin;
  // A page of another origin cannot choose an account.
  expect((await ada.send("POST", "dev/provider/authorize", fields, { origin: "https://evil.example" })).status).toBe(403);
  const chosen = await ada.send("POST", "dev/provider/authorize", fields, { origin });
  const home = await ada.open((chosen.headers.get("location") ?? "").slice(ready.issuer.length));
  expect(home.path).toBe("");
  expect(jsonBlocks(home)[0]).toMatchObject({
    email: "ada@demo.example",
    email_verified: true,
    sub: expect.stringMatching(/^demo-provider\|ada$/) as string,
  });
  // The other clients do not offer the demo provider.
  expect((await createFormBrowser(ready).press("sign-in?client=spa")).html).not.toContain("Demo ID");
  // The demo provider redirects only to this server.
  const foreignRedirect = { ...fields, redirect_uri: "https://evil.example/" };
  expect((await ada.send("POST", "dev/provider/authorize", foreignRedirect, { origin })).status).toBe(400);
});

test("a configured identity provider is offered in addition to the password", async () => {
  const ready = await startDemo({ GOOGLE_CLIENT_ID: "id", GOOGLE_CLIENT_SECRET: "secret" });
  for (const client of ["spa", "web"]) {
    const login = await createFormBrowser(ready).press(`sign-in?client=${client}`);
    expect(login.html).toContain("Continue with Google");
    expect(formFields(login.html)).toHaveProperty("identifier");
  }
});

test("a publicly reachable server has no demo identity provider", async () => {
  const open = await startDemo({ ISSUER: "https://example.test/", DEV_PAGES: "public" });
  const ada = createFormBrowser(open);
  expect((await ada.open("")).html).not.toContain("Try a social login");
  expect((await ada.open("dev/provider/.well-known/openid-configuration")).status).toBe(404);
});
