import { describe, expect, test } from "vitest";
import {
  authorize,
  claimsOf,
  codeGrant,
  successParameters,
  loginState,
  getFlow,
  screenName,
  sendStep,
  signIn,
  step,
  tokens,
  type FlowResult,
} from "../support/flow.ts";
import { insertProof } from "../support/rows.ts";
import { returnFromProvider, signInWithProvider, goToProvider, openFederation, signInAtProvider, findUsers } from "./journey.ts";

/** A provider that says of no address that it gives it out. */
const federation = await openFederation();
const { service, provider } = federation;
await federation.connect();

const subjectOf = async (given: FlowResult): Promise<unknown> =>
  claimsOf(tokens(await service.exchange(codeGrant(service.web, successParameters(given)["code"] ?? ""))).id).sub;

describe("somebody whose address an account of ours has", () => {
  test("is asked to sign in to it, and is linked then: from then on both sign in to the one user", async () => {
    const ours = await service.addUser("flo@people.example");
    const theirs = await provider.addUser("flo@people.example");
    const browser = service.browser();
    const reached = await returnFromProvider(
      browser,
      await signInAtProvider(federation, await goToProvider(federation, browser, service.web), theirs),
    );
    const state = loginState(reached);
    expect(await getFlow(browser, state)).toMatchObject({
      screen: { name: "link-account", email: "flo@people.example", provider: { label: "Fieldnotes" } },
    });
    const html = await (await browser.get(`/u/login?${new URLSearchParams({ state, step: "link-account" })}`)).text();
    expect(html).toContain("You already have an account");
    expect(screenName(await step(browser, state, { action: "link-account" }))).toBe("password");
    const signedIn = await step(browser, state, { action: "sign-in", password: ours.password });
    expect(await subjectOf({ kind: "answer", mode: "query", to: "", parameters: parametersOf(signedIn["redirect_to"]) })).toBe(ours.userId);
    expect(await findUsers(federation, "email:flo@people.example")).toMatchObject([
      { user_id: ours.userId, identities: [{}, { connection: "fieldnotes" }] },
    ]);
    expect(await subjectOf(await signInWithProvider(federation, theirs))).toBe(ours.userId);
  });

  test("who may not sign in to it is linked to nothing, and goes on another way", async () => {
    await service.addUser("gil@people.example");
    const mallory = await provider.addUser("gil@people.example");
    const browser = service.browser();
    const state = loginState(
      await returnFromProvider(browser, await signInAtProvider(federation, await goToProvider(federation, browser, service.web), mallory)),
    );
    await step(browser, state, { action: "link-account" });
    const refused = await sendStep(browser, state, { action: "sign-in", password: "not the password" });
    expect(refused.status).toBe(403);
    expect(await findUsers(federation, "email:gil@people.example")).toMatchObject([{ identities: [{}] }]);
  });

  test("who says no is linked to nothing, whoever they sign in as then", async () => {
    const ours = await service.addUser("hal@people.example");
    const theirs = await provider.addUser("hal@people.example");
    const browser = service.browser();
    const back = await returnFromProvider(
      browser,
      await signInAtProvider(federation, await goToProvider(federation, browser, service.web), theirs),
    );
    expect(screenName(await step(browser, loginState(back), { action: "another-way" }))).toBe("identifier");
    expect(await subjectOf(await signIn(browser, back, ours))).toBe(ours.userId);
    expect(await findUsers(federation, "email:hal@people.example")).toMatchObject([{ identities: [{}] }]);
  });

  test("who says yes and signs in as somebody else is not linked to them", async () => {
    await service.addUser("ida@people.example");
    const other = await service.addUser("jan@people.example");
    const theirs = await provider.addUser("ida@people.example");
    const browser = service.browser();
    const back = await returnFromProvider(
      browser,
      await signInAtProvider(federation, await goToProvider(federation, browser, service.web), theirs),
    );
    const state = loginState(back);
    await step(browser, state, { action: "link-account" });
    await step(browser, state, { action: "change-identifier" });
    expect(await subjectOf(await signIn(browser, back, other))).toBe(other.userId);
    expect(await findUsers(federation, "email:jan@people.example")).toMatchObject([{ identities: [{}] }]);
  });

  test("where the client wants the provider, they come in by it once they are linked", async () => {
    const ours = await service.addUser("kim@people.example");
    const theirs = await provider.addUser("kim@people.example");
    const browser = service.browser();
    const given = await authorize(browser, service.web, { connection: "fieldnotes" });
    const led = await browser.get(`/u/login?${new URLSearchParams({ state: loginState(given), step: "provider" })}`);
    const back = await returnFromProvider(browser, await signInAtProvider(federation, led.headers.get("location") ?? "", theirs));
    const state = loginState(back);
    expect(screenName(await step(browser, state, { action: "link-account" }))).toBe("password");
    const done = await step(browser, state, { action: "sign-in", password: ours.password });
    expect(await subjectOf({ kind: "answer", mode: "query", to: "", parameters: parametersOf(done["redirect_to"]) })).toBe(ours.userId);
    const { body } = await service.manage("GET", `/api/v2/users/${encodeURIComponent(ours.userId)}/sessions`);
    expect(JSON.stringify(body)).toContain('"federated"');
  });
});

describe("a provider that gives out the address itself", async () => {
  const own = await openFederation();
  await own.connect({ options: { domain_aliases: ["Staff.example"] } });

  test("is linked to the account that proved the same address, without a question", async () => {
    const ours = await own.service.addUser("lea@staff.example");
    await insertProof(own.service, ours);
    const theirs = await own.provider.addUser("lea@staff.example");
    successParameters(await signInWithProvider(own, theirs));
    expect(await findUsers(own, "email:lea@staff.example")).toMatchObject([
      { user_id: ours.userId, identities: [{}, { connection: "fieldnotes" }] },
    ]);
  });

  test("takes the account that somebody made with the address and never proved: its password and its sessions are gone", async () => {
    const mallory = await own.service.manage.create("/api/v2/users", {
      connection: "Username-Password-Authentication",
      email: "mia@staff.example",
      password: "chosen by mallory",
    });
    const there = own.service.browser();
    const state = loginState(await authorize(there, own.service.web));
    const inside = await step(there, state, { action: "sign-in", identifier: "mia@staff.example", password: "chosen by mallory" });
    const { code = "" } = parametersOf(inside["redirect_to"]);
    const before = tokens(await own.service.exchange(codeGrant(own.service.web, code)));
    successParameters(await signInWithProvider(own, await own.provider.addUser("mia@staff.example")));
    const again = own.service.browser();
    const asked = loginState(await authorize(again, own.service.web));
    const refused = await sendStep(again, asked, { action: "sign-in", identifier: "mia@staff.example", password: "chosen by mallory" });
    expect(refused.status).toBe(403);
    expect((await own.service.userinfo(before.access)).status).toBe(401);
    expect(await findUsers(own, "email:mia@staff.example")).toMatchObject([{ user_id: mallory["user_id"], email_verified: true }]);
  });

  test("an address of its people leads there from the field that asks who one is", async () => {
    const browser = own.service.browser();
    const given = await authorize(browser, own.service.web);
    const sent = await step(browser, loginState(given), { action: "continue", identifier: "Noa@staff.example" });
    const url = new URL(String(sent["redirect_to"]));
    expect(url.hostname).toBe("upstream.example.test");
    expect(url.searchParams.get("login_hint")).toBe("Noa@staff.example");
  });

  test("does so only for addresses that it says are verified", async () => {
    const ours = await own.service.addUser("ola@staff.example");
    const theirs = await own.provider.addUser("ola@staff.example");
    await own.provider.manage("PATCH", `/api/v2/users/${encodeURIComponent(theirs.userId)}`, { email_verified: false });
    const browser = own.service.browser();
    const back = await returnFromProvider(browser, await signInAtProvider(own, await goToProvider(own, browser, own.service.web), theirs));
    expect(await getFlow(browser, loginState(back))).toMatchObject({ screen: { name: "link-account" } });
    expect(await findUsers(own, "email:ola@staff.example")).toMatchObject([{ user_id: ours.userId, identities: [{}] }]);
  });
});

function parametersOf(url: unknown): { readonly [name: string]: string } {
  return Object.fromEntries(new URL(String(url)).searchParams);
}
