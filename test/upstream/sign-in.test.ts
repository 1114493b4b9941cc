import { describe, expect, test } from "vitest";
import { jsonBody, list, stringMember } from "../support/api.ts";
import {
  sendAuthorization,
  claimsOf,
  codeGrant,
  successParameters,
  loginState,
  getFlow,
  signInAtLoginPage,
  tokens,
} from "../support/flow.ts";
import { openScriptedProvider } from "./scripted-provider.ts";
import {
  callbackUrl,
  returnFromProvider,
  signInWithProvider,
  goToProvider,
  continueToProvider,
  openFederation,
  submitProviderSignIn,
  upstreamIssuer,
  searchUsers,
} from "./federation.ts";

describe("a sign-in at an identity provider", async () => {
  const federation = await openFederation();
  const { service, provider } = federation;
  const connection = await federation.connect();

  test("creates an account at the first login, and signs in to it at the next ones", async () => {
    const ann = await provider.addUser("ann@people.example");
    const { code = "" } = successParameters(await signInWithProvider(federation, ann));
    const { id } = tokens(await service.exchange(codeGrant(service.web, code)));
    const claims = claimsOf(id);
    expect(claims).toMatchObject({ email: "ann@people.example", email_verified: true, name: "ann" });
    expect(claims.sub).toMatch(/^fieldnotes\|/);
    // RFC 8176 has no value for an authentication by another identity provider.
    expect(claims).not.toHaveProperty("amr");
    const repeated = successParameters(await signInWithProvider(federation, ann));
    expect(claimsOf(tokens(await service.exchange(codeGrant(service.web, repeated["code"] ?? ""))).id).sub).toBe(claims.sub);
    const [user, ...others] = await searchUsers(federation, "email:ann@people.example");
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

  test("sends PKCE, a nonce and a state that begins with the tenant to the identity provider", async () => {
    const handedOn = { login_hint: "cy@people.example", ui_locales: "de", access_type: "offline" };
    const requested = { ...handedOn, connection_scope: "calendar.read,files.read" };
    const url = new URL(await goToProvider(federation, service.browser(), service.web, requested));
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

  test("starts with a button that works in a browser without scripts", async () => {
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, service.web));
    const html = await (await browser.get(`/u/login?${new URLSearchParams({ state })}`)).text();
    expect(html).toContain("Continue with Fieldnotes");
    const { csrf = "", step = "" } = Object.fromEntries(
      [...html.matchAll(/name="(csrf|step)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );
    const sent = await browser.post("/u/login", { form: { state, step, csrf, action: "continue-with", connection: "fieldnotes" } });
    expect(sent.status).toBe(303);
    expect(sent.headers.get("location")).toContain(`${upstreamIssuer}authorize?`);
  });

  test("starts without a page for `connection`, and shows a page after the browser's back button", async () => {
    const browser = service.browser();
    const result = await sendAuthorization(browser, service.web, { connection: "fieldnotes" });
    const page = `/u/login?${new URLSearchParams({ state: loginState(result), step: "provider" })}`;
    const redirected = await browser.get(page);
    expect(redirected.headers.get("location")).toContain(`${upstreamIssuer}authorize?`);
    const repeated = await browser.get(page);
    expect(repeated.status).toBe(200);
    expect(await repeated.text()).toContain("Continue with Fieldnotes");
    const dan = await provider.addUser("dan@people.example");
    successParameters(
      await returnFromProvider(browser, await submitProviderSignIn(federation, redirected.headers.get("location") ?? "", dan)),
    );
  });

  test("is not offered to a client without the connection, and its session is not valid there", async () => {
    const other = await service.register({ secret: true });
    const browser = service.browser();
    const eve = await provider.addUser("eve@people.example");
    successParameters(await signInWithProvider(federation, eve, { browser }));
    const state = loginState(await sendAuthorization(browser, other));
    expect(await getFlow(browser, state)).toMatchObject({ screen: { name: "identifier" } });
    expect((await getFlow(browser, state))["screen"]).not.toHaveProperty("providers");
    expect((await service.manage("GET", `/api/v2/connections/${stringMember(connection, "id")}`)).body).toMatchObject({
      enabled_clients: [service.web.clientId, service.spa.clientId].toSorted(),
    });
  });

  test("is offered on the sign-up page, which also shows why it failed", async () => {
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, service.web, { screen_hint: "signup" }));
    expect(await getFlow(browser, state)).toMatchObject({
      screen: { name: "sign-up", providers: [{ connection: "fieldnotes", label: "Fieldnotes" }] },
    });
    const first = new URL(await continueToProvider(service, browser, state));
    const no = { state: first.searchParams.get("state") ?? "", error: "access_denied", iss: upstreamIssuer };
    await returnFromProvider(browser, `/login/callback?${new URLSearchParams(no)}`);
    expect(await getFlow(browser, state)).toMatchObject({ screen: { name: "sign-up", problem: "provider-declined" } });
    const zoe = await provider.addUser("zoe@people.example");
    successParameters(
      await returnFromProvider(browser, await submitProviderSignIn(federation, await continueToProvider(service, browser, state), zoe)),
    );
  });
});

test("is marked as the last used option in the browser until the user signs in with another one", async () => {
  const federation = await openFederation();
  const { service, provider } = federation;
  await federation.connect();
  const browser = service.browser();
  const marked = async (): Promise<unknown> => {
    const { screen } = await getFlow(browser, loginState(await sendAuthorization(browser, service.web, { prompt: "login" })));
    return (screen as { readonly providers: readonly [{ readonly lastUsed?: true }] }).providers[0].lastUsed;
  };
  expect(await marked()).toBeUndefined();
  successParameters(await signInWithProvider(federation, await provider.addUser("ann@people.example"), { browser }));
  expect(await marked()).toBe(true);
  const page = await browser.get(
    `/u/login?${new URLSearchParams({ state: loginState(await sendAuthorization(browser, service.web, { prompt: "login" })) })}`,
  );
  expect(await page.text()).toContain("Last used");
  successParameters(await signInAtLoginPage(browser, await sendAuthorization(browser, service.web, { prompt: "login" }), service.ada));
  expect(await marked()).toBeUndefined();
});

describe("user attributes from an identity provider's claims", () => {
  test("`attribute_map` maps attributes, but not the user id or whether the address is verified", async () => {
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
    const [user, ...others] = await searchUsers(provider, "email:ann@corp.example");
    expect(others).toEqual([]);
    expect(user).toMatchObject({ user_id: "fieldnotes|s-1", name: "Ann Lee", email_verified: false });
  });

  test.each([
    ["on_each_login", "first", "second"],
    ["on_first_login", "first", "first"],
  ])("are updated according to `set_user_root_attributes: %s`", async (when, first, later) => {
    const provider = await openScriptedProvider({ set_user_root_attributes: when });
    const claims = { sub: "s-2", email: "ann@people.example", email_verified: true };
    successParameters(await provider.signInAs({ ...claims, name: "first" }));
    expect(await searchUsers(provider, "email:ann@people.example")).toMatchObject([{ name: first }]);
    successParameters(await provider.signInAs({ ...claims, name: "second" }));
    expect(await searchUsers(provider, "email:ann@people.example")).toMatchObject([{ name: later, logins_count: 2 }]);
  });

  test("create no user and leave the profile of existing users unchanged with `set_user_root_attributes: never_on_login`", async () => {
    const provider = await openScriptedProvider();
    const claims = { sub: "s-3", email: "ann@people.example", email_verified: true };
    successParameters(await provider.signInAs({ ...claims, name: "first" }));
    const { manage, clock } = provider.service;
    const [connection] = list(await manage("GET", "/api/v2/connections?name=fieldnotes"));
    const options = { ...Object(connection?.["options"]), set_user_root_attributes: "never_on_login" };
    jsonBody(await manage("PATCH", `/api/v2/connections/${String(connection?.["id"])}`, { options }));
    clock.advance("6s");
    successParameters(await provider.signInAs({ ...claims, name: "second" }));
    expect(await searchUsers(provider, "email:ann@people.example")).toMatchObject([{ name: "first", logins_count: 2 }]);
    const browser = provider.service.browser();
    const state = loginState(await provider.signInAs({ sub: "new", email: "new@people.example" }, { browser }));
    expect(await getFlow(browser, state)).toMatchObject({ screen: { name: "identifier", problem: "provider-closed" } });
    expect(await searchUsers(provider, "email:new@people.example")).toEqual([]);
  });

  test("/.well-known/webfinger lists the domains of enterprise connections, and reveals nothing about users", async () => {
    const provider = await openScriptedProvider({ domain_aliases: ["Corp.example", "Bücher.example"] });
    const request = (resource: string, more = {}) =>
      provider.service.call("GET", `/.well-known/webfinger?${new URLSearchParams({ resource, ...more })}`);
    const rel = "http://openid.net/specs/connect/1.0/issuer";
    const resources = ["acct:unknown@corp.example", "urn:auth0:discovery:domain:corp.example", "mailto:x@CORP.example"];
    for (const resource of [...resources, "acct:r&d@bücher.example", "mailto:x@xn--bcher-kva.example"]) {
      expect(await request(resource, { rel })).toMatchObject({
        status: 200,
        body: { subject: resource, links: [{ rel, href: "https://id.example.test/" }] },
      });
    }
    for (const resource of ["acct:ada@example.test", "corp.example", "acct:@corp.example.evil", "urn:x:discovery:domain:"]) {
      expect((await request(resource)).status, resource).toBe(404);
    }
    expect((await provider.service.call("GET", "/.well-known/webfinger")).status).toBe(400);
  });
});
