import { beforeEach, describe, expect, test } from "vitest";
import { auditEvents, jsonBody } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import { obtainTokens, type TestAccount } from "../support/flow.ts";
import { createOutbox, type Outbox } from "../support/outbox.ts";
import { signInWithProvider, submitProviderSignIn, type Federation } from "../upstream/federation.ts";
import {
  clientCallback,
  completionOf,
  connectAudience,
  connectLocation,
  connectScope,
  openConnectScene,
  receivedIn,
  type BegunLink,
  type ConnectScene,
} from "./connecting.ts";
import { showSections, signInBrowser } from "./page.ts";

/** Clients link accounts at identity providers for their user, with `connect` and `complete` of the My Account API. */

let outbox: Outbox;
let scene: ConnectScene;
let federation: Federation;
/** Ada's browser. */
let browser: Browser;
let atProvider: TestAccount;

beforeEach(async () => {
  outbox = createOutbox();
  scene = await openConnectScene({ messages: { mail: outbox.mail } });
  ({ federation, browser, atProvider } = scene);
});

/** Opens the ticket, signs in at the provider and returns to the client. @returns the URL of the provider, and the parameters. */
async function travel({ url }: BegunLink, own = browser) {
  const away = connectLocation(await own.get(url));
  const response = await own.get(await submitProviderSignIn(federation, away, atProvider));
  return { away: new URL(away), parameters: receivedIn(response) };
}

const identitiesOf = async (account: TestAccount) => {
  const { identities } = jsonBody(await federation.service.manage("GET", `/api/v2/users/${encodeURIComponent(account.userId)}`));
  return Array.isArray(identities) ? identities : [];
};

async function expectNothingLinked(): Promise<void> {
  const { service } = federation;
  expect(await identitiesOf(service.ada)).toHaveLength(1);
  expect(await identitiesOf(service.bob)).toHaveLength(1);
  expect(outbox.sent.filter(({ template }) => template === "account_linked_by_user")).toEqual([]);
}

async function changeAda(set: { readonly [column: string]: unknown }): Promise<void> {
  const where = { tenant_id: "main", user_id: federation.service.ada.userId };
  await federation.service.data.collections.users.update(where, { set, add: { revision: 1 } });
}

describe("connecting an account", () => {
  test("links it when the client completes, reports it, and signs no user in", async () => {
    const { service } = federation;
    const reply = jsonBody(await scene.connectReply(), 201);
    expect(Object.keys(reply).toSorted()).toEqual(["auth_session", "connect_params", "connect_uri", "expires_in"]);
    const cookies = [...browser.cookies].filter(([name]) => name.includes("session"));
    const begun = await scene.connect({
      scopes: ["openid", "email"],
      authorization_params: { login_hint: "ada@people.example", unknown: "x" },
    });
    expect(new URL(begun.url).pathname).toBe("/u/connect-account");
    const { away, parameters } = await travel(begun);
    expect(away.searchParams.get("login_hint")).toBe("ada@people.example");
    expect(parameters).toEqual({ connect_code: expect.any(String), state: "app-state" });
    await expectNothingLinked();
    const account = jsonBody(await scene.completeReply(completionOf(begun, parameters["connect_code"])), 201);
    expect(account).toMatchObject({ id: expect.any(String), connection: "fieldnotes", created_at: expect.stringMatching(/Z$/) });
    expect(JSON.stringify(account)).not.toMatch(/token|eyJ/);
    const listed = jsonBody(await service.call("GET", "/me/v1/connected-accounts/accounts", { token: scene.token }));
    expect(listed).toEqual({ accounts: [account] });
    expect(await identitiesOf(service.ada)).toMatchObject([{}, { connection: "fieldnotes" }]);
    expect(outbox.take(service.ada.email)).toMatchObject({ template: "account_linked_by_user" });
    expect(await auditEvents(service.manage, "my_account_profile_succeeded")).toMatchObject([{ user_id: service.ada.userId }]);
    expect([...browser.cookies].filter(([name]) => name.includes("session"))).toEqual(cookies);
    expect((await signInWithProvider(federation, atProvider)).kind).toBe("response");
    // One account of each connection can be linked.
    expect((await scene.connectReply()).status).toBe(400);
  });

  test("needs the scope, the section, a recent sign-in, a callback of the client, a linkable connection and S256", async () => {
    const { service } = federation;
    const other = await service.register({ callbacks: ["https://other.example.test/callback"] });
    expect(other.clientId).not.toBe("");
    for (const body of [
      { redirect_uri: "https://other.example.test/callback" },
      { redirect_uri: `${clientCallback}/more` },
      { redirect_uri: "https://id.example.test/u/account" },
      { connection: "unknown" },
      { connection: "Username-Password-Authentication" },
      { code_challenge_method: "plain" },
      { code_challenge: "short" },
    ])
      expect((await scene.connectReply(body)).status, JSON.stringify(body)).toBe(400);
    const readScope = "openid read:me:connected_accounts";
    const { access: reader } = await obtainTokens(service, service.spa, service.ada, { audience: connectAudience, scope: readScope });
    expect((await scene.connectReply({}, reader)).status).toBe(403);
    expect((await scene.completeReply(completionOf({ authSession: "x", url: "" }, "x"), reader)).status).toBe(403);
    await showSections(service, { linked_accounts: "read_only" });
    expect((await scene.connectReply()).status).toBe(403);
    await showSections(service, { linked_accounts: "shown" });
    service.clock.advance("14m");
    const { access } = await obtainTokens(service, service.spa, service.ada, { audience: connectAudience, scope: connectScope }, browser);
    service.clock.advance("2m");
    expect((await scene.connectReply({}, access)).status).toBe(401);
  });

  test("32 parallel completions of one code link the account once", async () => {
    const begun = await scene.connect();
    const { parameters } = await travel(begun);
    const replies = await Promise.all(
      Array.from({ length: 32 }, () => scene.completeReply(completionOf(begun, parameters["connect_code"]))),
    );
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...Array.from({ length: 31 }, () => 400)]);
    expect(await identitiesOf(federation.service.ada)).toHaveLength(2);
    expect(outbox.sent.filter(({ template }) => template === "account_linked_by_user")).toHaveLength(1);
    expect((await scene.completeReply(completionOf(begun, parameters["connect_code"]))).status).toBe(400);
  });

  test("the client receives the error if the user declines at the provider, and no code", async () => {
    const begun = await scene.connect();
    const away = new URL(connectLocation(await browser.get(begun.url)));
    const back = new URL(away.searchParams.get("redirect_uri") ?? "");
    const answer = { state: away.searchParams.get("state") ?? "", error: "access_denied", iss: "https://upstream.example.test/" };
    for (const [name, value] of Object.entries(answer)) back.searchParams.set(name, value);
    expect(receivedIn(await browser.get(back.href))).toEqual({
      error: "access_denied",
      error_description: expect.any(String),
      state: "app-state",
    });
    await expectNothingLinked();
  });
});

test("the client receives the error if the provider does not say when the user authenticated, although the request asks for it", async () => {
  const { service } = federation;
  await federation.connect({ name: "github", strategy: "github", options: {} });
  service.clock.advance("6s");
  const begun = await scene.connect({ connection: "github", authorization_params: { max_age: 60 } });
  const refused = { error: "unmet_authentication_requirements", error_description: expect.any(String), state: "app-state" };
  expect(receivedIn(await browser.get(begun.url))).toEqual(refused);
  const plain = await scene.connect({ connection: "github" });
  expect(new URL(connectLocation(await browser.get(plain.url))).hostname).toBe("github.com");
  await expectNothingLinked();
});

describe("the browser with the ticket", () => {
  test.each([
    ["without a session", async () => federation.service.browser()],
    ["with the session of another user", async () => signInBrowser(federation.service, federation.service.bob)],
  ])("%s is sent back with access_denied, and the ticket is used", async (_, open) => {
    const begun = await scene.connect();
    const own = await open();
    const refused = { error: "access_denied", error_description: expect.any(String), state: "app-state" };
    expect(receivedIn(await own.get(begun.url))).toEqual(refused);
    expect((await browser.get(begun.url)).status).toBe(400);
    expect(await auditEvents(federation.service.manage, "f")).toMatchObject([{ client_id: federation.service.spa.clientId }]);
    await expectNothingLinked();
  });

  test("must have the same session when it returns from the provider", async () => {
    const { service } = federation;
    const begun = await scene.connect();
    const back = await submitProviderSignIn(federation, connectLocation(await browser.get(begun.url)), atProvider);
    // Neither another browser nor one in which another user signed in since completes it.
    const bobs = await signInBrowser(service, service.bob);
    expect(connectLocation(await bobs.get(back))).not.toContain("connect_code");
    for (const [name, value] of bobs.cookies) if (name.includes("session")) browser.cookies.set(name, value);
    expect(receivedIn(await browser.get(back))).toMatchObject({ error: "access_denied" });
    await expectNothingLinked();
  });

  test("is sent back with access_denied if another user signed in at the same provider since", async () => {
    const { service } = federation;
    const begun = await scene.connect();
    const back = await submitProviderSignIn(federation, connectLocation(await browser.get(begun.url)), atProvider);
    const another = await federation.provider.addUser("another@people.example");
    const others = service.browser();
    await signInWithProvider(federation, another, { browser: others });
    for (const [name, value] of others.cookies) if (name.includes("session")) browser.cookies.set(name, value);
    expect(receivedIn(await browser.get(back))).toMatchObject({ error: "access_denied", state: "app-state" });
    await expectNothingLinked();
  });

  test("opens a ticket once, and only within ten minutes", async () => {
    const { service } = federation;
    const begun = await scene.connect();
    const replies = await Promise.all([browser.get(begun.url), (await signInBrowser(service, service.ada)).get(begun.url)]);
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 400]);
    expect((await browser.get(begun.url)).status).toBe(400);
    const late = await scene.connect();
    service.clock.advance("11m");
    expect((await browser.get(late.url)).status).toBe(400);
    await expectNothingLinked();
  });

  test("cannot use the ticket as a login", async () => {
    const begun = await scene.connect();
    const state = encodeURIComponent(new URL(begun.url).searchParams.get("ticket") ?? "");
    for (const own of [browser, await signInBrowser(federation.service, federation.service.bob), federation.service.browser()])
      expect((await own.get(`/u/login?state=${state}`)).status).toBe(400);
    await travel(begun);
    // Nor continue it after the client received its code.
    federation.service.clock.advance("5s");
    const again = await browser.get(`/u/login?state=${state}`);
    expect(again.status).toBe(400);
    expect(await again.text()).not.toContain("continue-with");
    await expectNothingLinked();
  });

  test("is not sent to a callback that was removed since", async () => {
    const { service } = federation;
    const begun = await scene.connect();
    await service.manage("PATCH", `/api/v2/clients/${service.spa.clientId}`, { callbacks: ["https://new.example.test/callback"] });
    service.clock.advance("6s");
    expect((await browser.get(begun.url)).status).toBe(400);
  });
});

describe("completing a link", () => {
  test("needs the user, the client, the secret, the verifier, the redirect URI and the code of the link", async () => {
    const { service } = federation;
    const begun = await scene.connect();
    const second = await scene.connect();
    const { parameters } = await travel(begun);
    const sent = completionOf(begun, parameters["connect_code"]);
    const [id = ""] = (sent["connect_code"] ?? "").split(".");
    for (const changed of [
      { code_verifier: "w".repeat(64) },
      { auth_session: second.authSession },
      { redirect_uri: `${clientCallback}?x=1` },
      { connect_code: `${id}.wrong` },
      { connect_code: id },
      { connect_code: "unknown.unknown" },
    ])
      expect((await scene.completeReply({ ...sent, ...changed })).status, JSON.stringify(changed)).toBe(400);
    expect((await scene.completeReply(sent, await scene.tokenFor(service.bob))).status).toBe(400);
    await federation.enableFor(service.web);
    const others = await scene.tokenFor(service.ada, service.web);
    expect((await scene.completeReply(sent, others)).status).toBe(400);
    await expectNothingLinked();
    expect((await scene.completeReply(sent)).status).toBe(201);
  });

  test("fails after ten minutes, and before the user returned from the provider", async () => {
    const begun = await scene.connect();
    await browser.get(begun.url);
    const id = new URL(begun.url).searchParams.get("ticket")?.split(".").at(-1) ?? "";
    expect((await scene.completeReply(completionOf(begun, `${id}.x`))).status).toBe(400);
    const second = await scene.connect();
    const { parameters } = await travel(second);
    federation.service.clock.advance("590s");
    const fresh = await scene.tokenFor(federation.service.ada);
    federation.service.clock.advance("11s");
    expect((await scene.completeReply(completionOf(second, parameters["connect_code"]), fresh)).status).toBe(400);
    await expectNothingLinked();
  });

  test.each([
    [
      "is blocked",
      401,
      () => federation.service.manage("PATCH", `/api/v2/users/${encodeURIComponent(federation.service.ada.userId)}`, { blocked: true }),
    ],
    ["reported a change", 400, () => changeAda({ factors_frozen_until: federation.service.clock.now() + 60_000 })],
    [
      "requested the deletion",
      401,
      () => changeAda({ deletes_at: federation.service.clock.now() + 60_000, deletion_step_at: Number.MAX_SAFE_INTEGER }),
    ],
    ["may no longer link accounts", 403, () => showSections(federation.service, { linked_accounts: "read_only" })],
  ])("fails if the user %s since", async (_, status, change) => {
    const begun = await scene.connect();
    const { parameters } = await travel(begun);
    await change();
    expect((await scene.completeReply(completionOf(begun, parameters["connect_code"]))).status).toBe(status);
    await expectNothingLinked();
  });

  test("fails 16 minutes after the sign-in, although the token and the link are younger", async () => {
    const { service } = federation;
    service.clock.advance("14m");
    const { access } = await obtainTokens(service, service.spa, service.ada, { audience: connectAudience, scope: connectScope }, browser);
    const begun = await scene.connect({}, access);
    const { parameters } = await travel(begun);
    service.clock.advance("2m");
    expect((await scene.completeReply(completionOf(begun, parameters["connect_code"]), access)).status).toBe(401);
    await expectNothingLinked();
    expect((await scene.completeReply(completionOf(begun, parameters["connect_code"]), await scene.tokenFor(service.ada))).status).toBe(
      201,
    );
  });

  test("fails if the connection is no longer enabled for the client", async () => {
    const { service } = federation;
    const begun = await scene.connect();
    const { parameters } = await travel(begun);
    const { connections } = jsonBody(await service.manage("GET", "/api/v2/connections?name=fieldnotes&include_totals=true"));
    const [connection] = Array.isArray(connections) ? connections : [];
    await service.manage("PATCH", `/api/v2/connections/${connection.id}/clients`, [{ client_id: service.spa.clientId, status: false }]);
    service.clock.advance("6s");
    expect((await scene.completeReply(completionOf(begun, parameters["connect_code"]))).status).toBe(400);
    await expectNothingLinked();
  });

  test("fails for an account that belongs to another user, or is a separate user", async () => {
    const { service } = federation;
    const bobs = service.browser();
    const bobToken = await scene.tokenFor(service.bob, service.spa, bobs);
    const first = await scene.connect({}, bobToken);
    const mine = await scene.connect();
    const adas = await travel(mine);
    const { parameters } = await travel(first, bobs);
    expect((await scene.completeReply(completionOf(first, parameters["connect_code"]), bobToken)).status).toBe(201);
    expect((await scene.completeReply(completionOf(mine, adas.parameters["connect_code"]))).status).toBe(409);
    expect(await identitiesOf(service.ada)).toHaveLength(1);
    const separate = await federation.provider.addUser("separate@people.example");
    await signInWithProvider(federation, separate);
    atProvider = separate;
    const begun = await scene.connect();
    const result = await travel(begun);
    expect((await scene.completeReply(completionOf(begun, result.parameters["connect_code"]))).status).toBe(409);
    expect(await identitiesOf(service.ada)).toHaveLength(1);
  });

  test("is not possible in another tenant, whose pages and API do not know the ticket and the code", async () => {
    const { service } = federation;
    const begun = await scene.connect();
    const { parameters } = await travel(begun);
    const foreign = await service.call("POST", "/me/v1/connected-accounts/complete", {
      token: scene.token,
      body: completionOf(begun, parameters["connect_code"]),
      headers: { "tenant-id": "other" },
    });
    expect(foreign.status).toBeGreaterThanOrEqual(400);
    const ticket = new URL(begun.url).searchParams.get("ticket")?.replace("main.", "other.") ?? "";
    expect((await browser.get(`/u/connect-account?ticket=${encodeURIComponent(ticket)}`)).status).toBe(400);
    await expectNothingLinked();
  });
});

test("a login session of a link is deleted with its user", async () => {
  const { service } = federation;
  const ofAda = { tenant_id: "main", user_id: service.ada.userId };
  const before = await service.data.collections.login_sessions.count(ofAda);
  await scene.connect();
  expect(await service.data.collections.login_sessions.count(ofAda)).toBe(before + 1);
  await service.manage("DELETE", `/api/v2/users/${encodeURIComponent(service.ada.userId)}`);
  expect(await service.data.collections.login_sessions.count(ofAda)).toBe(0);
});
