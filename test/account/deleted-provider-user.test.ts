import { beforeEach, expect, test } from "vitest";
import { jsonBody, list, stringMember } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import {
  codeGrant,
  errorParameters,
  getFlow,
  loginState,
  openStep,
  offline,
  redirectOf,
  refreshGrant,
  screenName,
  sendAuthorization,
  submitStep,
  successParameters,
  tokens,
  type ObtainedTokens,
  type TestAccount,
} from "../support/flow.ts";
import { createOutbox } from "../support/outbox.ts";
import { openFederation, searchUsers, signInWithProvider, submitProviderSignIn, type Federation } from "../upstream/federation.ts";
import { openSection, showSections, submitForm } from "./page.ts";

/** A user of an identity provider deletes the account, and comes back through the provider. */

let federation: Federation;
let atProvider: TestAccount;
/** The browser and the tokens of the account before its deletion. */
let browser: Browser;
let before: ObtainedTokens;
let userId: string;

const userPath = () => `/api/v2/users/${encodeURIComponent(userId)}`;
const read = async (path = "") => federation.service.manage("GET", `${userPath()}${path}`);

async function signIn(own = federation.service.browser()): Promise<ObtainedTokens> {
  const { code = "" } = successParameters(await signInWithProvider(federation, atProvider, { browser: own, parameters: offline }));
  return tokens(await federation.service.exchange(codeGrant(federation.service.web, code)));
}

/** Signs in through the provider until the page that asks whether to keep the account. @returns the `state` of the login. */
async function signInToDecide(own: Browser): Promise<string> {
  const state = loginState(await signInWithProvider(federation, atProvider, { browser: own, parameters: offline }));
  expect(screenName(await getFlow(own, state))).toBe("keep-account");
  return state;
}

async function isActive({ access, refresh }: ObtainedTokens): Promise<boolean> {
  const { service } = federation;
  const [info, refreshed] = [await service.userinfo(access), await service.exchange(refreshGrant(service.web, refresh))];
  return info.status === 200 || refreshed.status === 200;
}

beforeEach(async () => {
  federation = await openFederation({ messages: { mail: createOutbox().mail } });
  const { service } = federation;
  await federation.connect();
  await showSections(service, { deletion: "shown", linked_accounts: "shown" });
  atProvider = await federation.provider.addUser("cleo@people.example");
  browser = service.browser();
  before = await signIn(browser);
  userId = stringMember(jsonBody(await service.userinfo(before.access)), "sub");
  // The data of the account, apart from its sessions and tokens.
  const metadata = { user_metadata: { color: "green" }, app_metadata: { plan: "paid" } };
  jsonBody(await service.manage("PATCH", userPath(), metadata));
  const role = await service.manage.create("/api/v2/roles", { name: "editor", description: "Edits" });
  await service.manage("POST", `${userPath()}/roles`, { roles: [role["id"]] });
  const identifier = "https://notes.example.test/";
  await service.manage.create("/api/v2/resource-servers", { identifier, scopes: [{ value: "read" }] });
  await service.manage("POST", `${userPath()}/permissions`, {
    permissions: [{ resource_server_identifier: identifier, permission_name: "read" }],
  });
  const organization = await service.manage.create("/api/v2/organizations", { name: "acme", display_name: "Acme" });
  await service.manage("POST", `/api/v2/organizations/${stringMember(organization, "id")}/members`, { members: [userId] });
  const linked = await service.addUser("cleo@second.example");
  await service.manage("POST", `${userPath()}/identities`, { provider: "auth0", user_id: linked.userId });
  await service.manage("POST", `${userPath()}/authentication-methods`, { type: "phone", phone_number: "+14155550100", name: "Phone" });
  for (const path of ["/roles", "/permissions", "/organizations", "/authentication-methods"])
    expect(list(await read(path)), path).toHaveLength(1);
  expect(jsonBody(await read())["identities"]).toHaveLength(2);
  const page = await openSection(browser, "deletion", { view: "confirm" });
  await submitForm(browser, page, { action: "delete-account" });
});

test("a user who signs in before the deletion can keep the account, with everything but the former sessions", async () => {
  const own = federation.service.browser();
  const state = await signInToDecide(own);
  const page = await openStep(own, state, "keep-account");
  expect(await page.text()).toContain("This account will be deleted on 2026-01-15");
  expect(errorParameters(await sendAuthorization(own, federation.service.web, { prompt: "none" }))["error"]).toBe("interaction_required");
  const { code = "" } = successParameters(redirectOf(await submitStep(own, state, { action: "keep-account" })));
  expect(code).not.toBe("");
  federation.service.clock.advance("20d");
  await federation.service.postern.jobs.sweep();
  expect(jsonBody(await read())).toMatchObject({ user_metadata: { color: "green" }, app_metadata: { plan: "paid" } });
  expect(await isActive(before)).toBe(false);
});

test("lets the account be deleted at the sign-in, and gets no tokens", async () => {
  const own = federation.service.browser();
  const reply = await submitStep(own, await signInToDecide(own), { action: "delete-account" });
  expect(errorParameters(redirectOf(reply))).toMatchObject({ error: "access_denied" });
  expect(errorParameters(await sendAuthorization(own, federation.service.web, { prompt: "none" }))["error"]).toBe("login_required");
});

test("after the deletion, a sign-in creates a new account without anything of the former one, whose cookies and tokens stay void", async () => {
  const { service } = federation;
  const undecided = service.browser();
  await signInToDecide(undecided);
  const formerCookies = [new Map(browser.cookies), new Map(undecided.cookies)];
  for (let days = 0; days < 20; days += 5) {
    service.clock.advance("5d");
    await service.postern.jobs.sweep();
  }
  expect((await read()).status).toBe(404);
  expect(await isActive(before)).toBe(false);

  const now = await signIn();
  // Auth0's form of the id: the connection and the subject at the provider. The account is a new one nevertheless.
  expect(jsonBody(await service.userinfo(now.access))["sub"]).toBe(userId);
  const account = jsonBody(await read());
  expect(account).toMatchObject({ logins_count: 1, identities: [{ connection: "fieldnotes" }] });
  expect(account["identities"]).toHaveLength(1);
  expect(Date.parse(stringMember(account, "created_at"))).toBeGreaterThan(service.clock.now() - 60_000);
  for (const member of ["user_metadata", "app_metadata"]) expect(account[member] ?? {}, member).toEqual({});
  expect(account).not.toHaveProperty("deletes_at");
  for (const path of ["/roles", "/permissions", "/organizations", "/authentication-methods"])
    expect(list(await read(path)), path).toEqual([]);
  expect(list(await read("/sessions"), "sessions")).toHaveLength(1);
  expect(await service.data.collections.refresh_tokens.count({ tenant_id: "main", user_id: userId })).toBe(1);
  // The account that was linked to it is deleted with it.
  expect(await searchUsers(federation, 'email:"cleo@second.example"')).toEqual([]);

  expect(await isActive(before)).toBe(false);
  for (const cookies of formerCookies) {
    const own = service.browser(cookies);
    expect(errorParameters(await sendAuthorization(own, service.web, { prompt: "none" }))["error"]).toBe("login_required");
    expect((await openSection(own, "deletion")).status).toBe(303);
  }
  expect(await isActive(now)).toBe(true);
});

test("a sign-in at the provider that began before the deletion and ends after it creates a new account", async () => {
  const { service } = federation;
  const own = service.browser();
  const authorization = loginState(await sendAuthorization(own, service.web, offline));
  const away = stringMember(await submitStep(own, authorization, { action: "continue-with", connection: "fieldnotes" }), "redirect_to");
  jsonBody({ ...(await service.manage("DELETE", userPath())), status: 200, body: {} });
  const done = await own.get(await submitProviderSignIn(federation, away, atProvider));
  expect(done.headers.get("location")).toContain("code=");
  expect(list(await read("/roles"))).toEqual([]);
  expect(jsonBody(await read())["app_metadata"] ?? {}).toEqual({});
});
