import { describe, expect, test } from "vitest";
import {
  sendAuthorization,
  claimsOf,
  codeGrant,
  successParameters,
  loginState,
  getFlow,
  screenName,
  sendStep,
  signInAtLoginPage,
  submitStep,
  tokens,
  type FlowResult,
} from "../support/flow.ts";
import { insertProof } from "../support/rows.ts";
import { returnFromProvider, signInWithProvider, goToProvider, openFederation, submitProviderSignIn, searchUsers } from "./federation.ts";

/** An identity provider that is not authoritative for the domain of any email address. */
const federation = await openFederation();
const { service, provider } = federation;
await federation.connect();

const subjectOf = async (result: FlowResult): Promise<unknown> =>
  claimsOf(tokens(await service.exchange(codeGrant(service.web, successParameters(result)["code"] ?? ""))).id).sub;

describe("a user whose email address belongs to a local account", () => {
  test("is prompted to sign in to it, and is linked: from then on both sign in to one user", async () => {
    const localAccount = await service.addUser("flo@people.example");
    const providerAccount = await provider.addUser("flo@people.example");
    const browser = service.browser();
    const result = await returnFromProvider(
      browser,
      await submitProviderSignIn(federation, await goToProvider(federation, browser, service.web), providerAccount),
    );
    const state = loginState(result);
    expect(await getFlow(browser, state)).toMatchObject({
      screen: { name: "link-account", email: "flo@people.example", provider: { label: "Fieldnotes" } },
    });
    const html = await (await browser.get(`/u/login?${new URLSearchParams({ state, step: "link-account" })}`)).text();
    expect(html).toContain("You already have an account");
    expect(screenName(await submitStep(browser, state, { action: "link-account" }))).toBe("password");
    const signedIn = await submitStep(browser, state, { action: "sign-in", password: localAccount.password });
    expect(await subjectOf({ kind: "response", mode: "query", to: "", parameters: parametersOf(signedIn["redirect_to"]) })).toBe(
      localAccount.userId,
    );
    expect(await searchUsers(federation, "email:flo@people.example")).toMatchObject([
      { user_id: localAccount.userId, identities: [{}, { connection: "fieldnotes" }] },
    ]);
    expect(await subjectOf(await signInWithProvider(federation, providerAccount))).toBe(localAccount.userId);
  });

  test("is not linked if they cannot sign in to it, and can continue with another option", async () => {
    await service.addUser("gil@people.example");
    const mallory = await provider.addUser("gil@people.example");
    const browser = service.browser();
    const state = loginState(
      await returnFromProvider(
        browser,
        await submitProviderSignIn(federation, await goToProvider(federation, browser, service.web), mallory),
      ),
    );
    await submitStep(browser, state, { action: "link-account" });
    const rejected = await sendStep(browser, state, { action: "sign-in", password: "not the password" });
    expect(rejected.status).toBe(403);
    expect(await searchUsers(federation, "email:gil@people.example")).toMatchObject([{ identities: [{}] }]);
  });

  test("is not linked after declining, whichever user signs in then", async () => {
    const localAccount = await service.addUser("hal@people.example");
    const providerAccount = await provider.addUser("hal@people.example");
    const browser = service.browser();
    const back = await returnFromProvider(
      browser,
      await submitProviderSignIn(federation, await goToProvider(federation, browser, service.web), providerAccount),
    );
    expect(screenName(await submitStep(browser, loginState(back), { action: "another-way" }))).toBe("identifier");
    expect(await subjectOf(await signInAtLoginPage(browser, back, localAccount))).toBe(localAccount.userId);
    expect(await searchUsers(federation, "email:hal@people.example")).toMatchObject([{ identities: [{}] }]);
  });

  test("is not linked to another user who signs in after the confirmation", async () => {
    await service.addUser("ida@people.example");
    const other = await service.addUser("jan@people.example");
    const providerAccount = await provider.addUser("ida@people.example");
    const browser = service.browser();
    const back = await returnFromProvider(
      browser,
      await submitProviderSignIn(federation, await goToProvider(federation, browser, service.web), providerAccount),
    );
    const state = loginState(back);
    await submitStep(browser, state, { action: "link-account" });
    await submitStep(browser, state, { action: "change-identifier" });
    expect(await subjectOf(await signInAtLoginPage(browser, back, other))).toBe(other.userId);
    expect(await searchUsers(federation, "email:jan@people.example")).toMatchObject([{ identities: [{}] }]);
  });

  test("signs in through the requested connection once the account is linked", async () => {
    const localAccount = await service.addUser("kim@people.example");
    const providerAccount = await provider.addUser("kim@people.example");
    const browser = service.browser();
    const result = await sendAuthorization(browser, service.web, { connection: "fieldnotes" });
    const redirected = await browser.get(`/u/login?${new URLSearchParams({ state: loginState(result), step: "provider" })}`);
    const back = await returnFromProvider(
      browser,
      await submitProviderSignIn(federation, redirected.headers.get("location") ?? "", providerAccount),
    );
    const state = loginState(back);
    expect(screenName(await submitStep(browser, state, { action: "link-account" }))).toBe("password");
    const done = await submitStep(browser, state, { action: "sign-in", password: localAccount.password });
    expect(await subjectOf({ kind: "response", mode: "query", to: "", parameters: parametersOf(done["redirect_to"]) })).toBe(
      localAccount.userId,
    );
    const { body } = await service.manage("GET", `/api/v2/users/${encodeURIComponent(localAccount.userId)}/sessions`);
    expect(JSON.stringify(body)).toContain('"federated"');
  });
});

describe("a user whose email address belongs to an account of another identity provider", async () => {
  const two = await openFederation();
  await two.connect();
  await two.connect({ name: "second" });

  const begin = async (email: string) => {
    const account = await two.provider.addUser(email);
    successParameters(await signInWithProvider(two, account));
    const browser = two.service.browser();
    const address = await goToProvider(two, browser, two.service.web, {}, "second");
    const state = loginState(await returnFromProvider(browser, await submitProviderSignIn(two, address, account)));
    return { account, browser, state };
  };

  test("is offered that provider, and is linked after the sign-in there", async () => {
    const { account, browser, state } = await begin("max@people.example");
    expect(await submitStep(browser, state, { action: "link-account" })).toMatchObject({
      screen: { name: "provider", provider: { connection: "fieldnotes" }, linking: true },
    });
    const { redirect_to: address } = await submitStep(browser, state, { action: "continue-with", connection: "fieldnotes" });
    successParameters(await returnFromProvider(browser, await submitProviderSignIn(two, String(address), account)));
    expect(await searchUsers(two, "email:max@people.example")).toMatchObject([
      { identities: [{ connection: "fieldnotes" }, { connection: "second" }] },
    ]);
  });

  test("can decline at that provider's page, and nothing is linked", async () => {
    const { browser, state } = await begin("nia@people.example");
    await submitStep(browser, state, { action: "link-account" });
    expect(screenName(await submitStep(browser, state, { action: "another-way" }))).toBe("identifier");
    expect(await searchUsers(two, "email:nia@people.example")).toMatchObject([{ identities: [{ connection: "fieldnotes" }] }]);
  });

  test("enters the password if the account has a password connection as well", async () => {
    const { browser, state } = await begin("oli@people.example");
    const local = await two.service.addUser("oli@elsewhere.example");
    const [user] = await searchUsers(two, "email:oli@people.example");
    const link = { provider: "auth0", user_id: local.userId.split("|")[1] };
    const path = `/api/v2/users/${encodeURIComponent(String(user?.["user_id"]))}/identities`;
    expect((await two.service.manage("POST", path, link)).status).toBe(201);
    expect(screenName(await submitStep(browser, state, { action: "link-account" }))).toBe("password");
  });
});

describe("an identity provider that is authoritative for the email domain", async () => {
  const own = await openFederation();
  await own.connect({ options: { domain_aliases: ["Staff.example"] } });

  test("has its users linked without a prompt to accounts with the same verified address", async () => {
    const localAccount = await own.service.addUser("lea@staff.example");
    await insertProof(own.service, localAccount);
    const providerAccount = await own.provider.addUser("lea@staff.example");
    successParameters(await signInWithProvider(own, providerAccount));
    expect(await searchUsers(own, "email:lea@staff.example")).toMatchObject([
      { user_id: localAccount.userId, identities: [{}, { connection: "fieldnotes" }] },
    ]);
  });

  test("gives its user an account whose address was never verified, and removes the account's password and sessions", async () => {
    const mallory = await own.service.manage.create("/api/v2/users", {
      connection: "Username-Password-Authentication",
      email: "mia@staff.example",
      password: "chosen by mallory",
    });
    const providerBrowser = own.service.browser();
    const state = loginState(await sendAuthorization(providerBrowser, own.service.web));
    const inside = await submitStep(providerBrowser, state, {
      action: "sign-in",
      identifier: "mia@staff.example",
      password: "chosen by mallory",
    });
    const { code = "" } = parametersOf(inside["redirect_to"]);
    const before = tokens(await own.service.exchange(codeGrant(own.service.web, code)));
    successParameters(await signInWithProvider(own, await own.provider.addUser("mia@staff.example")));
    const nextBrowser = own.service.browser();
    const requested = loginState(await sendAuthorization(nextBrowser, own.service.web));
    const rejected = await sendStep(nextBrowser, requested, {
      action: "sign-in",
      identifier: "mia@staff.example",
      password: "chosen by mallory",
    });
    expect(rejected.status).toBe(403);
    expect((await own.service.userinfo(before.access)).status).toBe(401);
    expect(await searchUsers(own, "email:mia@staff.example")).toMatchObject([{ user_id: mallory["user_id"], email_verified: true }]);
  });

  test("is selected if a visitor enters an address in its domain as the identifier", async () => {
    const browser = own.service.browser();
    const result = await sendAuthorization(browser, own.service.web);
    const sent = await submitStep(browser, loginState(result), { action: "continue", identifier: "Noa@staff.example" });
    const url = new URL(String(sent["redirect_to"]));
    expect(url.hostname).toBe("upstream.example.test");
    expect(url.searchParams.get("login_hint")).toBe("Noa@staff.example");
  });

  test("has its users linked without a prompt only if it sends email_verified", async () => {
    const localAccount = await own.service.addUser("ola@staff.example");
    const providerAccount = await own.provider.addUser("ola@staff.example");
    await own.provider.manage("PATCH", `/api/v2/users/${encodeURIComponent(providerAccount.userId)}`, { email_verified: false });
    const browser = own.service.browser();
    const back = await returnFromProvider(
      browser,
      await submitProviderSignIn(own, await goToProvider(own, browser, own.service.web), providerAccount),
    );
    expect(await getFlow(browser, loginState(back))).toMatchObject({ screen: { name: "link-account" } });
    expect(await searchUsers(own, "email:ola@staff.example")).toMatchObject([{ user_id: localAccount.userId, identities: [{}] }]);
  });
});

function parametersOf(url: unknown): { readonly [name: string]: string } {
  return Object.fromEntries(new URL(String(url)).searchParams);
}
