import { describe, expect, test } from "vitest";
import { text } from "../support/api.ts";
import { authorize, claimsOf, codeGrant, successParameters, loginState, getFlow, signIn, tokens } from "../support/flow.ts";
import { openScriptedProvider } from "./scripted-provider.ts";
import {
  callbackUrl,
  returnFromProvider,
  signInWithProvider,
  goToProvider,
  continueToProvider,
  openFederation,
  signInAtProvider,
  upstreamIssuer,
  findUsers,
} from "./journey.ts";

describe("signing in at an identity provider", async () => {
  const federation = await openFederation();
  const { service, provider } = federation;
  const connection = await federation.connect();

  test("the first login makes an account, the next ones sign in to it", async () => {
    const ann = await provider.addUser("ann@people.example");
    const { code = "" } = successParameters(await signInWithProvider(federation, ann));
    const { id } = tokens(await service.exchange(codeGrant(service.web, code)));
    const claims = claimsOf(id);
    expect(claims).toMatchObject({ email: "ann@people.example", email_verified: true, name: "ann" });
    expect(claims.sub).toMatch(/^fieldnotes\|/);
    // Nothing in RFC 8176 says that a provider vouched for somebody.
    expect(claims).not.toHaveProperty("amr");
    const again = successParameters(await signInWithProvider(federation, ann));
    expect(claimsOf(tokens(await service.exchange(codeGrant(service.web, again["code"] ?? ""))).id).sub).toBe(claims.sub);
    const [user, ...others] = await findUsers(federation, "email:ann@people.example");
    expect(others).toEqual([]);
    expect(user).toMatchObject({
      connection: "fieldnotes",
      provider: "oidc",
      logins_count: 2,
      identities: [
        {
          connection: "fieldnotes",
          provider: "oidc",
          isSocial: false,
          user_id: ann.userId,
        },
      ],
    });
  });

  test("the provider is asked with PKCE, a nonce and a state that begins with the tenant", async () => {
    const handedOn = { login_hint: "cy@people.example", ui_locales: "de", access_type: "offline" };
    const asked = { ...handedOn, connection_scope: "calendar.read,files.read" };
    const url = new URL(await goToProvider(federation, service.browser(), service.web, asked));
    expect(url.origin + url.pathname).toBe(`${upstreamIssuer}authorize`);
    const { state = "", nonce = "", ...sent } = Object.fromEntries(url.searchParams);
    expect(sent).toMatchObject({
      client_id: federation.client.clientId,
      redirect_uri: callbackUrl,
      response_type: "code",
      scope: "openid profile email calendar.read files.read",
      code_challenge_method: "S256",
      ...handedOn,
    });
    expect(state).toMatch(/^main\./);
    expect(nonce).not.toBe("");
  });

  test("the page has a button, which a browser without scripts follows", async () => {
    const browser = service.browser();
    const state = loginState(await authorize(browser, service.web));
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
    const given = await authorize(browser, service.web, { connection: "fieldnotes" });
    const page = `/u/login?${new URLSearchParams({ state: loginState(given), step: "provider" })}`;
    const led = await browser.get(page);
    expect(led.headers.get("location")).toContain(`${upstreamIssuer}authorize?`);
    const again = await browser.get(page);
    expect(again.status).toBe(200);
    expect(await again.text()).toContain("Continue with Fieldnotes");
    const dan = await provider.addUser("dan@people.example");
    successParameters(await returnFromProvider(browser, await signInAtProvider(federation, led.headers.get("location") ?? "", dan)));
  });

  test("a client that does not name the connection does not offer it, and no session of it counts there", async () => {
    const other = await service.register({ secret: true });
    const browser = service.browser();
    const eve = await provider.addUser("eve@people.example");
    successParameters(await signInWithProvider(federation, eve, { browser }));
    const state = loginState(await authorize(browser, other));
    expect(await getFlow(browser, state)).toMatchObject({ screen: { name: "identifier" } });
    expect((await getFlow(browser, state))["screen"]).not.toHaveProperty("providers");
    expect((await service.manage("GET", `/api/v2/connections/${text(connection, "id")}`)).body).toMatchObject({
      enabled_clients: [service.web.clientId, service.spa.clientId].toSorted(),
    });
  });

  test("who makes an account may come from a provider instead, and reads there why that did not work", async () => {
    const browser = service.browser();
    const state = loginState(await authorize(browser, service.web, { screen_hint: "signup" }));
    expect(await getFlow(browser, state)).toMatchObject({
      screen: { name: "sign-up", providers: [{ connection: "fieldnotes", label: "Fieldnotes" }] },
    });
    const first = new URL(await continueToProvider(service, browser, state));
    const no = { state: first.searchParams.get("state") ?? "", error: "access_denied", iss: upstreamIssuer };
    await returnFromProvider(browser, `/login/callback?${new URLSearchParams(no)}`);
    expect(await getFlow(browser, state)).toMatchObject({ screen: { name: "sign-up", problem: "provider-declined" } });
    const zoe = await provider.addUser("zoe@people.example");
    successParameters(
      await returnFromProvider(browser, await signInAtProvider(federation, await continueToProvider(service, browser, state), zoe)),
    );
  });
});

test("the provider that somebody signed in at last with a browser is marked, until they sign in another way", async () => {
  const federation = await openFederation();
  const { service, provider } = federation;
  await federation.connect();
  const browser = service.browser();
  const marked = async (): Promise<unknown> => {
    const { screen } = await getFlow(browser, loginState(await authorize(browser, service.web, { prompt: "login" })));
    return (screen as { readonly providers: readonly [{ readonly lastUsed?: true }] }).providers[0].lastUsed;
  };
  expect(await marked()).toBeUndefined();
  successParameters(await signInWithProvider(federation, await provider.addUser("ann@people.example"), { browser }));
  expect(await marked()).toBe(true);
  const page = await browser.get(
    `/u/login?${new URLSearchParams({ state: loginState(await authorize(browser, service.web, { prompt: "login" })) })}`,
  );
  expect(await page.text()).toContain("Last used");
  successParameters(await signIn(browser, await authorize(browser, service.web, { prompt: "login" }), service.ada));
  expect(await marked()).toBeUndefined();
});

describe("what a connection takes of a provider's claims", () => {
  test("`attribute_map` takes other claims, which say nothing of who somebody is or whether an address is theirs", async () => {
    const map = {
      name: "${context.userinfo.full_name}",
      email: "${context.tokenset.upn}",
      user_id: "${context.tokenset.upn}",
      email_verified: "${context.tokenset.email_verified}",
    };
    const provider = await openScriptedProvider({ attribute_map: { attributes: map } });
    successParameters(
      await provider.signInAs({
        sub: "s-1",
        email: "ann@real.example",
        email_verified: true,
        full_name: "Ann Lee",
        upn: "ann@corp.example",
      }),
    );
    const [user, ...others] = await findUsers(provider, "email:ann@corp.example");
    expect(others).toEqual([]);
    expect(user).toMatchObject({ user_id: "fieldnotes|s-1", name: "Ann Lee", email_verified: false });
  });

  test.each([
    ["on_each_login", "first", "second"],
    ["on_first_login", "first", "first"],
    ["never_on_login", "ann@people.example", "ann@people.example"],
  ])("`set_user_root_attributes: %s`", async (when, first, later) => {
    const provider = await openScriptedProvider({ set_user_root_attributes: when });
    const claims = { sub: "s-2", email: "ann@people.example", email_verified: true };
    successParameters(await provider.signInAs({ ...claims, name: "first" }));
    expect(await findUsers(provider, "email:ann@people.example")).toMatchObject([{ name: first }]);
    successParameters(await provider.signInAs({ ...claims, name: "second" }));
    expect(await findUsers(provider, "email:ann@people.example")).toMatchObject([{ name: later, logins_count: 2 }]);
  });

  test("/.well-known/webfinger tells which domains sign in here by a provider of their own, and of nobody", async () => {
    const provider = await openScriptedProvider({ domain_aliases: ["Corp.example"] });
    const ask = (resource: string, more = {}) =>
      provider.service.call("GET", `/.well-known/webfinger?${new URLSearchParams({ resource, ...more })}`);
    const rel = "http://openid.net/specs/connect/1.0/issuer";
    for (const resource of ["acct:anybody@corp.example", "urn:auth0:discovery:domain:corp.example", "mailto:x@CORP.example"]) {
      expect(await ask(resource, { rel })).toMatchObject({
        status: 200,
        body: { subject: resource, links: [{ rel, href: "https://id.example.test/" }] },
      });
    }
    for (const resource of ["acct:ada@example.test", "corp.example", "acct:@corp.example.evil", "urn:x:discovery:domain:"]) {
      expect((await ask(resource)).status, resource).toBe(404);
    }
    expect((await provider.service.call("GET", "/.well-known/webfinger")).status).toBe(400);
  });
});
