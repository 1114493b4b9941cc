import { expect, test } from "vitest";
import { formFields } from "../support/browser.ts";
import { createPerson, type Seen } from "./person.ts";
import { managementToken, start, temporaryFolder, type Ready } from "./start.ts";

/** The JSON blocks of the page: the claims of the ID token, then the answer of /userinfo. */
function shown({ html }: Seen): unknown[] {
  return [...html.matchAll(/<pre[^>]*>({.*?})<\/pre>/gs)].map(([, text = ""]) => JSON.parse(text.replaceAll("&#34;", '"')) as unknown);
}

/** The ends of the refresh tokens: the present one first, then those before it. */
function refreshTokens({ html }: Seen): string[] {
  return [...html.matchAll(/<code>(…[^<]+)<\/code>/g)].map(([, ending = ""]) => ending);
}

async function started(variables: { readonly [name: string]: string } = {}): Promise<Ready> {
  return (await start(temporaryFolder(), { DATABASE_URL: "memory:", ...variables })).ready;
}

test("somebody signs in, sees claims, refreshes with rotation, signs in silently, and signs out", async () => {
  const ready = await started();
  const ada = createPerson(ready);
  const login = await ada.press("sign-in?client=spa");
  expect(login.path).toMatch(/^u\/login\?state=/);

  const home = await ada.signIn(login);
  expect({ path: home.path, status: home.status }).toEqual({ path: "", status: 200 });
  const [claims, userinfo] = shown(home);
  expect(claims).toMatchObject({
    iss: ready.issuer,
    aud: ready.spa_client.client_id,
    email: ready.user.email,
    nonce: expect.any(String) as string,
  });
  expect(userinfo).toMatchObject({ email: ready.user.email, email_verified: true });
  // An access token is good for a day: the page says until when with the day, which the time alone would not tell.
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
  // What was a session's before is of no use to anybody.
  expect(again.html).toContain("Sign out");

  const left = await ada.press("sign-out");
  expect(left.path).toBe("?state=signed-out");
  expect(left.html).toContain("You are signed out");
  // Signed out at Postern too: the login page asks again.
  expect((await ada.press("sign-in?client=spa")).path).toMatch(/^u\/login/);
});

test("the confidential client signs in as well, and keeps its refresh token", async () => {
  const ready = await started();
  const ada = createPerson(ready);
  const home = await ada.signIn(await ada.press("sign-in?client=web"));
  expect(shown(home)[0]).toMatchObject({ aud: ready.web_client.client_id });
  expect(refreshTokens(await ada.press("refresh"))).toEqual(refreshTokens(home));
});

test("under an https issuer with a path, cookies are for that path alone and nothing leads elsewhere", async () => {
  const ready = await started({ ISSUER: "https://example.test/auth/", DEV_PAGES: "public" });
  const ada = createPerson(ready);
  const begun = await ada.send("POST", "dev/demo/sign-in", undefined, { origin: "https://example.test" });
  expect(begun.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Secure-postern_demo_browser=\S+; Path=\/auth\/; HttpOnly; SameSite=Lax; Secure; Max-Age=3600$/),
  ]);
  expect(begun.headers.get("location")).toMatch(/^https:\/\/example\.test\/auth\/authorize\?/);

  const home = await ada.signIn(await ada.press("sign-in"));
  expect(shown(home)).toHaveLength(2);
  expect(home.html).toContain('action="https://example.test/auth/dev/demo/sign-out"');
  expect((await ada.press("sign-out")).html).toContain("You are signed out");
});

test("sign-ins begun in two tabs both end well", async () => {
  const ready = await started();
  const ada = createPerson(ready);
  const [one, two] = [await ada.press("sign-in"), await ada.press("sign-in?client=web")];
  expect(shown(await ada.signIn(one))[0]).toMatchObject({ aud: ready.spa_client.client_id });
  // The other tab, once looked at again, finds somebody signed in.
  expect(shown(await ada.open(two.path))[0]).toMatchObject({ aud: ready.web_client.client_id });
});

test("a code counts only in the browser that asked for it, and once", async () => {
  const ready = await started();
  const [ada, mallory] = [createPerson(ready), createPerson(ready)];
  await mallory.signIn(await mallory.press("sign-in"));
  const begun = await mallory.send("POST", "dev/demo/sign-in?silent");
  const answer = await mallory.send("GET", new URL(begun.headers.get("location") ?? "").href.slice(ready.issuer.length));
  const callback = (answer.headers.get("location") ?? "").slice(ready.issuer.length);
  expect(callback).toMatch(/^\?code=/);

  // Mallory's code does not sign Ada in, whether her browser has begun a sign-in or not.
  for (const path of [callback, "?code=x", "?error=access_denied&error_description=Call+us"]) {
    const page = await ada.open(path);
    expect(page.html).toContain("started in another browser");
    expect(page.html).not.toContain("Call us");
    expect(shown(page)).toEqual([]);
  }
  await ada.press("sign-in");
  expect((await ada.open(callback)).html).toContain("started in another browser");

  expect((await mallory.send("HEAD", callback)).status).toBe(200);
  expect(shown(await mallory.open(callback))).toHaveLength(2);
  expect((await mallory.open(callback)).html).toContain("Something went wrong");
});

test("a session that was ended elsewhere is told kindly", async () => {
  const ready = await started();
  const ada = createPerson(ready);
  const home = await ada.signIn(await ada.press("sign-in"));
  const { sub } = shown(home)[0] as { readonly sub: string };
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

test("a page from before a restart still signs out, once the person has confirmed it", async () => {
  const ready = await started();
  const ada = createPerson(ready);
  await ada.signIn(await ada.press("sign-in"));
  // What a restart forgets is the demo's own session; Postern's is in the database.
  ada.cookies.delete("postern_demo");
  const asked = await ada.press("sign-out");
  expect(asked.path).toMatch(/^oidc\/logout/);
  expect((await ada.press("sign-in?silent")).html, "nothing has ended so far").toContain("Sign out");
  await ada.fill(asked, {});
  expect((await ada.press("sign-in")).path).toMatch(/^u\/login/);
});

test("a stranger's page can neither sign out nor refresh, and no address puts words on the page", async () => {
  const ready = await started();
  const ada = createPerson(ready);
  await ada.signIn(await ada.press("sign-in"));
  for (const action of ["sign-out", "refresh"]) {
    for (const headers of [{ origin: "https://evil.test" }, { origin: "null" }, {}]) {
      expect((await ada.send("POST", `dev/demo/${action}`, undefined, headers)).status).toBe(403);
    }
    expect((await ada.send("GET", `dev/demo/${action}`)).status).toBe(405);
  }
  expect((await ada.send("POST", "dev/demo/constructor")).status).toBe(405);
  expect(shown(await ada.open("?notice=toString&state=<b>evil"))).toHaveLength(2);
  expect((await ada.open("?notice=<b>evil")).html).not.toContain("evil");
});

test("without an identity provider of one's own there is a demo's, for one client and on this machine alone", async () => {
  const ready = await started();
  const ada = createPerson(ready);
  expect((await ada.open("")).html).toContain("Try a social login");
  const login = await ada.press("sign-in?client=social");
  const there = await ada.fill(login, { action: "continue-with", connection: "demo-provider" });
  expect(there.path).toMatch(/^dev\/provider\/authorize\?/);
  const fields = { ...formFields(there.html), sub: "ada" };
  const origin = new URL(ready.issuer).origin;
  // A stranger's page chooses for nobody.
  expect((await ada.send("POST", "dev/provider/authorize", fields, { origin: "https://evil.example" })).status).toBe(403);
  const chosen = await ada.send("POST", "dev/provider/authorize", fields, { origin });
  const home = await ada.open((chosen.headers.get("location") ?? "").slice(ready.issuer.length));
  expect(home.path).toBe("");
  expect(shown(home)[0]).toMatchObject({
    email: "ada@demo.example",
    email_verified: true,
    sub: expect.stringMatching(/^demo-provider\|ada$/) as string,
  });
  // The other clients offer what they did.
  expect((await createPerson(ready).press("sign-in?client=spa")).html).not.toContain("Demo ID");
  // It sends people back here and nowhere else.
  const elsewhere = { ...fields, redirect_uri: "https://evil.example/" };
  expect((await ada.send("POST", "dev/provider/authorize", elsewhere, { origin })).status).toBe(400);
});

test("where others reach the server there is no demo's identity provider", async () => {
  const open = await started({ ISSUER: "https://example.test/", DEV_PAGES: "public" });
  const ada = createPerson(open);
  expect((await ada.open("")).html).not.toContain("Try a social login");
  expect((await ada.open("dev/provider/.well-known/openid-configuration")).status).toBe(404);
});
