import { beforeEach, expect, test } from "vitest";
import { jsonBody } from "../support/api.ts";
import { obtainTokens, type TestAccount } from "../support/flow.ts";
import { openLink } from "../support/links.ts";
import { createOutbox, type Outbox } from "../support/outbox.ts";
import { openFederation, submitProviderSignIn, type Federation } from "../upstream/federation.ts";
import { openSection, showSections, signInBrowser, submitForm } from "./page.ts";

/** Auth0's `connected-accounts` of the My Account API: accounts at identity providers that users linked. */

const path = "/me/v1/connected-accounts/accounts";
const scope = "openid read:me:connected_accounts delete:me:connected_accounts";
const audience = "https://id.example.test/me/";

let outbox: Outbox;
let federation: Federation;
let token: string;
let logged: unknown[];

const tokenFor = async (account: TestAccount, scopes = scope) =>
  (await obtainTokens(federation.service, federation.service.spa, account, { audience, scope: scopes })).access;
const call = (method: string, at: string, bearer = token) => federation.service.call(method, at, { token: bearer });
const accountsOf = async (query = "") => {
  const { accounts } = jsonBody(await call("GET", `${path}${query}`));
  return Array.isArray(accounts) ? accounts : [];
};
const firstId = async () =>
  encodeURIComponent(String(jsonBody({ status: 200, body: (await accountsOf())[0], headers: new Headers() })["id"]));

beforeEach(async () => {
  outbox = createOutbox();
  logged = [];
  federation = await openFederation({ messages: { mail: outbox.mail }, logger: { log: (entry) => void logged.push(entry) } });
  const { service } = federation;
  await federation.connect();
  await showSections(service, { linked_accounts: "shown" });
  const browser = await signInBrowser(service, service.ada);
  const page = await openSection(browser, "linked_accounts", { view: "link" });
  const { location } = await submitForm(browser, page, { action: "continue-with", connection: "fieldnotes" });
  const away = await browser.get(location?.href ?? "");
  const user = await federation.provider.addUser("ada@people.example");
  const callback = await submitProviderSignIn(federation, away.headers.get("location") ?? "", user);
  expect((await openLink(browser, callback)).html).not.toContain("problem");
  token = await tokenFor(service.ada);
});

test("lists linked accounts in Auth0's shape, without a token of the provider", async () => {
  const { service } = federation;
  // A linked account without an identity provider is no connected account.
  const second = await service.addUser("second@example.test");
  const ada = encodeURIComponent(service.ada.userId);
  await service.manage("POST", `/api/v2/users/${ada}/identities`, { provider: "auth0", user_id: second.userId });
  const accounts = await accountsOf();
  expect(accounts).toEqual([
    {
      id: expect.any(String),
      connection: "fieldnotes",
      access_type: expect.stringMatching(/^(online|offline)$/),
      scopes: expect.any(Array),
      created_at: expect.stringMatching(/Z$/),
      ...(JSON.stringify(accounts).includes("expires_at") && { expires_at: expect.stringMatching(/Z$/) }),
    },
  ]);
  expect(JSON.stringify(accounts)).not.toMatch(/token|eyJ/);
  expect(await accountsOf("?connection=fieldnotes")).toHaveLength(1);
  expect(await accountsOf("?connection=other")).toEqual([]);
});

test("unlinks an account once, and reports it", async () => {
  const id = await firstId();
  outbox.sent.length = 0;
  const replies = await Promise.all([call("DELETE", `${path}/${id}`), call("DELETE", `${path}/${id}`)]);
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404]);
  expect(await accountsOf()).toEqual([]);
  expect(outbox.sent.map(({ template }) => template)).toEqual(["account_unlinked"]);
});

test("needs the scope, a recent sign-in and the section of the account page", async () => {
  const { service } = federation;
  const id = await firstId();
  const reader = await tokenFor(service.ada, "openid read:me:connected_accounts");
  expect((await call("DELETE", `${path}/${id}`, reader)).status).toBe(403);
  expect((await call("GET", path, await tokenFor(service.ada, "openid read:me:identities"))).status).toBe(403);
  await showSections(service, { linked_accounts: "read_only" });
  expect((await call("DELETE", `${path}/${id}`)).status).toBe(403);
  await showSections(service, { linked_accounts: "shown" });
  const browser = service.browser();
  await obtainTokens(service, service.spa, service.ada, {}, browser);
  service.clock.advance("14m");
  const { access } = await obtainTokens(service, service.spa, service.ada, { audience, scope }, browser);
  service.clock.advance("2m");
  expect((await call("DELETE", `${path}/${id}`, access)).status).toBe(401);
});

test("accounts of another user, of other connections and the primary account are not found", async () => {
  const { service } = federation;
  const id = await firstId();
  expect((await call("DELETE", `${path}/${id}`, await tokenFor(service.bob))).status).toBe(404);
  expect(jsonBody(await call("GET", path, await tokenFor(service.bob)))).toEqual({ accounts: [] });
  expect((await call("DELETE", `${path}/${encodeURIComponent(service.ada.userId)}`)).status).toBe(404);
  const second = await service.addUser("second@example.test");
  const ada = encodeURIComponent(service.ada.userId);
  await service.manage("POST", `/api/v2/users/${ada}/identities`, { provider: "auth0", user_id: second.userId });
  token = await tokenFor(service.ada);
  expect((await call("DELETE", `${path}/${encodeURIComponent(second.userId)}`)).status).toBe(404);
  expect(await accountsOf()).toHaveLength(1);
});

test("the last way to sign in stays", async () => {
  const { service } = federation;
  const id = await firstId();
  const where = { tenant_id: "main", user_id: service.ada.userId };
  await service.data.collections.users.update(where, { set: { password_id: null }, add: { revision: 1 } });
  expect((await call("DELETE", `${path}/${id}`)).status).toBe(409);
  expect(await accountsOf()).toHaveLength(1);
});

test("an account whose tokens no key decrypts is listed as one without tokens, and the log reports it", async () => {
  const { data } = federation.service;
  const [row] = await data.collections.upstream_tokens.find({ where: { tenant_id: "main" }, limit: 1 });
  const where = { tenant_id: "main", account_id: String(row?.["account_id"]) };
  await data.collections.upstream_tokens.update(where, { set: { tokens: "unreadable" }, add: { revision: 1 } });
  expect(await accountsOf()).toMatchObject([{ connection: "fieldnotes", access_type: "online", scopes: [] }]);
  expect(logged).toContainEqual(
    expect.objectContaining({ event: "unreadable_seal", collection: "upstream_tokens", account_id: where.account_id }),
  );
});
