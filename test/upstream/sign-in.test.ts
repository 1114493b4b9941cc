import { describe, expect, test } from "vitest";
import { text } from "../support/api.ts";
import { ask, claimsOf, codeGrant, granted, loginState, look, tokens } from "../support/flow.ts";
import { callbackUrl, comeBack, journey, leave, leaveFrom, openFederation, signInThere, upstreamIssuer, usersBy } from "./journey.ts";

describe("signing in at an identity provider", async () => {
  const federation = await openFederation();
  const { service, provider } = federation;
  const connection = await federation.connect();

  test("the first login makes an account, the next ones sign in to it", async () => {
    const ann = await provider.enroll("ann@people.example");
    const { code = "" } = granted(await journey(federation, ann));
    const { id } = tokens(await service.exchange(codeGrant(service.web, code)));
    const claims = claimsOf(id);
    expect(claims).toMatchObject({ email: "ann@people.example", email_verified: true, name: "ann" });
    expect(claims.sub).toMatch(/^fieldnotes\|/);
    // Nothing in RFC 8176 says that a provider vouched for somebody.
    expect(claims).not.toHaveProperty("amr");
    const again = granted(await journey(federation, ann));
    expect(claimsOf(tokens(await service.exchange(codeGrant(service.web, again["code"] ?? ""))).id).sub).toBe(claims.sub);
    const [user, ...others] = await usersBy(federation, "email:ann@people.example");
    expect(others).toEqual([]);
    expect(user).toMatchObject({
      connection: "fieldnotes",
      provider: "oidc",
      logins_count: 2,
      identities: [
        {
          connection: "fieldnotes",
          provider: "oidc",
          isSocial: true,
          user_id: ann.userId,
        },
      ],
    });
  });

  test("the provider is asked with PKCE, a nonce and a state that begins with the tenant", async () => {
    const url = new URL(await leave(federation, service.browser(), service.web, { login_hint: "cy@people.example", ui_locales: "de" }));
    expect(url.origin + url.pathname).toBe(`${upstreamIssuer}authorize`);
    const { state = "", nonce = "", ...sent } = Object.fromEntries(url.searchParams);
    expect(sent).toMatchObject({
      client_id: federation.client.clientId,
      redirect_uri: callbackUrl,
      response_type: "code",
      scope: "openid profile email",
      code_challenge_method: "S256",
      login_hint: "cy@people.example",
      ui_locales: "de",
    });
    expect(state).toMatch(/^main\./);
    expect(nonce).not.toBe("");
  });

  test("the page has a button, which a browser without scripts follows", async () => {
    const browser = service.browser();
    const state = loginState(await ask(browser, service.web));
    const html = await (await browser.get(`/u/login?${new URLSearchParams({ state })}`)).text();
    expect(html).toContain("Continue with Fieldnotes");
    const { csrf = "", step = "" } = Object.fromEntries(
      [...html.matchAll(/name="(csrf|step)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );
    const sent = await browser.post("/u/login", { form: { state, step, csrf, action: "continue-with", connection: "fieldnotes" } });
    expect(sent.status).toBe(303);
    expect(sent.headers.get("location")).toContain(`${upstreamIssuer}authorize?`);
  });

  test("`connection` leads there without a page; who comes back by the browser's button is asked", async () => {
    const browser = service.browser();
    const given = await ask(browser, service.web, { connection: "fieldnotes" });
    const page = `/u/login?${new URLSearchParams({ state: loginState(given), step: "provider" })}`;
    const led = await browser.get(page);
    expect(led.headers.get("location")).toContain(`${upstreamIssuer}authorize?`);
    const again = await browser.get(page);
    expect(again.status).toBe(200);
    expect(await again.text()).toContain("Continue with Fieldnotes");
    const dan = await provider.enroll("dan@people.example");
    granted(await comeBack(browser, await signInThere(federation, led.headers.get("location") ?? "", dan)));
  });

  test("a client that does not name the connection does not offer it, and no session of it counts there", async () => {
    const other = await service.register({ secret: true });
    const browser = service.browser();
    const eve = await provider.enroll("eve@people.example");
    granted(await journey(federation, eve, { browser }));
    const state = loginState(await ask(browser, other));
    expect(await look(browser, state)).toMatchObject({ screen: { name: "identifier" } });
    expect((await look(browser, state))["screen"]).not.toHaveProperty("providers");
    expect((await service.manage("GET", `/api/v2/connections/${text(connection, "id")}`)).body).toMatchObject({
      enabled_clients: [service.web.clientId, service.spa.clientId].toSorted(),
    });
  });

  test("who makes an account may come from a provider instead, and reads there why that did not work", async () => {
    const browser = service.browser();
    const state = loginState(await ask(browser, service.web, { screen_hint: "signup" }));
    expect(await look(browser, state)).toMatchObject({
      screen: { name: "sign-up", providers: [{ connection: "fieldnotes", label: "Fieldnotes" }] },
    });
    const first = new URL(await leaveFrom(service, browser, state));
    const no = { state: first.searchParams.get("state") ?? "", error: "access_denied", iss: upstreamIssuer };
    await comeBack(browser, `/login/callback?${new URLSearchParams(no)}`);
    expect(await look(browser, state)).toMatchObject({ screen: { name: "sign-up", problem: "provider-declined" } });
    const zoe = await provider.enroll("zoe@people.example");
    granted(await comeBack(browser, await signInThere(federation, await leaveFrom(service, browser, state), zoe)));
  });
});
